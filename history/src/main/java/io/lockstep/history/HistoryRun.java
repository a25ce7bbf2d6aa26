package io.lockstep.history;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.history.file.HistoryWriter;
import io.lockstep.history.load.KeyRing;
import io.lockstep.history.load.LineBudget;
import io.lockstep.history.load.LoadClient;
import io.lockstep.history.load.Pace;
import io.lockstep.history.load.Progress;
import io.lockstep.history.load.Recorder;
import io.lockstep.history.load.Tables;
import io.lockstep.history.load.WriteStalls;
import io.lockstep.history.mixed.file.MixedWriter;
import io.lockstep.history.mixed.load.MixedLoad;
import io.lockstep.history.mixed.load.MixedTables;
import io.lockstep.history.mixed.load.StepRecorder;
import io.lockstep.history.nemesis.Cluster;
import io.lockstep.history.nemesis.Disks;
import io.lockstep.history.nemesis.FaultKind;
import io.lockstep.history.nemesis.FaultRecord;
import io.lockstep.history.nemesis.Halts;
import io.lockstep.history.nemesis.Hang;
import io.lockstep.history.nemesis.NamespaceNetwork;
import io.lockstep.history.nemesis.Nemesis;
import io.lockstep.history.nemesis.Nemesis.HangException;
import io.lockstep.history.nemesis.Network;
import io.lockstep.history.nemesis.RelayNetwork;
import io.lockstep.history.watch.WatchCheck;
import io.lockstep.history.watch.Watcher;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ChangeFeed;
import io.lockstep.store.core.Limits;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run: the load, the faults, the end, and what everybody saw. Its methods block. */
final class HistoryRun {
  private static final int SESSIONS = 4;
  private static final int CLIENTS_PER_SESSION = 20;
  private static final int REGISTERS = 20;
  private static final int COUNTERS = 8;
  private static final int START_MILLIS = 90_000;
  private static final int STOP_SECONDS = 60;
  private static final int WATCH_SECONDS = 60;
  private static final int[] DEADLINE_MILLIS = {2_000, 4_000, 6_000, 10_000};
  private static final long[] POLL_MILLIS = {20, 1_000, 60_000};

  private record Watch(BatchingStoreClient client, ChangeFeed feed, Watcher watcher) {}

  private final RunPlan plan;
  private final PrintWriter out;
  private final WriteStalls stalls = new WriteStalls();
  private final LineBudget lines = new LineBudget(RunPlan.MAX_LINES);
  private final KeyRing keys = new KeyRing(REGISTERS, COUNTERS, KeyRing.MAX_OPERATIONS, lines);
  private final List<LoadClient> clients = new ArrayList<>();
  private final List<Watch> watches = new ArrayList<>();
  private final long beginNanos = System.nanoTime();
  private final HeapUse heap = new HeapUse();
  private List<FaultRecord> faults = List.of();
  private @Nullable Audit audit;
  private @Nullable Hang hang;
  private List<Halts.Halt> halts = List.of();
  private String network = "";
  private String diskFault = "";

  HistoryRun(RunPlan plan, PrintWriter out) {
    this.plan = plan;
    this.out = out;
  }

  private long runNanos() {
    return System.nanoTime() - beginNanos;
  }

