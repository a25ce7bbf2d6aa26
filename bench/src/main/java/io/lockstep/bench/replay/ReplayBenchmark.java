package io.lockstep.bench.replay;

import io.lockstep.bench.compare.FlowPlan;
import io.lockstep.bench.compare.PaperTables;
import io.lockstep.bench.compare.Workloads;
import io.lockstep.bench.peers.LockstepAdapter;
import io.lockstep.bench.peers.LockstepAdapter.Connected;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The load of one point, in a virtual machine of its own: {@link #runs} flows or more, against a
 * cluster that runs already. One invocation is the whole measurement, so JMH's score is its time.
 * Rates and percentiles of single flows go into {@link #results}, since JMH has none for flows that
 * are many at a time on one thread.
 *
 * <p>The warm-up is no iteration of JMH's: it always has many flows, so that few flows at a time
 * are measured on compiled code, too.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // set up by the harness
public class ReplayBenchmark {
  private static final int WARM_UP_FLOWS = 64;
  private static final int PATIENCE_SECONDS = 60;

  /** The event. */
  @Param("ls-ucast")
  public String workload;

  /**
   * The column of the paper's tables; {@code cache} is followed by {@code best} or {@code worst}.
   */
  @Param("init")
  public String variant;

  /** {@link ReplayMode}, as it is labelled. */
  @Param("messages")
  public String mode;

  /** Whether the replicas have their state on disk; they run already. */
  @Param("false")
  public boolean durable;

  /** Flows at a time. */
  @Param("64")
  public int flows;

  /** Flows in all, at least. */
  @Param("50000")
  public long runs;

  /** Until then flows begin, whatever {@link #runs} says. */
  @Param("1")
  public long leastSeconds;

  /** After so many seconds no flow begins. */
  @Param("3600")
  public long mostSeconds;

  /** Load before the measurement. */
  @Param("5")
  public int warmUpSeconds;

  /** {@code HOST:PORT} of each replica, with commas. */
  @Param("127.0.0.1:20001,127.0.0.1:20003,127.0.0.1:20005")
  public String replicas;

  /** A file of recorded messages, empty for the paper's tables. */
  @Param("")
  public String trace;

  /** Where the result is appended. */
  @Param("replay.jsonl")
  public String results;

  private final ReplayCounts counts = new ReplayCounts();
  private ExecutorService thread;
  private Connected connected;
  private ReplayPlan plan;
  private long nextNumber;
  private @Nullable ReplayResult result;

  /** Connects, fills the tables, and loads. */
  @Setup(Level.Trial)
  public void start() throws BenchException, InterruptedException, IOException {
    thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread flowThread = new Thread(task, "flows");
              flowThread.setDaemon(true);
              return flowThread;
            });
    connected = LockstepAdapter.connect(Replicas.CLUSTER, Replicas.parse(replicas));
    plan = plan();
    plan.prepare();
    if (warmUpSeconds > 0) {
      int many = Math.max(flows, WARM_UP_FLOWS);
      long nanos = TimeUnit.SECONDS.toNanos(warmUpSeconds);
      run(new ReplayLoop.Limits(many, 0, nanos, nanos), warmUpSeconds);
    }
  }

  private ReplayPlan plan() throws BenchException, IOException {
    String column = variant.split(" ", -1)[0];
    boolean isBest = variant.endsWith(" " + ReplayPoint.BEST);
    boolean isWorst = variant.endsWith(" " + ReplayPoint.WORST);
    if (mode.equals(ReplayMode.LIVE.label())) {
      FlowPlan flow = isWorst ? Workloads.worstCase(workload) : Workloads.plan(workload, column);
      return new LiveReplay(connected.store(), flow, workload.startsWith("dm-"), counts);
    }
    List<List<Message>> events =
        trace.isEmpty()
            ? List.of(paperMessages(column, isBest))
            : RecordedMessages.read(Path.of(trace), workload);
    return new MessageReplay(connected.client(), events);
  }

  private List<Message> paperMessages(String column, boolean isBest) {
    return (isBest
            ? PaperTables.operationsInBestCase(workload)
            : PaperTables.operations(workload, column))
        .stream()
            .map(one -> new Message(one.isWrite(), one.requestBytes(), one.replyBytes()))
            .toList();
  }

  /** The measurement. */
  @Benchmark
  public ReplayResult replay() throws BenchException, InterruptedException {
    ReplayLoop.Limits limits =
        new ReplayLoop.Limits(
            flows,
            runs,
            TimeUnit.SECONDS.toNanos(Math.min(leastSeconds, mostSeconds)),
            TimeUnit.SECONDS.toNanos(mostSeconds));
    ReplayResult measured = run(limits, mostSeconds);
    result = measured;
    return measured;
  }

  private ReplayResult run(ReplayLoop.Limits limits, long seconds)
      throws BenchException, InterruptedException {
    counts.reset();
    ReplayLoop loop = new ReplayLoop(plan, counts, System::nanoTime, limits, nextNumber);
    try {
      ReplayResult measured = loop.start(thread).get(seconds + PATIENCE_SECONDS, TimeUnit.SECONDS);
      nextNumber = loop.nextNumber();
      return measured;
    } catch (ExecutionException e) {
      throw new BenchException("a flow failed: " + innermost(e).getMessage(), e);
    } catch (TimeoutException e) {
      throw new BenchException("flows did not end within " + seconds + " s", e);
    }
  }

  private static Throwable innermost(Throwable failure) {
    Throwable inner = failure;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }

  /** Appends the result. */
  @TearDown(Level.Trial)
  public void end() throws IOException {
    connected.store().close();
    thread.shutdown();
    if (result != null) {
      ReplayResults.append(Path.of(results), result);
    }
  }
}
