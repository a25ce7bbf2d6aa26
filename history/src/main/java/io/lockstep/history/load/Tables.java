package io.lockstep.history.load;

import io.lockstep.bench.runs.BenchException;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.TableSpec;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The tables of a run. */
public final class Tables {
  /** Texts under keys that many clients write. */
  public static final String REGISTERS = "registers";

  /** Numbers that many clients increment. */
  public static final String COUNTERS = "counters";

  /** Every key is written once and stays, so that each write can be looked up at the end. */
  public static final String LEDGER = "ledger";

  /** All of them. */
  public static final List<String> ALL = List.of(COUNTERS, LEDGER, REGISTERS);

  private static final int PATIENCE_SECONDS = 60;

  private Tables() {}

  /** Declares them; blocks. */
  public static void declare(StoreClient client) throws BenchException, InterruptedException {
    declare(client, ALL);
  }

  /** Declares tables of values; blocks. */
  public static void declare(StoreClient client, List<String> tables)
      throws BenchException, InterruptedException {
    for (String table : tables) {
      declare(client, new Command.CreateTable(table, TableSpec.values()));
    }
  }

  private static void declare(StoreClient client, Command command)
      throws BenchException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    Reply reply;
    do {
      try {
        reply = client.submit(command).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        throw new IllegalStateException("a reply is always a value", e.getCause());
      } catch (TimeoutException e) {
        throw new BenchException("the client gave no answer to " + command, e);
      }
      if (reply instanceof Reply.Applied) {
        return;
      }
    } while (System.nanoTime() - deadline < 0);
    throw new BenchException(command + " was answered with " + reply);
  }
}
