package io.lockstep.history.mixed.load;

import io.lockstep.bench.runs.Callbacks;
import io.lockstep.history.load.Progress;
import io.lockstep.history.mixed.Step.Range;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.engine.OrderingClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All clients of the mixed load: some that share a session, and two for each lease with a session
 * each, one of which falls silent now and then for longer than its session lives. Used by one
 * thread.
 */
public final class MixedLoad {
  private static final int CLIENTS = 6;
  private static final int LEASES = 2;
  private static final int HOLDERS = 2;
  private static final int SILENT_MILLIS = 3_500;
  private static final int SPEAKING_MILLIS = 4_000;
  private static final int PATIENCE_SECONDS = 60;

  /** What a lease holder's session lives without a sign of life. */
  public static final int LEASE_MILLIS = 2_000;

  /** Opens store clients. */
  public interface Opener {
    /**
     * Opens one.
     *
     * @param way what lies between it and the network
     * @param timeToLiveMillis of its session
     */
    BatchingStoreClient open(String owner, int timeToLiveMillis, UnaryOperator<OrderingClient> way);
  }

  private final StepRecorder recorder;
  private final List<StepClient> clients = new ArrayList<>();
  private final List<StepClient> holders = new ArrayList<>();
  private volatile boolean stopping;

  /**
   * Clients that do nothing until {@link #start}.
   *
   * @param largestValueBytes that the store takes
   * @param pace whether one more step may be sent now; any thread
   */
  public MixedLoad(
      StepRecorder recorder,
      Opener opener,
      int usualTimeToLiveMillis,
      int largestValueBytes,
      BooleanSupplier pace,
      Random random) {
    this.recorder = recorder;
    BatchingStoreClient shared =
        opener.open("mixed clients", usualTimeToLiveMillis, UnaryOperator.identity());
    for (int i = 0; i < CLIENTS; i++) {
      String name = "m" + i;
      Script script = new MixedScript(name, largestValueBytes, new Random(random.nextLong()));
      clients.add(new StepClient(name, shared, script, recorder, pace));
    }
    for (int lease = 0; lease < LEASES; lease++) {
      for (int holder = 0; holder < HOLDERS; holder++) {
        holders.add(holder(lease, holder, opener, pace, new Random(random.nextLong())));
      }
    }
  }

  private StepClient holder(
      int lease, int holder, Opener opener, BooleanSupplier pace, Random random) {
    String name = "h" + lease + "." + holder;
    LateEngine[] way = new LateEngine[1];
    BatchingStoreClient client =
        opener.open(
            "holder " + name,
            LEASE_MILLIS,
            engine -> {
              way[0] = new LateEngine(engine);
              return way[0];
            });
    Script script = new LeaseScript(name, "lease" + lease, random);
    StepClient made = new StepClient(name, client, script, recorder, pace);
    if (holder > 0) {
      Callbacks.after(
          client.loop(), 0, () -> alternate(client.loop(), way[0], random, made::fail), made::fail);
    }
    return made;
  }

  /** Falls silent, and speaks again. On the loop. */
  private void alternate(
      ScheduledExecutorService loop, LateEngine way, Random random, Consumer<Throwable> failed) {
    if (way.isSilent() || stopping) {
      way.speak();
    } else {
      way.silence();
    }
    int least = way.isSilent() ? SILENT_MILLIS : SPEAKING_MILLIS;
    if (!stopping) {
      long millis = least / 2L + random.nextInt(least);
      Callbacks.after(loop, millis, () -> alternate(loop, way, random, failed), failed);
    }
  }

  /** Begins. */
  public void start() {
    clients.forEach(StepClient::start);
    holders.forEach(StepClient::start);
  }

  /** Ends after the steps at hand. */
  public void stop() {
    stopping = true;
    clients.forEach(StepClient::stop);
    holders.forEach(StepClient::stop);
  }

  /** Those who must have answers when all is well; holders that fall silent are not among them. */
  public List<Progress> clients() {
    return List.copyOf(clients);
  }

  /** All. */
  public List<Progress> all() {
    List<Progress> all = new ArrayList<>(clients);
    all.addAll(holders);
    return all;
  }

  /**
   * Reads all tables at the end, when nothing is written any more; blocks.
   *
   * @throws IOException where there is no answer within a minute
   */
  public void audit(BatchingStoreClient client) throws IOException, InterruptedException {
    for (String table : MixedTables.RECORDED) {
      Range left = new Range(table, "", null);
      while (left != null) {
        left = audit(client, left);
      }
    }
  }

  /** Reads a range; what is left of it, or null. */
  private @Nullable Range audit(BatchingStoreClient client, Range range)
      throws IOException, InterruptedException {
    Ask ask = Ask.scan(range);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      long startNanos = recorder.now();
      Reply reply = answer(client, ask);
      Range read = recorder.record("audit", ask, startNanos, reply).range();
      if (reply instanceof Reply.Entries entries) {
        String end = read == null ? null : read.to();
        return entries.more() && end != null ? new Range(range.table(), end, range.to()) : null;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("no answer at the end to a scan of " + range + ": " + reply);
      }
    }
  }

  private static Reply answer(BatchingStoreClient client, Ask ask)
      throws IOException, InterruptedException {
    try {
      return client.submit(ask.command()).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a reply is always a value", e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("the client gave no answer", e);
    }
  }
}
