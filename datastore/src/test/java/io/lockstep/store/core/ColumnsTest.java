package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.RowCodec;
import io.lockstep.store.engine.SnapshotBytes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Columns of a row one by one or whole (section IV-C of the paper). */
class ColumnsTest {
  private static final Bytes KEY = Bytes.utf8("mac-1");
  private static final Bytes ONE = Bytes.utf8("1");
  private static final Bytes TWO = Bytes.utf8("2");

  private final Replica replica = new Replica().declare("plain");
  private final long session = replica.open(600_000);

  @BeforeEach
  void declare() {
    replica.declare(session, "devices", TableSpec.columns());
  }

  @Test
  void someColumnsAreWrittenAndTheOthersStay() {
    put(Row.of(Map.of("ip", ONE, "port", ONE)));
    put(Row.of(Map.of("port", TWO, "vlan", TWO)));
    Row whole = Row.of(Map.of("ip", ONE, "port", TWO, "vlan", TWO));
    long version = replica.machine.index();
    assertThat(get()).isEqualTo(new Reply.Columns(whole, version));
    assertThat(get("port", "none", "vlan", "port"))
        .isEqualTo(new Reply.Columns(Row.of(Map.of("port", TWO, "vlan", TWO)), version));
    assertThat(get("none")).isEqualTo(new Reply.Columns(Row.of(Map.of()), version));
    assertThat(run(new Command.Get("devices", KEY)))
        .isEqualTo(new Reply.Found(RowCodec.encode(whole), version));
  }

  /** A table has no schema, and nobody has to know all columns of a row. */
  @Test
  void eachRowHasColumnsOfItsOwn() {
    Bytes other = Bytes.utf8("mac-2");
    Row others = Row.of(Map.of("serial", ONE, "vlan", TWO));
    put(Row.of(Map.of("ip", ONE, "port", ONE)));
    Reply written = run(new Command.PutColumns("devices", other, others));
    assertThat(get("serial", "port", "vlan"))
        .isEqualTo(new Reply.Columns(Row.of(Map.of("port", ONE)), replica.machine.index() - 2));

    put(Row.of(Map.of("port", TWO)));
    assertThat(remove("ip", "serial")).isInstanceOf(Reply.Applied.class);
    assertThat(get())
        .isEqualTo(new Reply.Columns(Row.of(Map.of("port", TWO)), replica.machine.index() - 1));
    assertThat(run(new Command.GetColumns("devices", other, List.of())))
        .isEqualTo(new Reply.Columns(others, ((Reply.Applied) written).version()));
  }

  @Test
  void columnsOfNoRowAreAbsent() {
    assertThat(get()).isEqualTo(new Reply.Absent());
    assertThat(run(new Command.ReplaceColumns("devices", KEY, 1, Row.of(Map.of("a", ONE)))))
        .isEqualTo(new Reply.Absent());
    assertThat(remove()).isEqualTo(new Reply.Absent());
    assertThat(remove("a")).isEqualTo(new Reply.Absent());
  }

  @Test
  void replaceLeavesTheRowWhenItsVersionDiffers() {
    Row row = Row.of(Map.of("a", ONE));
    long version = put(row);
    Row patch = Row.of(Map.of("b", TWO));
    assertThat(run(new Command.ReplaceColumns("devices", KEY, version + 1, patch)))
        .isEqualTo(new Reply.Conflict(RowCodec.encode(row), version));
    assertThat(run(new Command.ReplaceColumns("devices", KEY, version, patch)))
        .isInstanceOf(Reply.Applied.class);
    assertThat(get())
        .isEqualTo(
            new Reply.Columns(Row.of(Map.of("a", ONE, "b", TWO)), replica.machine.index() - 1));
  }

  @Test
  void rowWithoutColumnsIsGone() {
    put(Row.of(Map.of("a", ONE, "b", ONE, "c", ONE)));
    long before = replica.machine.index();
    assertThat(remove("none")).isEqualTo(new Reply.Absent());
    assertThat(remove("b", "none")).isInstanceOf(Reply.Applied.class);
    assertThat(remove("a", "c")).isInstanceOf(Reply.Applied.class);
    assertThat(get()).isEqualTo(new Reply.Absent());
    Reply changes = run(new Command.ReadChanges(List.of("devices"), before, 10));
    assertThat(((Reply.Changes) changes).changes())
        .containsExactly(
            new Change(
                before + 2, "devices", KEY, RowCodec.encode(Row.of(Map.of("a", ONE, "c", ONE)))),
            new Change(before + 3, "devices", KEY, null));
    put(Row.of(Map.of("a", ONE)));
    assertThat(remove()).isInstanceOf(Reply.Applied.class);
    assertThat(get()).isEqualTo(new Reply.Absent());
  }

