package io.lockstep.history.mixed.load;

import io.lockstep.history.mixed.Step.Cell;
import io.lockstep.history.mixed.Step.Guard;
import io.lockstep.history.mixed.Step.Op;
import io.lockstep.history.mixed.Step.Range;
import io.lockstep.history.mixed.Step.Write;
import io.lockstep.history.mixed.component.CellCodec;
import io.lockstep.history.mixed.component.Exchange;
import io.lockstep.history.mixed.component.TakeLease;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step before it is sent.
 *
 * @param reads the entries that its answer tells, in that order
 * @param range of a scan
 */
record Ask(
    Op op,
    Command command,
    List<Guard> guards,
    List<Write> writes,
    List<Cell> reads,
    @Nullable Range range) {
  private static final int SCAN_ENTRIES = 1_000;

  /** Reads first, then writes, all or none. */
  static Ask batch(Op op, List<Guard> guards, List<Cell> reads, List<Write> writes) {
    List<Command> commands = new ArrayList<>();
    for (Cell cell : reads) {
      commands.add(new Command.Get(cell.table(), Bytes.utf8(cell.key())));
    }
    for (Write write : writes) {
      Bytes key = Bytes.utf8(write.key());
      String value = write.value();
      commands.add(
          value == null
              ? new Command.Remove(write.table(), key)
              : new Command.Put(write.table(), key, Values.bytes(value)));
    }
    List<Command.Guard> conditions =
        guards.stream()
            .map(
                guard -> new Command.Guard(guard.table(), Bytes.utf8(guard.key()), guard.version()))
            .toList();
    return new Ask(op, new Command.Batch(conditions, commands), guards, writes, reads, null);
  }

  /** All entries of a range. */
  static Ask scan(Range range) {
    String to = range.to();
    Command command =
        new Command.Scan(
            range.table(),
            Bytes.utf8(range.from()),
            to == null ? null : Bytes.utf8(to),
            SCAN_ENTRIES);
    return new Ask(Op.SCAN, command, List.of(), List.of(), List.of(), range);
  }

  /** One value to all cells, by the component. */
  static Ask exchange(List<Cell> cells, String value) {
    return call(Op.EXCHANGE, Exchange.NAME, cells, value);
  }

  /** The lease of that cell. */
  static Ask takeLease(Cell lease, String value) {
    return call(Op.TAKE_LEASE, TakeLease.NAME, List.of(lease), value);
  }

  private static Ask call(Op op, String component, List<Cell> cells, String value) {
    Bytes argument = CellCodec.encode(new CellCodec.Argument(value, cells));
    List<Write> writes =
        cells.stream().map(cell -> new Write(cell.table(), cell.key(), value)).toList();
    return new Ask(op, new Command.Call(component, argument), List.of(), writes, cells, null);
  }

  /** One entry. */
  static Ask get(Cell cell) {
    Command command = new Command.Get(cell.table(), Bytes.utf8(cell.key()));
    return new Ask(Op.GET, command, List.of(), List.of(), List.of(cell), null);
  }

  /** One entry. */
  static Ask put(Cell cell, String value) {
    Command command = new Command.Put(cell.table(), Bytes.utf8(cell.key()), Values.bytes(value));
    List<Write> writes = List.of(new Write(cell.table(), cell.key(), value));
    return new Ask(Op.PUT, command, List.of(), writes, List.of(), null);
  }
}
