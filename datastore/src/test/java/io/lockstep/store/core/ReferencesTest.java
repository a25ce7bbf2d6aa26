package io.lockstep.store.core;

import static io.lockstep.store.core.ColumnsTest.isRejected;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.References;
import io.lockstep.store.codec.RowCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reading through references in one operation (section IV-A of the paper). */
class ReferencesTest {
  private static final Bytes IP = Bytes.utf8("10.0.0.1");
  private static final Bytes MAC = Bytes.utf8("mac-1");
  private static final Bytes OTHER = Bytes.utf8("mac-2");
  private static final Bytes DEVICE = Bytes.utf8("device");
  private static final Row ROW = Row.of(Map.of("name", Bytes.utf8("x"), "port", Bytes.utf8("7")));

  private final Replica replica = new Replica().declare("plain");
  private final long session = replica.open(600_000);

  @BeforeEach
  void declare() {
    replica.declare(session, "devices", TableSpec.columns());
    replica.declare(session, "macs", TableSpec.reference("devices"));
    replica.declare(session, "ips", TableSpec.reference("macs"));
    replica.declare(session, "groups", TableSpec.references("ips"));
    replica.declare(session, "names", TableSpec.references("plain"));
  }

  @Test
  void oneOperationReadsThroughSeveralTables() {
    put("ips", IP, MAC);
    put("macs", MAC, DEVICE);
    long version = put("devices", DEVICE, RowCodec.encode(ROW));
    assertThat(through("ips", IP))
        .isEqualTo(new Reply.Resolved(List.of(new Entry(DEVICE, RowCodec.encode(ROW), version))));
    Row port = Row.of(Map.of("port", Bytes.utf8("7")));
    assertThat(through("ips", IP, "port", "none"))
        .isEqualTo(new Reply.Resolved(List.of(new Entry(DEVICE, RowCodec.encode(port), version))));
    assertThat(through("ips", IP, "none"))
        .isEqualTo(
            new Reply.Resolved(
                List.of(new Entry(DEVICE, RowCodec.encode(Row.of(Map.of())), version))));
  }

  @Test
  void listsAreFollowedInTheirOrder() {
    long first = put("plain", MAC, IP);
    long second = put("plain", OTHER, IP);
    put("names", DEVICE, References.of(OTHER, Bytes.utf8("gone"), MAC, OTHER));
    assertThat(through("names", DEVICE))
        .isEqualTo(
            new Reply.Resolved(
                List.of(
                    new Entry(OTHER, IP, second),
                    new Entry(MAC, IP, first),
                    new Entry(OTHER, IP, second))));
    put("names", DEVICE, References.of());
    assertThat(through("names", DEVICE)).isEqualTo(new Reply.Resolved(List.of()));
  }

  @Test
  void referenceToNothingIsLeftOut() {
    put("groups", DEVICE, References.of(IP, OTHER));
    put("ips", IP, MAC);
    assertThat(through("groups", DEVICE)).isEqualTo(new Reply.Resolved(List.of()));
    put("macs", MAC, DEVICE);
    assertThat(through("groups", DEVICE)).isEqualTo(new Reply.Resolved(List.of()));
    put("devices", DEVICE, RowCodec.encode(ROW));
    assertThat(((Reply.Resolved) through("groups", DEVICE)).entries()).hasSize(1);
    assertThat(through("groups", IP)).isEqualTo(new Reply.Absent());
  }

  @Test
  void valuesAreWhatTheKindAsksFor() {
    Bytes tooLong = Bytes.wrap(new byte[Limits.KEY_BYTES + 1]);
    assertThat(run(new Command.Put("ips", IP, tooLong)))
        .matches(
            reply ->
                isRejected(
                    reply,
                    Reason.OUT_OF_BOUNDS,
                    "a value of table \"ips\" is a key: it is at most 1024 bytes, not 1025"));
    assertThat(run(new Command.Put("groups", IP, MAC)))
        .matches(
            reply ->
                isRejected(
                    reply, Reason.OUT_OF_BOUNDS, "a value of table \"groups\" is a list of keys"));
    assertThat(run(new Command.Increment("ips", IP, 1)))
        .matches(reply -> isRejected(reply, Reason.WRONG_KIND, "Increment does not fit"));
  }

  @Test
  void onlyReferenceTablesLeadSomewhere() {
    assertThat(through("plain", IP))
        .matches(
            reply ->
                isRejected(
                    reply,
                    Reason.WRONG_KIND,
                    "GetThrough does not fit table \"plain\" of kind VALUES"));
    assertThat(through("none", IP))
        .matches(reply -> isRejected(reply, Reason.UNKNOWN_TABLE, "\"none\""));
    put("names", DEVICE, References.of(MAC));
    assertThat(through("names", DEVICE, "port"))
        .matches(
            reply ->
                isRejected(
                    reply,
                    Reason.WRONG_KIND,
                    "GetThrough of columns does not fit table \"plain\" of kind VALUES"));
  }

  @Test
  void whatReferencesLeadToIsBounded() {
    List<Bytes> many = new ArrayList<>();
    for (int i = 0; i < Limits.RANGE_ENTRIES; i++) {
      many.add(Counters.bytesOf(i));
    }
    put("groups", DEVICE, References.encode(many));
    assertThat(through("groups", DEVICE)).isEqualTo(new Reply.Resolved(List.of()));
    put("ips", Counters.bytesOf(0), MAC);
    assertThat(through("groups", DEVICE))
        .matches(
            reply ->
                isRejected(
                    reply,
                    Reason.OUT_OF_BOUNDS,
                    "of table \"groups\" leads to more than 10000 references"));
    put("plain", MAC, Bytes.wrap(new byte[Limits.VALUE_BYTES]));
    put("names", DEVICE, References.of(MAC, MAC));
    assertThat(through("names", DEVICE))
        .matches(reply -> isRejected(reply, Reason.OUT_OF_BOUNDS, "more than 1048576 bytes"));
    put("names", DEVICE, References.of(MAC));
    assertThat(through("names", DEVICE)).isInstanceOf(Reply.Resolved.class);
  }

  private long put(String table, Bytes key, Bytes value) {
    assertThat(run(new Command.Put(table, key, value))).isInstanceOf(Reply.Applied.class);
    return replica.machine.index();
  }

  private Reply through(String table, Bytes key, String... columns) {
    return run(new Command.GetThrough(table, key, List.of(columns)));
  }

  private Reply run(Command command) {
    return replica.run(session, command);
  }
}
