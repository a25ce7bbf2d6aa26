package io.lockstep.store.codec;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One of every command and of every reply. */
final class Samples {
  static final Bytes KEY = Bytes.copyOf((byte) 0x00, (byte) 0xff);
  static final Bytes VALUE = Bytes.utf8("value");

  static final Row ROW =
      Row.of(Map.of("port", VALUE, "vlan", Bytes.empty(), "\u00e4", KEY, "\ud83d\ude00", KEY));

  static final List<Command> COMMANDS =
      List.of(
          new Command.Get("hosts", KEY),
          new Command.Put("hosts", KEY, VALUE),
          new Command.PutIfAbsent("hosts", KEY, Bytes.empty()),
          new Command.Replace("hosts", KEY, 300, VALUE),
          new Command.Remove("hosts", KEY),
          new Command.RemoveVersion("hosts", KEY, -1),
          new Command.Scan("hosts", Bytes.empty(), KEY, 10),
          new Command.Scan("hosts", KEY, null, -10),
          new Command.Increment("hosts", KEY, Long.MIN_VALUE),
          new Command.Call("swap.it", VALUE),
          new Command.Query("look.at", VALUE),
          new Command.ReadChanges(List.of("hosts", "sys.sessions"), Long.MAX_VALUE, 7),
          new Command.OpenSession(-1, "Knoten 1 \u00e4\ud83d\ude00", 3_000),
          new Command.KeepAlive(),
          new Command.CloseSession(42),
          new Command.CreateTable("hosts", TableSpec.columns()),
          new Command.CreateTable("ips", TableSpec.reference("hosts")),
          new Command.GetThrough("ips", KEY, List.of()),
          new Command.GetThrough("ips", KEY, List.of("port", "vlan")),
          new Command.GetColumns("hosts", KEY, List.of("port")),
          new Command.PutColumns("hosts", KEY, ROW),
          new Command.ReplaceColumns("hosts", KEY, 300, ROW),
          new Command.RemoveColumns("hosts", KEY, List.of()),
          new Command.Batch(
              List.of(new Command.Guard("ips", KEY, 0), new Command.Guard("hosts", KEY, 300)),
              List.of(
                  new Command.Put("ips", KEY, VALUE),
                  new Command.PutColumns("hosts", KEY, Row.of(Map.of())),
                  new Command.Scan("hosts", KEY, null, 1))),
          new Command.Batch(List.of(), List.of()));

  static final List<Reply> REPLIES =
      List.of(
          new Reply.Found(VALUE, 300),
          new Reply.Absent(),
          new Reply.Applied(Long.MAX_VALUE),
          new Reply.Conflict(Bytes.empty(), 1),
          new Reply.Entries(List.of(new Entry(KEY, VALUE, 3), new Entry(VALUE, KEY, 4)), true),
          new Reply.Entries(List.of(), false),
          new Reply.Counter(-5, 6),
          new Reply.Returned(VALUE),
          new Reply.Changes(
              List.of(new Change(7, "hosts", KEY, VALUE), new Change(7, "ports", KEY, null)), 9),
          new Reply.Compacted(70_000),
          new Reply.SessionOpened(12),
          new Reply.Rejected(Reply.Reason.OUT_OF_BOUNDS, "too long"),
          new Reply.Rejected(Reply.Reason.UNKNOWN_COMPONENT, "swap"),
          new Reply.Rejected(Reply.Reason.COMPONENT_REFUSED, "no"),
          new Reply.Rejected(Reply.Reason.SESSION_ENDED, "over"),
          new Reply.Rejected(Reply.Reason.NOT_SENT, ""),
          new Reply.Rejected(Reply.Reason.UNKNOWN_TABLE, "declare it"),
          new Reply.Rejected(Reply.Reason.WRONG_KIND, "a row"),
          new Reply.Unknown("no answer"),
          new Reply.Resolved(List.of(new Entry(KEY, VALUE, 3))),
          new Reply.Columns(ROW, 300),
          new Reply.Columns(Row.of(Map.of()), 1),
          new Reply.Batched(List.of(new Reply.Applied(9), new Reply.Columns(ROW, 8)), 9),
          new Reply.Batched(List.of(), 9),
          new Reply.BatchRefused(3, new Reply.Conflict(VALUE, 300)));

  private Samples() {}

  static Request request() {
    List<Request.Operation> operations = new ArrayList<>();
    for (Command command : COMMANDS) {
      operations.add(new Request.Operation(1_000 + operations.size(), command));
    }
    return new Request(0x0102030405060708L, 999, operations);
  }

  static Response response() {
    return new Response(Response.Status.SESSION_ENDED, "session 5 is not open", REPLIES);
  }
}
