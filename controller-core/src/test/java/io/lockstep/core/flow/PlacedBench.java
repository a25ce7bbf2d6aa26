package io.lockstep.core.flow;

import io.lockstep.core.flow.oracle.WatchedSwitch;
import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.PlacementTables;
import io.lockstep.core.flow.placed.RuleReport;
import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.node.CoreTables;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.InputCounters;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.StoreFeed;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.Capacity;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.TpPort;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;

/** Flow rules over a real store and a switch that is watched, with masters that can be replaced. */
final class PlacedBench implements AutoCloseable {
  static final long DPID = 1;
  static final ApplicationId APP = new DefaultApplicationId(7, "org.example");
  private static final long DEADLINE_SECONDS = 60;

  final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  final WatchedSwitch device;

  /** Comes before the master's writes, on the control loop. */
  volatile Consumer<List<Write>> beforeWrite = writes -> {};

  /** Whether the master does not learn what became of writes, which do not come about. */
  volatile Predicate<List<Write>> lostWrites = writes -> false;

  /** While this is not complete the master's writes wait before the store. */
  volatile CompletableFuture<Void> writesGoOn = CompletableFuture.completedFuture(null);

  /** Where this is set, alarms of the master wait here. */
  volatile @Nullable Queue<Runnable> heldAlarms;

  final AtomicLong clockMillis = new AtomicLong(1_000_000);
  private final LocalEngine engine = LocalEngine.start(new StoreStateMachine(List.of()));
  private final BatchingStoreClient store =
      BatchingStoreClient.open(
          engine.connect(16),
          ClientOptions.of("test").withTimeToLiveMillis(600_000).withTables(CoreTables.all()),
          System::nanoTime,
          () -> 1L);
  final ControlLoop loop = new ControlLoop("control", (where, e) -> fatal.add(e));
  private final NodeState state = new NodeState(loop);
  private final RuleTables tables = new RuleTables(state);
  private final PlacementTables placements = new PlacementTables(state);
  RuleInstaller installer;
  final IntendedRules rules;
  private WatchedSwitch.@Nullable Connection connection;
  private long epoch;

  PlacedBench(SwitchProfile profile, Random random) {
    device = new WatchedSwitch(DPID, random);
    installer = installer(profile);
    rules = new IntendedRules(tables, installer, store, device -> List.of(), loop::schedule, loop);
    loop.start();
    state.start(new StoreFeed(store, store.loop()));
  }

  private RuleInstaller installer(SwitchProfile profile) {
    return new RuleInstaller(
        tables,
        placements,
        new SwitchProfiles(List.of(new SwitchProfiles.Choice(DPID, DPID, profile))),
        store,
        this::write,
        loop,
        this::after,
        clockMillis::get,
        new InputCounters());
  }

  /** The next master takes the switch for another: its configuration was changed. */
  void configure(SwitchProfile profile) {
    kill();
    ask(
        before -> {
          installer = installer(profile);
          return true;
        });
  }

  /** A switch of a first table of so many entries and a second of so many, 0 for no bound. */
  static SwitchProfile twoTables(int first, int second) {
    SwitchProfile profile = BuiltInProfiles.get("ovs-small");
    profile = profile.withCapacity(0, Capacity.ofEntries(first), 2);
    return second == 0 ? profile : profile.withCapacity(1, Capacity.ofEntries(second), 2);
  }

  StoreClient store() {
    return store;
  }

  private void after(long millis, Runnable task) {
    Queue<Runnable> held = heldAlarms;
    if (held == null) {
      loop.schedule(millis, task);
    } else {
      held.add(task);
    }
  }

  private CompletableFuture<Reply> write(DeviceId id, List<Write> writes) {
    beforeWrite.accept(writes);
    return lostWrites.test(writes)
        ? CompletableFuture.completedFuture(new Reply.Unknown("lost"))
        : writesGoOn.thenCompose(free -> store(writes));
  }

  private CompletableFuture<Reply> store(List<Write> writes) {
    CompletableFuture<Reply> last = CompletableFuture.completedFuture(new Reply.Absent());
    for (Write write : writes) {
      if (write instanceof Write.Put put) {
        last = store.submit(new Command.Put(put.table(), put.key(), put.value()));
      } else if (write instanceof Write.Remove remove) {
        last = store.submit(new Command.Remove(remove.table(), remove.key()));
      }
    }
    return last.thenApply(PlacedBench::asFenced);
  }

  /** The reply of a fenced write whose last part was answered like this. */
  static Reply asFenced(Reply last) {
    if (last instanceof Reply.Rejected || last instanceof Reply.Unknown) {
      return last;
    }
    long index = last instanceof Reply.Applied applied ? applied.version() : 0;
    return new Reply.Returned(new ByteWriter(8).int64(index).toBytes());
  }

  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + DEADLINE_SECONDS + " s: " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  /** Asks something on the control loop. */
  <T> T ask(Function<RuleInstaller, T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    loop.execute(() -> answer.complete(question.apply(installer)));
    try {
      return answer.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("the control loop does not answer: " + fatal, e);
    }
  }

  /** Masters the switch anew, once everything that was written is seen, as a fence makes sure. */
  WatchedSwitch.Connection master() {
    CompletableFuture<Reply> marker =
        store.submit(
            new Command.Put(
                RuleStateTable.NAME,
                new IntentKey(99, 0).encode(),
                new RuleStateTable().encodeValue(new RuleState(0, true, "", epoch))));
    await("the marker", marker::isDone);
    long index = ((Reply.Applied) marker.join()).version();
    await("the views", () -> state.index() >= index);
    WatchedSwitch.Connection made = device.connect();
    connection = made;
    installer.gained(made, ++epoch);
    return made;
  }

