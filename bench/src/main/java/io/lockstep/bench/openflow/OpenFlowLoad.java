package io.lockstep.bench.openflow;

import io.lockstep.bench.measure.Figures;
import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.openflow.FlowExchange.Flow;
import io.lockstep.bench.process.CpuMeter;
import io.lockstep.bench.process.CpuMeter.Reading;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The load generator: plays the switches of a {@link LoadPlan} against controllers. Its methods are
 * for one thread of the caller and block; all work is on one event loop.
 */
public final class OpenFlowLoad implements AutoCloseable {
  /** How often there is something to send. */
  public static final int TICK_MILLIS = 5;

  /** Turns after which a switch that reconnects does so again: half a second. */
  private static final int RECONNECT_TICKS = 100;

  private final LoadPlan plan;
  private final NioEventLoopGroup group =
      new NioEventLoopGroup(1, new DefaultThreadFactory("openflow-load", true));
  private final EventLoop loop = group.next();

  // Owned by the event loop.
  private final FlowExchange exchange;
  private final List<PlayedSwitch> switches = new ArrayList<>();
  private List<FlowCycle> flows;
  private @Nullable Phase phase;
  private @Nullable Injection injection;
  private @Nullable IntConsumer losing;
  private boolean reconnecting;
  private int ticks;
  private CompletableFuture<Void> phaseOver = new CompletableFuture<>();
  private @Nullable Throwable failure;
  private int xid;

  private OpenFlowLoad(LoadPlan plan) {
    this.plan = plan;
    this.exchange = new FlowExchange(plan);
    this.flows = ClosedLoop.cycles(plan);
  }

  /** Starts the switches; each connects to every controller and keeps trying. */
  public static OpenFlowLoad start(LoadPlan plan, List<InetSocketAddress> controllers) {
    OpenFlowLoad load = new OpenFlowLoad(plan);
    load.loop.execute(() -> load.begin(List.copyOf(controllers)));
    return load;
  }

