package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.CodecException;
import io.lockstep.store.codec.TableSpecCodec;
import io.lockstep.store.engine.SnapshotBytes;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tables are declared before they are used, and what is declared stays as it is. */
class CatalogueTest {
  private static final Bytes KEY = Bytes.utf8("k");

  /** Commands that name no table, or declare it. */
  private static final Set<Class<?>> WITHOUT_TABLE =
      Set.of(
          Command.OpenSession.class,
          Command.KeepAlive.class,
          Command.CloseSession.class,
          Command.CreateTable.class);

  private final Replica replica =
      new Replica(
          StoreStateMachineTest.component(
              "writes",
              (transaction, argument) -> {
                transaction.put("t", argument, argument);
                return argument;
              }),
          StoreStateMachineTest.component(
              "reads",
              (transaction, argument) -> {
                Entry entry = transaction.get("t", argument);
                return entry == null ? Bytes.empty() : entry.value();
              }));
  private final long session = replica.open(600_000);

  @Test
  void declaredTableCanBeUsedAndIsShown() {
    Reply created = create("ips", TableSpec.values());
    long version = replica.machine.index();
    assertThat(created).isEqualTo(new Reply.Applied(version));
    create("macs", TableSpec.reference("ips"));
    assertThat(replica.put(session, "ips", "k", "v")).isInstanceOf(Reply.Applied.class);
    assertThat(run(new Command.Get("sys.tables", Bytes.utf8("ips"))))
        .isEqualTo(new Reply.Found(TableSpecCodec.encode(TableSpec.values()), version));
    Reply scan = run(new Command.Scan("sys.tables", Bytes.empty(), null, 10));
    assertThat(((Reply.Entries) scan).entries())
        .containsExactly(
            new Entry(Bytes.utf8("ips"), TableSpecCodec.encode(TableSpec.values()), version),
            new Entry(
                Bytes.utf8("macs"),
                TableSpecCodec.encode(TableSpec.reference("ips")),
                version + 1));
    Reply changes = run(new Command.ReadChanges(List.of("sys.tables"), version, 10));
    assertThat(((Reply.Changes) changes).changes())
        .containsExactly(
            new Change(
                version + 1,
                "sys.tables",
                Bytes.utf8("macs"),
                TableSpecCodec.encode(TableSpec.reference("ips"))));
  }

  @Test
  void declaringAgainInTheSameWayChangesNothing() {
    Reply first = create("t", TableSpec.columns());
    long after = replica.machine.index();
    assertThat(create("t", TableSpec.columns())).isEqualTo(first);
    Reply changes = run(new Command.ReadChanges(List.of("sys.tables"), after, 10));
    assertThat(((Reply.Changes) changes).changes()).isEmpty();
  }

  @Test
  void contradictionIsRefused() {
    create("ips", TableSpec.values());
    create("t", TableSpec.reference("ips"));
    assertWrongKind(
        create("t", TableSpec.references("ips")),
        "table \"t\" is declared as REFERENCE to ips already, not as REFERENCES to ips");
    assertWrongKind(
        create("ips", TableSpec.columns()),
        "table \"ips\" is declared as VALUES already, not as COLUMNS");
  }

  @Test
  void referenceNeedsATargetThatExists() {
    assertWrongKind(
        create("t", TableSpec.reference("none")),
        "table \"t\" cannot refer to table \"none\", which does not exist: declare that one first");
    assertWrongKind(
        create("t", TableSpec.references("sys.sessions")),
        "table \"t\" cannot refer to the store's own table \"sys.sessions\"");
    assertThat(replica.get(session, "t", "k")).matches(CatalogueTest::isUnknownTable);
  }

  @Test
  void referencesCannotFormACircle() {
    assertWrongKind(
        create("t", TableSpec.reference("t")),
        "table \"t\" cannot refer to itself: references must not form a circle");
    create("end", TableSpec.values());
    create("u", TableSpec.reference("end"));
    // The way back would have to be declared over a table that is there already.
    assertWrongKind(
        create("end", TableSpec.reference("u")),
        "table \"end\" is declared as VALUES already, not as REFERENCE to u");
  }

