package io.lockstep.history;

import io.lockstep.bench.runs.BenchException;
import io.lockstep.history.check.Operation;
import io.lockstep.history.check.Operation.Result;
import io.lockstep.history.load.KeyRing;
import io.lockstep.history.load.Recorder;
import io.lockstep.history.load.Tables;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads everything back at the end, when all is well and nobody writes any more. Its methods block;
 * used by one thread.
 */
final class Audit {
  private static final int PAGE = 500;
  private static final int PATIENCE_SECONDS = 60;

  private final BatchingStoreClient client;
  private final Map<String, Long> versions = new HashMap<>();
  private final Map<String, String> values = new HashMap<>();
  private long index;

  Audit(BatchingStoreClient client) {
    this.client = client;
  }

  /** Reads every key that was under load, and records it; then all tables. */
  void read(String name, KeyRing keys, Recorder recorder)
      throws InterruptedException, BenchException {
    for (KeyRing.Slot slot : keys.all()) {
      Command get = new Command.Get(slot.table(), Bytes.utf8(slot.key()));
      long startNanos = recorder.now();
      recorder.record(name, get, startNanos, ask(get));
    }
    for (String table : Tables.ALL) {
      scan(table);
    }
    Reply now = ask(new Command.ReadChanges(Tables.ALL, Long.MAX_VALUE, 1));
    index = ((Reply.Changes) now).upToIndex();
  }

  private void scan(String table) throws InterruptedException, BenchException {
    Bytes from = Bytes.empty();
    boolean more = true;
    while (more) {
      Reply.Entries page = (Reply.Entries) ask(new Command.Scan(table, from, null, PAGE));
      for (Entry entry : page.entries()) {
        String name = table + "/" + entry.key().toUtf8();
        versions.put(name, entry.version());
        values.put(name, Recorder.text(table, entry.value()));
        byte[] key = entry.key().toArray();
        from = Bytes.wrap(Arrays.copyOf(key, key.length + 1));
      }
      more = page.more();
    }
  }

  /** Asks again until there is an answer. */
  private Reply ask(Command command) throws InterruptedException, BenchException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    Reply reply = new Reply.Unknown("not asked yet");
    while (System.nanoTime() - deadline < 0) {
      try {
        reply = client.submit(command).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        throw new IllegalStateException("a reply is always a value", e.getCause());
      } catch (TimeoutException e) {
        throw new BenchException("the client gave no answer", e);
      }
      boolean answered = !(reply instanceof Reply.Unknown || reply instanceof Reply.Rejected);
      if (answered) {
        return reply;
      }
      TimeUnit.MILLISECONDS.sleep(PAGE);
    }
    throw new BenchException(
        "no answer at the end within " + PATIENCE_SECONDS + " s: " + command + ": " + reply);
  }

  /** Everything up to this index was read. */
  long index() {
    return index;
  }

  /** The version of every entry, by table/key. */
  Map<String, Long> versions() {
    return versions;
  }

  /**
   * How many acknowledged writes are gone: those of the ledger that are not there as they were
   * written, and keys whose entry is older than an acknowledged write.
   *
   * @param operations of the whole run, this audit's reads included
   */
  long lost(List<Operation> operations) {
    Map<String, Operation> last = new HashMap<>();
    for (Operation operation : operations) {
      Result result = operation.result();
      if (operation.applied() && result != null) {
        last.merge(
            operation.table() + "/" + operation.key(),
            operation,
            (one, other) -> version(one) >= version(other) ? one : other);
      }
    }
    return last.entrySet().stream()
        .filter(entry -> isLost(entry.getKey(), entry.getValue()))
        .count();
  }

  private boolean isLost(String name, Operation newest) {
    Long version = versions.get(name);
    boolean ledger = newest.table().equals(Tables.LEDGER);
    if (ledger) {
      return version == null
          || version != version(newest)
          || !String.valueOf(newest.value()).equals(values.get(name));
    }
    // An absent entry can be the work of a remove whose answer got lost: the checker judges that.
    return version != null && version < version(newest);
  }

  private static long version(Operation operation) {
    Result result = operation.result();
    return result == null ? 0 : result.version();
  }
}
