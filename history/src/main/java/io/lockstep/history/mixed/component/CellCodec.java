package io.lockstep.history.mixed.component;

import io.lockstep.history.mixed.Step.Cell;
import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Arguments and results of the components: entries by table and key, and what they were. */
public final class CellCodec {
  /** Entries in one call at most. */
  public static final int MAX_CELLS = 64;

  private static final int MAX_NAME_BYTES = 64;
  private static final int MAX_VALUE_BYTES = 1 << 10;

  private CellCodec() {}

  /**
   * What is asked for.
   *
   * @param value to be written to all cells
   */
  public record Argument(String value, List<Cell> cells) {
    public Argument {
      cells = List.copyOf(cells);
    }
  }

  /**
   * What a call found and did.
   *
   * @param index of the call
   * @param before the entries as they were, in the order of the cells; null for none
   */
  public record Result(long index, List<@Nullable Entry> before) {}

  /** The bytes of an argument. */
  public static Bytes encode(Argument argument) {
    ByteWriter out = new ByteWriter(64).utf8(argument.value()).varint(argument.cells().size());
    argument.cells().forEach(cell -> out.utf8(cell.table()).utf8(cell.key()));
    return out.toBytes();
  }

  static Argument argument(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    String value = in.utf8(MAX_VALUE_BYTES);
    int count = in.count(MAX_CELLS, 2);
    List<Cell> cells = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      cells.add(new Cell(in.utf8(MAX_NAME_BYTES), in.utf8(MAX_NAME_BYTES)));
    }
    in.end();
    return new Argument(value, cells);
  }

  static Bytes encode(long index, List<@Nullable Entry> before) {
    ByteWriter out = new ByteWriter(64).int64(index).varint(before.size());
    for (Entry entry : before) {
      out.flag(entry != null);
      if (entry != null) {
        out.bytes(entry.key()).bytes(entry.value()).int64(entry.version());
      }
    }
    return out.toBytes();
  }

  /** What a call returned. */
  public static Result result(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    long index = in.int64();
    int count = in.count(MAX_CELLS, 1);
    List<@Nullable Entry> before = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      before.add(
          in.flag()
              ? new Entry(in.bytes(MAX_NAME_BYTES), in.bytes(MAX_VALUE_BYTES), in.int64())
              : null);
    }
    in.end();
    return new Result(index, before);
  }
}