  /** The master is gone, whatever it was doing. */
  void kill() {
    WatchedSwitch.Connection dead = connection;
    if (dead != null) {
      dead.cutAfter(0);
      installer.lost(dead, "killed");
      ask(any -> true);
      connection = null;
    }
  }

  WatchedSwitch.Connection connection() {
    return java.util.Objects.requireNonNull(connection);
  }

  /** Masters the new switch; from now on each of its steps is watched. */
  void begin() {
    master();
    ready();
    settled();
    device.watched = true;
  }

  void ready() {
    await("the switch was read", () -> ask(i -> i.reports().containsKey(DPID)));
  }

  PlacementReport report() {
    return ask(i -> i.reports().get(DPID));
  }

  @Nullable RuleReport explain(FlowRule rule) {
    return explain(rule.id().value());
  }

  @Nullable RuleReport explain(long id) {
    return ask(i -> i.explain(id).get(DPID));
  }

  /** One read-back, seen to its end with whatever it begins. */
  void readBack() {
    ask(
        i -> {
          i.readBack();
          return true;
        });
    ask(any -> true);
  }

  /** Nothing is under way or waits, nor begins with the next tasks of the control loop. */
  void settled() {
    await(
        "nothing waits",
        () -> {
          boolean rests = true;
          for (int i = 0; i < 4 && rests; i++) {
            rests = report().rests();
          }
          return rests;
        });
  }

  FlowEntryState stateOf(FlowRule rule) {
    FlowEntry entry = rules.getFlowEntry(rule);
    return entry == null ? FlowEntryState.REMOVED : entry.state();
  }

  /** Whether the store says at this moment that a rule is in the switch. */
  boolean storedAsInstalled(FlowRule rule) {
    return stored(new Command.Get(RuleStateTable.NAME, IntentKey.of(rule).encode()))
            instanceof Reply.Found found
        && new RuleStateTable().decodeValue(found.value()).installed();
  }

  /**
   * Whether whoever asked for a rule as the store has it now could know that it is not in the
   * switch: that was said of it, or of what it was before and before it was asked for.
   */
  boolean storedAsRefused(FlowRule rule) {
    Bytes key = IntentKey.of(rule).encode();
    if (!(stored(new Command.Get(IntentTable.NAME, key)) instanceof Reply.Found asked)
        || !(stored(new Command.Get(RuleStateTable.NAME, key)) instanceof Reply.Found said)) {
      return false;
    }
    RuleState state = new RuleStateTable().decodeValue(said.value());
    return !state.installed()
        && (state.intentVersion() == asked.version() || said.version() < asked.version());
  }

  /** Asks for a rule in the store, without a word to this node; returns when it is there. */
  void askElsewhere(FlowRule rule) {
    Bytes key = IntentKey.of(rule).encode();
    Bytes intent = new IntentTable().encodeValue(new Intent(rule, false));
    if (!(stored(new Command.Put(IntentTable.NAME, key, intent)) instanceof Reply.Applied)) {
      throw new AssertionError("the store does not take it");
    }
  }

  private Reply stored(Command command) {
    try {
      return store.submit(command).get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("the store does not answer", e);
    }
  }

  void awaitState(FlowRule rule, FlowEntryState wanted) {
    await(
        rule.priority() + " is " + wanted + ", not " + stateOf(rule) + ": " + report(),
        () -> stateOf(rule) == wanted);
  }

  static FlowRule rule(int priority, TrafficSelector selector, long port) {
    return builder(priority, selector, port).makePermanent().build();
  }

  static FlowRule.Builder builder(int priority, TrafficSelector selector, long port) {
    return DefaultFlowRule.builder()
        .forDevice(DeviceId.deviceId("of:0000000000000001"))
        .withSelector(selector)
        .withTreatment(
            DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(port)).build())
        .withPriority(priority)
        .fromApp(APP);
  }

  static TrafficSelector net(String destination) {
    return DefaultTrafficSelector.builder()
        .matchEthType((short) 0x800)
        .matchIPDst(IpPrefix.valueOf(destination))
        .build();
  }

  static FlowRule random(Random random, int priority) {
    DefaultTrafficSelector.Builder selector =
        (DefaultTrafficSelector.Builder)
            DefaultTrafficSelector.builder().matchEthType((short) 0x800);
    int bits = 11 + random.nextInt(8);
    int address = 0x0a00_0000 | random.nextInt(16) << 20 | random.nextInt(1 << 20);
    selector.matchIPDst(IpPrefix.valueOf(org.onlab.packet.Ip4Address.valueOf(address), bits));
    if (random.nextInt(3) == 0) {
      selector.matchInPort(PortNumber.portNumber(1 + random.nextInt(3)));
    }
    if (random.nextInt(3) == 0) {
      selector.matchIPProtocol((byte) 6).matchTcpDst(TpPort.tpPort(80 + random.nextInt(3)));
    }
    return rule(priority, selector.build(), 1 + random.nextInt(5));
  }

  @Override
  public void close() {
    kill();
    state.close();
    loop.close();
    store.close();
    engine.close();
    if (!fatal.isEmpty()) {
      throw new AssertionError("a broken invariant", fatal.get(0));
    }
  }
}