  private void begin(List<InetSocketAddress> controllers) {
    Replies replies = new Replies();
    for (int i = 0; i < plan.switches(); i++) {
      PlayedSwitch played = new PlayedSwitch(plan, i, loop, replies);
      switches.add(played);
      controllers.forEach(played::connect);
    }
    loop.scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS)
        .addListener(this::ticksEnded);
  }

  /**
   * Waits until the controllers know every host.
   *
   * @return the milliseconds it took
   * @throws TimeoutException where they do not within {@code deadlineMillis}
   */
  public long learn(long deadlineMillis) throws InterruptedException, TimeoutException {
    long begin = System.nanoTime();
    Learning learning = new Learning(exchange, new Switches(), plan);
    try {
      run(learning, deadlineMillis);
    } catch (TimeoutException late) {
      int unknown = onLoop(learning::unknown);
      long heard = onLoop(() -> (int) switches.stream().filter(PlayedSwitch::isHeard).count());
      throw new TimeoutException(
          String.format(
              "after %d ms the controllers do not forward to %d of %d hosts; %d of %d switches have"
                  + " a controller that listens",
              deadlineMillis, unknown, plan.switches() * plan.hosts(), heard, plan.switches()));
    }
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
  }

  /**
   * Runs one point.
   *
   * @param inFlight flows outstanding, 1 to 65 536
   * @param cpu of the controllers
   */
  public LoadFigures measure(int inFlight, Schedule schedule, CpuMeter cpu)
      throws InterruptedException, TimeoutException {
    if (inFlight < 1 || inFlight > 1 << 16) {
      throw new IllegalArgumentException("1 to 65536 in flight, not " + inFlight);
    }
    LoadFigures.Counts before = onLoop(this::counts);
    ClosedLoop point =
        onLoop(
            () ->
                new ClosedLoop(
                    exchange, new Switches(), plan, flows, inFlight, schedule, System.nanoTime()));
    Future<Reading> begin = readAt(point.window().startNanos(), cpu);
    Future<Reading> end = readAt(point.window().endNanos(), cpu);
    long millis = (long) schedule.warmupMillis() + schedule.measureMillis();
    run(point, millis + 2L * schedule.deadlineMillis() + 10_000);
    LoadFigures.Counts after = onLoop(this::counts);
    Figures figures = onLoop(() -> point.window().figures(inFlight));
    CpuMeter.Use use = cpu.use(result(begin), result(end), figures.answered());
    return new LoadFigures(figures, onLoop(point::misdirected), after.since(before), use, null);
  }

  /** The members of each switch tell where they are, and which IP addresses they have. */
  public void announceMembers() {
    loop.execute(
        () -> {
          for (PlayedSwitch played : switches) {
            for (int member = 0; member < LoadPlan.MEMBERS; member++) {
              played.packetIn(member, -1, ++xid);
            }
            played.flush();
          }
        });
  }

  /** From now on hosts open connections to the virtual IP of their switch. */
  public void connectToVirtualIps() {
    loop.execute(
        () -> {
          List<FlowCycle> next = new ArrayList<>();
          for (int i = 0; i < plan.switches(); i++) {
            next.add(new ConnectCycle(plan));
          }
          flows = next;
        });
  }

  /** Flows of a paced run: their figures, and how many were not sent to their destination. */
  public record Paced(Figures figures, long misdirected) {}

  /**
   * Sends new flows at a fixed rate.
   *
   * @param perSecond over all switches, 1 to 10 000
   */
  public Paced pace(int perSecond, Schedule schedule)
      throws InterruptedException, TimeoutException {
    if (perSecond < 1 || perSecond > 10_000) {
      throw new IllegalArgumentException("1 to 10000 flows a second, not " + perSecond);
    }
    PacedLoop point =
        onLoop(
            () ->
                new PacedLoop(
                    exchange, new Switches(), plan, flows, perSecond, schedule, System.nanoTime()));
    long millis = (long) schedule.warmupMillis() + schedule.measureMillis();
    run(point, millis + 2L * schedule.deadlineMillis() + 10_000);
    return new Paced(onLoop(() -> point.window().figures(1)), onLoop(point::misdirected));
  }

  /** Sends these messages too, until the next call; null ends them. */
  public void inject(@Nullable Injection next) {
    loop.execute(() -> injection = next);
  }

  /**
   * From now on the first switch loses its permanent entries in each turn; null ends it.
   *
   * @param next is told how many, where there were any; on the event loop
   */
  public void loseEntries(@Nullable IntConsumer next) {
    loop.execute(() -> losing = next);
  }

  /**
   * From now on the first switch refuses every role, and reconnects again and again; null ends it.
   *
   * @param next is run with each refusal, on the event loop
   */
  public void refuseRoles(@Nullable Runnable next) {
    loop.execute(
        () -> {
          switches.get(0).persona().refuseRoles(next);
          reconnecting = next != null;
        });
  }

  /**
   * From now on the first switch shows expired entries among its own, which no delete removes, and
   * reconnects again and again so that they are read; null ends it.
   *
   * @param next is told how many, with each answer; on the event loop
   */
  public void reviveEntries(@Nullable IntConsumer next) {
    loop.execute(
        () -> {
          switches.get(0).persona().reviveEntries(next);
          reconnecting = next != null;
        });
  }

  /**
   * From now on what leaves the first switch as a link probe comes in at its next port, as through
   * two hosts that pass it on; null ends it.
   *
   * @param next is told the bytes of each message; on the event loop
   */
  public void relayProbes(@Nullable IntConsumer next) {
    loop.execute(() -> switches.get(0).relayProbes(next));
  }

  private Future<Reading> readAt(long nanos, CpuMeter cpu) {
    return loop.schedule(cpu::read, nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  private void run(Phase next, long deadlineMillis) throws InterruptedException, TimeoutException {
    CompletableFuture<Void> over = onLoop(() -> enter(next));
    try {
      over.get(deadlineMillis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the load generator failed", e.getCause());
    }
  }

  private CompletableFuture<Void> enter(Phase next) {
    if (failure != null) {
      return CompletableFuture.failedFuture(failure);
    }
    phase = next;
    phaseOver = new CompletableFuture<>();
    proceed(System.nanoTime());
    return phaseOver;
  }

  private LoadFigures.Counts counts() {
    long lostConnections = switches.stream().mapToLong(PlayedSwitch::connectionsLost).sum();
    return new LoadFigures.Counts(
        exchange.packetOuts(), exchange.flowMods(), exchange.unrelated(), lostConnections);
  }

  private void tick() {
    Injection further = injection;
    if (further != null) {
      switches.get(further.switchIndex()).inject(further);
    }
    IntConsumer lost = losing;
    if (lost != null) {
      int entries = switches.get(0).loseEntries();
      if (entries > 0) {
        lost.accept(entries);
      }
    }
    if (reconnecting && ++ticks % RECONNECT_TICKS == 0) {
      switches.get(0).reconnect();
    }
    Phase at = phase;
    if (at == null) {
      return;
    }
    long now = System.nanoTime();
    Flow late;
    while ((late = exchange.expired(now - at.deadlineNanos())) != null) {
      at.expired(late, now);
    }
    proceed(now);
  }

  /** Ticks end when one of them fails, or when the event loop ends and cancels them. */
  private void ticksEnded(Future<?> ticks) {
    if (!ticks.isCancelled()) {
      fail(ticks.cause());
    }
  }

  /** Fails the phase at hand and all later ones. */
  private void fail(Throwable cause) {
    failure = cause;
    phase = null;
    phaseOver.completeExceptionally(cause);
  }

  private void proceed(long nowNanos) {
    Phase at = phase;
    if (at == null) {
      return;
    }
    at.proceed(nowNanos);
    switches.forEach(PlayedSwitch::flush);
    if (at.isOver(nowNanos)) {
      phase = null;
      phaseOver.complete(null);
    }
  }

  private <T> T onLoop(Callable<T> question) throws InterruptedException {
    return result(loop.submit(question));
  }

  private static <T> T result(Future<T> answer) throws InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the load generator failed", e.getCause());
    }
  }

  /** Closes all connections. */
  @Override
  public void close() {
    loop.execute(() -> switches.forEach(PlayedSwitch::close));
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
  }

  private final class Replies implements PlayedSwitch.Listener {
    @Override
    public void answered(int switchIndex, Answer answer) {
      Flow flow = exchange.answered(switchIndex, answer);
      Phase at = phase;
      if (flow != null && at != null) {
        at.answered(flow, answer, System.nanoTime());
      }
    }

    @Override
    public void readComplete() {
      proceed(System.nanoTime());
    }

    @Override
    public void failed(Throwable cause) {
      fail(cause);
    }
  }

  private final class Switches implements Sender {
    @Override
    public boolean isHeard(int switchIndex) {
      return switches.get(switchIndex).isHeard();
    }

    @Override
    public void packetIn(int switchIndex, int source, int destination) {
      switches.get(switchIndex).packetIn(source, destination, ++xid);
    }
  }
}