  /**
   * Runs; afterwards {@code history.jsonl} and {@code faults.jsonl} are there, and {@code hang.txt}
   * where it hung.
   */
  void run() throws BenchException, IOException, InterruptedException {
    Path replicas = Files.createDirectories(plan.out().resolve("replicas")).toAbsolutePath();
    try (HistoryWriter writer = new HistoryWriter(history());
        MixedWriter mixedWriter = new MixedWriter(mixed());
        Cluster cluster = cluster(replicas);
        Sessions sessions = new Sessions(cluster)) {
      if (cluster.awaitHealthy(START_MILLIS) < 0) {
        throw new BenchException(
            "the replicas do not start: "
                + String.join("; ", cluster.describe())
                + " (logs: "
                + replicas
                + ")");
      }
      Recorder recorder = new Recorder(writer, stalls, this::runNanos);
      BatchingStoreClient setup = sessions.open("setup", DEADLINE_MILLIS[0]);
      Tables.declare(setup);
      Tables.declare(setup, MixedTables.ALL);
      startWatches(sessions);
      startClients(sessions, recorder);
      MixedLoad mixed = startMixed(sessions, mixedWriter);
      Nemesis nemesis = nemesis(cluster, mixed);
      try {
        load(nemesis, cluster);
        stopClients(cluster, mixed);
        audit(cluster, sessions, recorder);
        mixed.audit(setup);
        lookAtHeaps(cluster, true);
      } catch (HangException e) {
        hang = e.hang();
        Path report = plan.out().resolve(HangReport.FILE);
        cluster.printStacks();
        HangReport.write(report, e);
        out.println("HANG: " + hang + "; where everything stands: " + report);
      }
      faults = nemesis.records();
      halts = cluster.halts();
    }
    ObjectMapper json = new ObjectMapper();
    List<String> lines = new ArrayList<>();
    for (FaultRecord fault : faults) {
      lines.add(json.writeValueAsString(fault));
    }
    Files.write(plan.out().resolve("faults.jsonl"), lines);
  }

  private Cluster cluster(Path replicas) throws IOException, InterruptedException {
    boolean fails = plan.faults().contains(FaultKind.DISK);
    Network between =
        plan.namespaces().isEmpty()
            ? new RelayNetwork(plan.seed())
            : new NamespaceNetwork(plan.namespaces());
    network = between.label();
    Disks disks = new Disks(plan.durable() ? data() : null, fails, plan.diskFault());
    diskFault = disks.label();
    return new Cluster(replicas, between, disks, plan.breakage(), plan.faults());
  }

  private void startWatches(Sessions sessions) {
    for (int i = 0; i < POLL_MILLIS.length; i++) {
      BatchingStoreClient client = sessions.open("watcher " + i, DEADLINE_MILLIS[0]);
      Watcher watcher = new Watcher(i + ", asking every " + POLL_MILLIS[i] + " ms");
      ChangeFeed feed = new ChangeFeed(client, client.loop(), Tables.ALL, POLL_MILLIS[i], watcher);
      watches.add(new Watch(client, feed, watcher));
      feed.start();
    }
  }

  private void startClients(Sessions sessions, Recorder recorder) {
    Pace pace = new Pace(System::nanoTime, plan.perSecond(), lines);
    Random random = new Random(plan.seed());
    for (int i = 0; i < SESSIONS; i++) {
      BatchingStoreClient client = sessions.open("clients " + i, DEADLINE_MILLIS[i]);
      for (int j = 0; j < CLIENTS_PER_SESSION; j++) {
        String name = Integer.toString(clients.size());
        clients.add(
            new LoadClient(name, client, keys, pace, recorder, new Random(random.nextLong())));
      }
    }
    clients.forEach(LoadClient::start);
  }

  private MixedLoad startMixed(Sessions sessions, MixedWriter writer) {
    int most = plan.mixedLines();
    Pace pace = new Pace(System::nanoTime, plan.mixedPerSecond(), new LineBudget(most));
    MixedLoad mixed =
        new MixedLoad(
            new StepRecorder(writer, this::runNanos, most),
            (owner, timeToLiveMillis, way) ->
                sessions.open(owner, DEADLINE_MILLIS[1], timeToLiveMillis, way),
            Sessions.TIME_TO_LIVE_MILLIS,
            Limits.VALUE_BYTES,
            pace::take,
            new Random(plan.seed() + 1));
    mixed.start();
    return mixed;
  }

  private Nemesis nemesis(Cluster cluster, MixedLoad mixed) {
    List<Progress> all = new ArrayList<>(clients);
    all.addAll(mixed.clients());
    return new Nemesis(
        cluster,
        plan.faults(),
        all,
        stalls,
        this::runNanos,
        new Random(~plan.seed()),
        plan.patienceMillis(),
        out,
        () -> lookAtHeaps(cluster, heap.isDue(runNanos())));
  }

  /** All is well, so a replica that does not answer hangs. */
  private void lookAtHeaps(Cluster cluster, boolean due)
      throws InterruptedException, HangException {
    if (!due) {
      return;
    }
    try {
      heap.look(cluster, runNanos());
    } catch (IOException e) {
      out.println(e.getMessage());
      throw new HangException(cluster.hang("all replicas say what is alive", "all was well", 0));
    }
  }