  @Test
  void wholeRowIsWrittenAsItsBytes() {
    Bytes row = RowCodec.encode(Row.of(Map.of("a", ONE)));
    assertThat(run(new Command.PutIfAbsent("devices", KEY, row))).isInstanceOf(Reply.Applied.class);
    assertThat(get("a")).isInstanceOf(Reply.Columns.class);
    long version = replica.machine.index() - 1;
    for (Command command :
        List.of(
            new Command.Put("devices", KEY, ONE),
            new Command.PutIfAbsent("devices", KEY, Bytes.empty()),
            new Command.Replace("devices", KEY, version, RowCodec.encode(Row.of(Map.of()))))) {
      assertThat(run(command))
          .as(command.toString())
          .matches(
              reply -> isRejected(reply, Reason.OUT_OF_BOUNDS, "of table \"devices\" is a row"));
    }
    assertThat(run(new Command.Get("devices", KEY))).isEqualTo(new Reply.Found(row, version));
  }

  @Test
  void scanTellsRowsAsBytes() {
    Row row = Row.of(Map.of("a", ONE));
    long version = put(row);
    assertThat(run(new Command.Scan("devices", Bytes.empty(), null, 10)))
        .isEqualTo(
            new Reply.Entries(List.of(new Entry(KEY, RowCodec.encode(row), version)), false));
  }

  @Test
  void otherKindsHaveNoColumns() {
    Row row = Row.of(Map.of("a", ONE));
    for (Command command :
        List.of(
            new Command.GetColumns("plain", KEY, List.of()),
            new Command.PutColumns("plain", KEY, row),
            new Command.ReplaceColumns("plain", KEY, 1, row),
            new Command.RemoveColumns("plain", KEY, List.of()))) {
      String name = command.getClass().getSimpleName();
      assertThat(run(command))
          .isEqualTo(
              new Reply.Rejected(
                  Reason.WRONG_KIND, name + " does not fit table \"plain\" of kind VALUES"));
    }
    assertThat(run(new Command.Increment("devices", KEY, 1)))
        .isEqualTo(
            new Reply.Rejected(
                Reason.WRONG_KIND, "Increment does not fit table \"devices\" of kind COLUMNS"));
  }

  @Test
  void boundsAreRefusedAndChangeNothing() {
    Row row = Row.of(Map.of("a", ONE));
    Map<String, Bytes> many = new TreeMap<>();
    for (int i = 0; i < Row.MAX_COLUMNS; i++) {
      many.put("c" + i, Bytes.empty());
    }
    put(Row.of(many));
    long before = replica.machine.index();
    Bytes large = Bytes.wrap(new byte[Limits.VALUE_BYTES]);
    many.put("d", ONE);
    for (Command command :
        List.of(
            new Command.PutColumns("devices", KEY, row),
            new Command.PutColumns("devices", KEY, Row.of(Map.of("c1", large))),
            new Command.PutColumns("devices", KEY, Row.of(many)),
            new Command.PutColumns("devices", KEY, Row.of(Map.of())),
            new Command.PutColumns("devices", KEY, Row.of(Map.of("", ONE))),
            new Command.PutColumns("devices", KEY, Row.of(Map.of("x".repeat(65), ONE))),
            new Command.PutColumns("devices", KEY, Row.of(Map.of("\ud800", ONE))),
            new Command.GetColumns("devices", KEY, List.of("a", "")),
            new Command.GetColumns("devices", KEY, List.copyOf(many.keySet())),
            new Command.RemoveColumns("devices", KEY, List.of("\u00e4".repeat(33))))) {
      assertThat(run(command)).as(command.toString()).matches(ColumnsTest::isOutOfBounds);
    }
    Reply changes = run(new Command.ReadChanges(List.of("devices"), before, 10));
    assertThat(((Reply.Changes) changes).changes()).isEmpty();
    assertThat(run(new Command.PutColumns("sys.sessions", KEY, row)))
        .matches(ColumnsTest::isOutOfBounds);
  }

  @Test
  void snapshotKeepsRows() {
    put(Row.of(Map.of("a", ONE)));
    byte[] snapshot = SnapshotBytes.of(replica.machine);
    SnapshotBytes.restore(replica.machine, snapshot);
    assertThat(get("a")).isInstanceOf(Reply.Columns.class);
  }

  private long put(Row row) {
    assertThat(run(new Command.PutColumns("devices", KEY, row)))
        .isEqualTo(new Reply.Applied(replica.machine.index()));
    return replica.machine.index();
  }

  private Reply get(String... columns) {
    return run(new Command.GetColumns("devices", KEY, List.of(columns)));
  }

  private Reply remove(String... columns) {
    return run(new Command.RemoveColumns("devices", KEY, List.of(columns)));
  }

  private Reply run(Command command) {
    return replica.run(session, command);
  }

  private static boolean isOutOfBounds(Reply reply) {
    return isRejected(reply, Reason.OUT_OF_BOUNDS, "");
  }

  static boolean isRejected(Reply reply, Reason reason, String text) {
    return reply instanceof Reply.Rejected rejected
        && rejected.reason() == reason
        && rejected.message().contains(text);
  }
}
