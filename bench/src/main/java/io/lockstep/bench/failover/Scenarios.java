package io.lockstep.bench.failover;

import io.lockstep.bench.failover.SteadyLoad.Interval;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The events, on servers that run and are at rest. Used by one thread. */
final class Scenarios implements AutoCloseable {
  private static final String TABLE = "bench.failover";
  private static final int CALM_SECONDS = 60;
  private static final int KEYS = 10_000;
  private static final int ENTRY_BYTES = 100;
  private static final long RECOVERY_MILLIS = 120_000;
  private static final long AFTER_KILL_MILLIS = 2_500;
  private static final long SETTLE_MILLIS = 1_500;

  /** Where a point goes as soon as it is measured. */
  interface Points {
    void accept(FailoverPoint point) throws BenchException;
  }

  private final StoreServers servers;
  private final int inFlight;
  private final Points points;
  private final BatchingStoreClient client;
  private final StolenTime stolen = StolenTime.ofThisMachine();

  Scenarios(StoreServers servers, int inFlight, Points points) {
    this.servers = servers;
    this.inFlight = inFlight;
    this.points = points;
    ClientConfig usual = ClientConfig.of(StoreServers.CLUSTER, servers.members(), 0);
    this.client =
        BatchingStoreClient.open(
            BftSmartClient.connect(usual),
            ClientOptions.of("failover").withTables(Map.of(TABLE, TableSpec.values())),
            System::nanoTime,
            new SecureRandom()::nextLong);
  }

  /** The table's entries that stay. */
  FilledTable filling() {
    return new FilledTable(client, TABLE, ENTRY_BYTES);
  }

  /** Writes to further keys of the table. */
  SteadyLoad load() {
    return new SteadyLoad(client, TABLE, KEYS);
  }

  /** How a replica ends while others go on, and which. */
  enum End {
    /** The leader is killed. */
    LEADER,
    /** Another than the leader is killed. */
    FOLLOWER,
    /** The leader stops in order. */
    STOP
  }

  /** Ends a replica again and again under load; each comes back before the next. */
  void ends(End end, int first, int runs) throws BenchException, InterruptedException, IOException {
    SteadyLoad load = load();
    load.start(inFlight);
    for (int run = first; run <= runs; run++) {
      Thread.sleep(SETTLE_MILLIS);
      int leader = awaitLeader();
      int victim = end == End.FOLLOWER ? (leader + 1 + run % 2) % servers.count() : leader;
      long regency = servers.regency();
      load.look();
      Thread.sleep(AFTER_KILL_MILLIS);
      double usual = load.look().longestMillis();
      begin(load);
      if (end == End.STOP) {
        servers.stop(victim);
      } else {
        servers.kill(victim);
      }
      Thread.sleep(AFTER_KILL_MILLIS);
      awaitAcknowledged(load);
      Interval seen = load.look();
      long changes = servers.regency() - regency;
      long restartNanos = System.nanoTime();
      servers.start(victim);
      double back = servers.awaitOperational(victim, restartNanos, RECOVERY_MILLIS);
      String scenario = end.name().toLowerCase(Locale.ROOT);
      points.accept(point(scenario, run, seen, usual, back, changes));
    }
    load.stop();
  }

  /** Load and nothing else: no leader may change. A point for each minute. */
  void calm(int first, int seconds) throws BenchException, InterruptedException {
    SteadyLoad load = load();
    load.start(inFlight);
    Thread.sleep(SETTLE_MILLIS);
    awaitLeader();
    long regency = servers.regency();
    begin(load);
    for (int run = first; run <= calmPoints(seconds); run++) {
      TimeUnit.SECONDS.sleep(Math.min(CALM_SECONDS, seconds - CALM_SECONDS * (run - 1)));
      Interval seen = load.look();
      points.accept(point("calm", run, seen, 0, 0, servers.regency() - regency));
      regency = servers.regency();
    }
    load.stop();
  }

  /** How many points so many seconds of calm make. */
  static int calmPoints(int seconds) {
    return (seconds + CALM_SECONDS - 1) / CALM_SECONDS;
  }