  private void load(Nemesis nemesis, Cluster cluster)
      throws IOException, InterruptedException, HangException {
    nemesis.awaitAllWell("the start", 0);
    lookAtHeaps(cluster, true);
    long end = runNanos() + TimeUnit.SECONDS.toNanos(plan.seconds());
    if (plan.faults().isEmpty()) {
      TimeUnit.SECONDS.sleep(plan.seconds());
    } else {
      nemesis.run(end, plan.mostFaults());
    }
    nemesis.awaitAllWell("the end", runNanos());
  }

  private void stopClients(Cluster cluster, MixedLoad mixed)
      throws InterruptedException, HangException {
    clients.forEach(LoadClient::stop);
    mixed.stop();
    List<Progress> all = new ArrayList<>(clients);
    all.addAll(mixed.all());
    for (Progress client : all) {
      await(cluster, client.ended(), "client " + client.name() + " comes to its end");
    }
  }

  private static void await(Cluster cluster, CompletableFuture<?> future, String what)
      throws InterruptedException, HangException {
    try {
      future.get(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(what, e.getCause());
    } catch (TimeoutException e) {
      throw hang(cluster, what, STOP_SECONDS);
    }
  }

  private static HangException hang(Cluster cluster, String what, int seconds)
      throws InterruptedException {
    long millis = TimeUnit.SECONDS.toMillis(seconds);
    return new HangException(cluster.hang(what, "the end of the load", millis));
  }

  private void audit(Cluster cluster, Sessions sessions, Recorder recorder)
      throws BenchException, InterruptedException, HangException {
    Audit reading = new Audit(sessions.open("audit", DEADLINE_MILLIS[1]));
    reading.read(Integer.toString(clients.size()), keys, recorder);
    audit = reading;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WATCH_SECONDS);
    for (Watch watch : watches) {
      while (watch.feed().upToIndex() < reading.index()) {
        if (System.nanoTime() - deadline > 0) {
          String at = watch.feed().upToIndex() + " of " + reading.index();
          throw hang(cluster, "a watcher that stands at " + at + " catches up", WATCH_SECONDS);
        }
        watch.feed().poke();
        TimeUnit.MILLISECONDS.sleep(20);
      }
      // On its loop nothing comes after this, and what came before is to be seen here.
      await(
          cluster,
          CompletableFuture.runAsync(watch.feed()::close, watch.client().loop()),
          "the loop of a watcher answers");
    }
  }

  private Path data() {
    return plan.out().resolve("data").toAbsolutePath();
  }

  /** Removes what the replicas kept. */
  void removeData() throws IOException {
    if (plan.durable()) {
      try (Stream<Path> walk = Files.walk(data())) {
        for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }

  Path history() {
    return plan.out().resolve("history.jsonl");
  }

  Path mixed() {
    return plan.out().resolve("mixed.jsonl");
  }

  /** What watchers saw wrongly. */
  List<String> watchComplaints(FileCheck.Checked checked) {
    List<String> complaints = new ArrayList<>();
    if (audit != null) {
      WatchCheck check = new WatchCheck(checked.operations());
      for (Watch watch : watches) {
        complaints.addAll(check.complaints(watch.watcher(), audit.versions()));
      }
    }
    return complaints;
  }

  /** Acknowledged writes that were not there at the end. */
  long lost(FileCheck.Checked checked) {
    return audit == null ? 0 : audit.lost(checked.operations());
  }

  List<FaultRecord> faults() {
    return faults;
  }

  @Nullable Hang hang() {
    return hang;
  }

  List<Halts.Halt> halts() {
    return halts;
  }

  /** What was alive on the replicas' heaps. */
  HeapUse heap() {
    return heap;
  }

  /** How partitions were made. */
  String network() {
    return network;
  }

  /** How a disk was made to fail. */
  String diskFault() {
    return diskFault;
  }

  long watched() {
    return watches.stream().mapToLong(watch -> watch.watcher().size()).sum();
  }

  int watchSnapshots() {
    return watches.stream().mapToInt(watch -> watch.watcher().snapshots()).sum();
  }
}