  @Test
  void undeclaredTableIsRefusedByEveryCommand() {
    String message = "there is no table \"t\": it must be declared (CreateTable) before it is used";
    Reply unknown = new Reply.Rejected(Reason.UNKNOWN_TABLE, message);
    Reply refused = new Reply.Rejected(Reason.COMPONENT_REFUSED, message);
    Row row = Row.of(Map.of("c", KEY));
    Map<Command, Reply> replies = new LinkedHashMap<>();
    replies.put(new Command.Get("t", KEY), unknown);
    replies.put(new Command.Put("t", KEY, KEY), unknown);
    replies.put(new Command.PutIfAbsent("t", KEY, KEY), unknown);
    replies.put(new Command.Replace("t", KEY, 1, KEY), unknown);
    replies.put(new Command.Remove("t", KEY), unknown);
    replies.put(new Command.RemoveVersion("t", KEY, 1), unknown);
    replies.put(new Command.Increment("t", KEY, 1), unknown);
    replies.put(new Command.Scan("t", KEY, null, 1), unknown);
    replies.put(new Command.ReadChanges(List.of("sys.tables", "t"), 0, 1), unknown);
    replies.put(new Command.GetColumns("t", KEY, List.of()), unknown);
    replies.put(new Command.PutColumns("t", KEY, row), unknown);
    replies.put(new Command.ReplaceColumns("t", KEY, 1, row), unknown);
    replies.put(new Command.RemoveColumns("t", KEY, List.of()), unknown);
    replies.put(new Command.GetThrough("t", KEY, List.of()), unknown);
    List<Command> second = List.of(new Command.Get("sys.tables", KEY), new Command.Get("t", KEY));
    replies.put(new Command.Batch(List.of(), second), new Reply.BatchRefused(1, unknown));
    List<Command.Guard> guard = List.of(new Command.Guard("t", KEY, 0));
    replies.put(new Command.Batch(guard, second), new Reply.BatchRefused(0, unknown));
    replies.put(new Command.Call("writes", KEY), refused);
    replies.put(new Command.Query("reads", KEY), refused);
    replies.forEach(
        (command, reply) -> assertThat(run(command)).as(command.toString()).isEqualTo(reply));

    Set<Class<?>> commands = new HashSet<>(WITHOUT_TABLE);
    replies.keySet().forEach(command -> commands.add(command.getClass()));
    assertThat(commands).containsExactlyInAnyOrder(Command.class.getPermittedSubclasses());
  }

  @Test
  void storesOwnTablesAreNotDeclared() {
    assertThat(create("sys.mine", TableSpec.values())).matches(CatalogueTest::isOutOfBounds);
    assertThat(create("sys.tables", TableSpec.values())).matches(CatalogueTest::isOutOfBounds);
    assertThat(create("No", TableSpec.values())).matches(CatalogueTest::isOutOfBounds);
    assertThat(create("t", TableSpec.reference("No"))).matches(CatalogueTest::isOutOfBounds);
    assertThat(replica.put(session, "sys.tables", "t", "x")).matches(CatalogueTest::isOutOfBounds);
  }

  @Test
  void numberOfTablesIsBounded() {
    int more = Limits.TABLES - 2;
    for (int i = 0; i < more; i++) {
      assertThat(create("t" + i, TableSpec.values())).isInstanceOf(Reply.Applied.class);
    }
    assertThat(create("more", TableSpec.values())).matches(CatalogueTest::isOutOfBounds);
    assertThat(create("t0", TableSpec.values())).isInstanceOf(Reply.Applied.class);
  }

  @Test
  void snapshotKeepsTheCatalogue() {
    create("ips", TableSpec.values());
    create("a", TableSpec.reference("ips"));
    SnapshotBytes.restore(replica.machine, SnapshotBytes.of(replica.machine));
    assertWrongKind(
        create("a", TableSpec.values()),
        "table \"a\" is declared as REFERENCE to ips already, not as VALUES");
    assertThat(run(new Command.Increment("a", KEY, 1)))
        .isEqualTo(
            new Reply.Rejected(
                Reason.WRONG_KIND, "Increment does not fit table \"a\" of kind REFERENCE"));
  }

  @Test
  void snapshotWhoseTablesAreNotThoseOfItsCatalogueIsRefused() {
    create("t", TableSpec.columns());
    byte[] snapshot = SnapshotBytes.of(replica.machine);
    int kind = new String(snapshot, StandardCharsets.ISO_8859_1).lastIndexOf("\1t\1\2") + 3;
    snapshot[kind] = 1;
    assertThatThrownBy(() -> SnapshotBytes.restore(new Replica().machine, snapshot))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("found table \"t\" as VALUES");
  }

  private Reply create(String table, TableSpec spec) {
    return run(new Command.CreateTable(table, spec));
  }

  private Reply run(Command command) {
    return replica.run(session, command);
  }

  private static void assertWrongKind(Reply reply, String message) {
    assertThat(reply).isEqualTo(new Reply.Rejected(Reason.WRONG_KIND, message));
  }

  private static boolean isOutOfBounds(Reply reply) {
    return reply instanceof Reply.Rejected rejected && rejected.reason() == Reason.OUT_OF_BOUNDS;
  }

  private static boolean isUnknownTable(Reply reply) {
    return reply instanceof Reply.Rejected rejected && rejected.reason() == Reason.UNKNOWN_TABLE;
  }
}
