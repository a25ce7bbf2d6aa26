package io.lockstep.history.nemesis;

import io.lockstep.history.load.Progress;
import io.lockstep.history.load.WriteStalls;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Makes replicas fail, one fault after the other and now and then two at once, and waits after each
 * until all is well. Used by one thread, which sleeps between its deeds.
 */
public final class Nemesis {
  /** All replicas usually have to take part again within this after a fault has ended. */
  public static final int HEALTHY_MILLIS = 90_000;

  /** Every client must have an answer within this once they do. */
  public static final int ANSWER_MILLIS = 30_000;

  private static final int BESIDE_PERCENT = 25;
  private static final int LOOK_MILLIS = 20;
  private static final long LONG_NANOS = 20_000_000_000L;

  /** Time that is kept for each kind of fault that has not come yet. */
  private static final long KIND_NANOS = 14_000_000_000L;

  private final Cluster cluster;
  private final FaultDrawer drawer;
  private final List<? extends Progress> clients;
  private final WriteStalls stalls;
  private final LongSupplier runNanos;
  private final Random random;
  private final int patienceMillis;
  private final PrintWriter out;
  private final Calm calm;
  private final List<FaultRecord> records = new ArrayList<>();

  /**
   * A nemesis.
   *
   * @param runNanos nanoseconds since the run began
   * @param patienceMillis within which all replicas must take part again after a fault
   * @param calm is run after each fault, when all is well
   */
  public Nemesis(
      Cluster cluster,
      Set<FaultKind> kinds,
      List<? extends Progress> clients,
      WriteStalls stalls,
      LongSupplier runNanos,
      Random random,
      int patienceMillis,
      PrintWriter out,
      Calm calm) {
    this.cluster = cluster;
    this.drawer = new FaultDrawer(cluster, kinds, new Random(random.nextLong()));
    this.clients = clients;
    this.stalls = stalls;
    this.runNanos = runNanos;
    this.random = random;
    this.patienceMillis = patienceMillis;
    this.out = out;
    this.calm = calm;
  }

  /** What is to be done between two faults, when all is well. */
  public interface Calm {
    /** Does it. */
    void run() throws InterruptedException, HangException;
  }

  /** Something did not come back in time. */
  public static final class HangException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Hang hang;

    /** It. */
    public HangException(Hang hang) {
      super(hang.toString());
      this.hang = hang;
    }

    /** What did not. */
    public Hang hang() {
      return hang;
    }
  }

  /** What took place so far. */
  public List<FaultRecord> records() {
    return List.copyOf(records);
  }

  /**
   * Goes on until the run's clock shows {@code untilNanos}, or there were so many faults, or no
   * client is left; a fault begun before is ended.
   *
   * @param mostFaults those beside others not counted
   * @throws HangException where replicas or clients do not come back
   */
  public void run(long untilNanos, int mostFaults)
      throws IOException, InterruptedException, HangException {
    for (int i = 0; i < mostFaults && runNanos.getAsLong() < untilNanos && !loadIsOver(); i++) {
      pause(300 + random.nextInt(1_500), untilNanos);
      if (runNanos.getAsLong() < untilNanos) {
        strike(untilNanos);
      }
    }
    if (loadIsOver()) {
      out.println("the history is full: the load has ended before its time");
    }
  }

  /** Clients end by themselves when the history is full. */
  private boolean loadIsOver() {
    return clients.stream().allMatch(client -> client.ended().isDone());
  }

  private void pause(long millis, long untilNanos) throws InterruptedException {
    long left = TimeUnit.NANOSECONDS.toMillis(untilNanos - runNanos.getAsLong());
    TimeUnit.MILLISECONDS.sleep(Math.max(0, Math.min(millis, left)));
  }

  /**
   * Mostly short. Where there is time for all kinds of faults, sometimes longer than every time-out
   * of the replicas; and longer than the patience of some clients where nothing can be answered.
   */
  private long duration(Fault fault, long untilNanos, Random own) {
    long left = untilNanos - runNanos.getAsLong();
    boolean time = left > LONG_NANOS + drawer.missing() * KIND_NANOS;
    if (time && fault.stopsAll()) {
      return 4_000L + own.nextInt(6_000);
    }
    return time && own.nextInt(5) == 0 ? 3_000 + own.nextInt(6_000) : 100 + own.nextInt(2_500);
  }

  private void strike(long untilNanos) throws IOException, InterruptedException, HangException {
    boolean hasBeside = random.nextInt(100) < BESIDE_PERCENT;
    boolean firstEndsFirst = random.nextBoolean();
    // How many numbers a duration takes depends on time, which must not change the next fault.
    Random durations = new Random(random.nextLong());
    Fault first = drawer.draw();
    stalls.begin();
    long firstStart = runNanos.getAsLong();
    first.begin().run();
    pause(duration(first, untilNanos, durations), untilNanos);
    List<Fault> beside = hasBeside ? drawer.drawBeside(first) : List.of();
    long secondStart = runNanos.getAsLong();
    for (Fault second : beside) {
      second.begin().run();
      pause(duration(second, untilNanos, durations), untilNanos);
    }
    if (firstEndsFirst) {
      first.end().run();
    }
    for (Fault second : beside) {
      second.end().run();
    }
    if (!firstEndsFirst) {
      first.end().run();
    }
    long end = runNanos.getAsLong();
    String other = beside.isEmpty() ? "" : beside.get(0).toString();
    awaitAllWell(first + (other.isEmpty() ? "" : " with " + other), end);
    record(first, other, firstStart, end);
    for (Fault second : beside) {
      record(second, first.toString(), secondStart, end);
    }
    calm.run();
  }

  private void record(Fault fault, String beside, long start, long end) {
    long now = runNanos.getAsLong();
    long stallMillis = TimeUnit.NANOSECONDS.toMillis(stalls.longestNanos(now));
    records.add(
        new FaultRecord(
            fault.kind().label(), fault.detail(), beside, start, end, now, stallMillis));
    out.printf(
        "%8.1f s  %-9s %s%s: %.1f s, all well %.1f s later, longest write stall %.1f s%n",
        start / 1e9,
        fault.kind().label(),
        fault.detail(),
        beside.isEmpty() ? "" : " (beside " + beside + ")",
        (end - start) / 1e9,
        (now - end) / 1e9,
        stallMillis / 1e3);
    out.flush();
  }

  /**
   * Waits until all replicas take part and all clients have had an answer since, or are at their
   * end.
   *
   * @param after what came before
   * @throws HangException where they do not in time
   */
  public void awaitAllWell(String after, long sinceNanos)
      throws IOException, InterruptedException, HangException {
    if (cluster.awaitHealthy(patienceMillis) < 0) {
      throw new HangException(cluster.hang("all replicas take part", after, patienceMillis));
    }
    long deadline = runNanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(ANSWER_MILLIS);
    for (Progress client : clients) {
      while (client.answeredNanos() < sinceNanos && !client.ended().isDone()) {
        if (runNanos.getAsLong() > deadline) {
          throw new HangException(
              cluster.hang("client " + client.name() + " has an answer", after, ANSWER_MILLIS));
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    }
  }
}