  /** A follower loses its disk beside so much state, and is refilled under load. */
  void refill(int first, int runs, int megabytes)
      throws BenchException, InterruptedException, IOException {
    int entries = (int) ((long) megabytes * 1_000_000 / ENTRY_BYTES);
    filling().fill(entries);
    SteadyLoad load = load();
    load.start(inFlight);
    for (int run = first; run <= runs; run++) {
      Thread.sleep(SETTLE_MILLIS);
      int leader = awaitLeader();
      int victim = (leader + 1) % servers.count();
      long regency = servers.regency();
      begin(load);
      servers.kill(victim);
      servers.wipe(victim);
      long restartNanos = System.nanoTime();
      servers.start(victim);
      double back = servers.awaitOperational(victim, restartNanos, 10 * RECOVERY_MILLIS);
      points.accept(point("refill", run, load.look(), 0, back, servers.regency() - regency));
    }
    load.stop();
  }

  /** All are killed at once and started again. */
  void restart(int first, int runs, int entries)
      throws BenchException, InterruptedException, IOException {
    FilledTable filling = filling();
    filling.fill(entries);
    for (int run = first; run <= runs; run++) {
      stolen.begin();
      servers.killAll();
      long restartNanos = System.nanoTime();
      servers.startAll();
      filling.awaitWrite(RECOVERY_MILLIS);
      double back = (System.nanoTime() - restartNanos) / 1e6;
      filling.check(entries);
      servers.awaitAllOperational(RECOVERY_MILLIS);
      points.accept(
          new FailoverPoint("restart", run, back, 0, 0, stolen.percent(), back, 0, entries, 0, 0));
    }
  }

  private void begin(SteadyLoad load) throws BenchException, InterruptedException {
    load.look();
    stolen.begin();
  }

  /** A stall that lasts longer than the usual wait is measured to its end. */
  private static void awaitAcknowledged(SteadyLoad load)
      throws BenchException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RECOVERY_MILLIS);
    while (!load.acknowledged()) {
      if (System.nanoTime() - deadline > 0) {
        throw new BenchException("no write within " + RECOVERY_MILLIS + " ms after a kill");
      }
      Thread.sleep(50);
    }
  }

  private int awaitLeader() throws BenchException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RECOVERY_MILLIS);
    while (System.nanoTime() - deadline < 0) {
      int leader = servers.leader();
      if (leader >= 0) {
        return leader;
      }
      Thread.sleep(50);
    }
    throw new BenchException("no leader within " + RECOVERY_MILLIS + " ms");
  }

  private FailoverPoint point(
      String scenario,
      int run,
      Interval seen,
      double usualMillis,
      double backMillis,
      long leaderChanges)
      throws BenchException {
    return new FailoverPoint(
        scenario,
        run,
        seen.longestMillis(),
        usualMillis,
        seen.fromMillis(),
        stolen.percent(),
        backMillis,
        leaderChanges,
        seen.acknowledged(),
        seen.unknown(),
        seen.refused());
  }

  /** The longest stall and its neighbours, for each scenario. */
  static List<String> summary(List<FailoverPoint> points) {
    List<String> lines = new ArrayList<>();
    for (String scenario : points.stream().map(FailoverPoint::scenario).distinct().toList()) {
      List<FailoverPoint> ofIt =
          points.stream().filter(point -> point.scenario().equals(scenario)).toList();
      double[] stalls = ofIt.stream().mapToDouble(FailoverPoint::stallMillis).sorted().toArray();
      double[] usual = ofIt.stream().mapToDouble(FailoverPoint::usualMillis).sorted().toArray();
      String line =
          String.format(
              "%-8s %3d runs: longest write stall %.1f ms, median %.1f ms",
              scenario, stalls.length, stalls[stalls.length - 1], stalls[stalls.length / 2]);
      boolean looked = usual[0] > 0;
      lines.add(
          looked
              ? String.format(
                  "%s; just before: %.1f ms, %.1f ms",
                  line, usual[usual.length - 1], usual[usual.length / 2])
              : line);
    }
    return lines;
  }

  @Override
  public void close() {
    client.close();
  }
}
