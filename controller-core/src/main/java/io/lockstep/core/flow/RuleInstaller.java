package io.lockstep.core.flow;

import io.lockstep.core.flow.placed.PacketInBudget;
import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.PlacementTables;
import io.lockstep.core.flow.placed.RuleReport;
import io.lockstep.core.flow.placed.SwitchEnvironment;
import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.core.mastership.DomainWriter;
import io.lockstep.core.mastership.MasteredSwitches;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.InputCounters;
import io.lockstep.core.state.InputCounters.Input;
import io.lockstep.store.StoreClient;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;

/**
 * Makes the switches that this node masters follow the intended rules: sends changed rules, records
 * the switch's answers, and reads the flow tables back from time to time. Writes straight to a
 * switch that takes every rule ({@link DirectRules}), and through the placer to one with bounded
 * tables ({@link PlacedRules}).
 *
 * <p>Owned by the control loop; the listener's methods and {@link #send} hand over.
 */
public final class RuleInstaller implements MasteredSwitches.Listener, FlowDoor {
  /** Flow-mods of applications for one placed switch that may wait for the control loop. */
  private static final int MAX_WAITING = 4_096;

  private final RuleTables tables;
  private final PlacementTables placements;
  private final SwitchProfiles profiles;
  private final StoreClient store;
  private final DomainWriter writer;
  private final Executor loop;
  private final Alarm alarm;
  private final LongSupplier wallMillis;
  private final InputCounters inputs;
  private final Map<Long, SwitchRules> switches = new HashMap<>();

  /** The switches among them that the node writes straight to, and why. */
  private final Map<Long, SwitchProfiles.Chosen> unplaced = new HashMap<>();

  private final Map<IntentKey, FlowStats> counters = new ConcurrentHashMap<>();
  private final SoftRefusals softRefusals = new SoftRefusals();
  private final PacketInBudget packetIns = new PacketInBudget();

  /** The switches whose flow-mods do not go straight to them; read on every event loop. */
  private final Map<SwitchConnection, MatchChoice> placed = new ConcurrentHashMap<>();

  /** Rules of switches that the node applies itself; read on every event loop. */
  private final Map<SwitchConnection, RulesInNode> inNode = new ConcurrentHashMap<>();

  /** What of each mastered switch waits for the control loop; the event loops change it. */
  private final Map<SwitchConnection, Waiting> waiting = new ConcurrentHashMap<>();

  /** What of one switch waits. */
  private record Waiting(RemovedFlows removed, AtomicInteger softMods) {
    Waiting() {
      this(new RemovedFlows(), new AtomicInteger());
    }
  }

  /**
   * An installer; the caller adds it as a listener of mastery and calls {@link #readBack}.
   *
   * @param loop the control loop
   * @param wallMillis milliseconds since 1970
   * @param inputs counts the reports of a switch that exceed a bound
   */
  public RuleInstaller(
      RuleTables tables,
      PlacementTables placements,
      SwitchProfiles profiles,
      StoreClient store,
      DomainWriter writer,
      Executor loop,
      Alarm alarm,
      LongSupplier wallMillis,
      InputCounters inputs) {
    this.inputs = inputs;
    this.tables = tables;
    this.placements = placements;
    this.profiles = profiles;
    this.store = store;
    this.writer = writer;
    this.loop = loop;
    this.alarm = alarm;
    this.wallMillis = wallMillis;
    tables.intents().addListener((key, old, now) -> intentChanged(key, now));
  }

  /** Counters of the last read-back, where this node masters the switch. Thread-safe. */
  @Nullable FlowStats counters(IntentKey key) {
    return counters.get(key);
  }

  @Override
  public void gained(SwitchConnection connection, long epoch) {
    SwitchProfiles.Chosen chosen =
        profiles.of(connection.dpid(), connection.features(), connection.tableClaims());
    waiting.put(connection, new Waiting());
    boolean direct = SwitchProfiles.takesEverything(chosen.profile());
    RulesInNode missing =
        direct || chosen.inNodePerSecond() == 0 ? null : new RulesInNode(chosen.inNodePerSecond());
    if (!direct) {
      placed.put(connection, MatchChoice.of(chosen.profile()));
    }
    if (missing != null) {
      inNode.put(connection, missing);
    }
    loop.execute(
        () -> {
          RuleOutcomes outcomes =
              new RuleOutcomes(tables, store, writer, loop, alarm, epoch, missing);
          SwitchRules rules =
              direct
                  ? new DirectRules(connection, tables, outcomes, loop, alarm, wallMillis, counters)
                  : new PlacedRules(
                      connection,
                      epoch,
                      chosen,
                      tables,
                      placements,
                      outcomes,
                      new SwitchEnvironment(writer, loop, alarm, wallMillis, packetIns),
                      counters,
                      softRefusals);
          SwitchRules before = switches.put(connection.dpid(), rules);
          if (before != null) {
            before.close();
          }
          if (direct) {
            unplaced.put(connection.dpid(), chosen);
          } else {
            unplaced.remove(connection.dpid());
          }
          rules.start();
        });
  }

  @Override
  public void lost(SwitchConnection connection, String reason) {
    placed.remove(connection);
    inNode.remove(connection);
    waiting.remove(connection);
    loop.execute(
        () -> {
          SwitchRules rules = of(connection);
          if (rules != null) {
            rules.close();
            switches.remove(connection.dpid());
            unplaced.remove(connection.dpid());
            counters.keySet().removeIf(key -> key.dpid() == connection.dpid());
          }
        });
  }

  @SuppressWarnings("ReferenceEquality") // a connection is itself
  private @Nullable SwitchRules of(SwitchConnection connection) {
    SwitchRules rules = switches.get(connection.dpid());
    return rules != null && rules.connection() == connection ? rules : null;
  }

  /**
   * The switch removed an entry by itself. At most one task waits for each switch, however many
   * reports come. On the connection's event loop.
   */
  public void flowRemoved(SwitchConnection connection, FlowRemoved removed) {
    Waiting here = waiting.get(connection);
    if (here == null || (isDirect(connection) && !RemovedFlows.isExpiry(removed))) {
      return;
    }
    switch (here.removed().add(removed)) {
      case FIRST -> loop.execute(() -> flowsRemoved(connection, here.removed()));
      case MERGED -> inputs.count(Input.FLOW_REMOVED_MERGED);
      case DROPPED -> inputs.count(Input.FLOW_REMOVED_DROPPED);
    }
  }

  private void flowsRemoved(SwitchConnection connection, RemovedFlows removed) {
    RemovedFlows.Taken taken = removed.take();
    SwitchRules rules = of(connection);
    if (rules != null) {
      rules.flowsRemoved(taken);
    }
  }

  private void intentChanged(IntentKey key, @Nullable Intent now) {
    if (now == null) {
      counters.remove(key);
    }
    SwitchRules rules = switches.get(key.dpid());
    if (rules != null) {
      RulesInNode missing = inNode.get(rules.connection());
      if (missing != null) {
        missing.changed(key);
      }
      rules.changed(key, now);
    }
  }

  /** Reads the flow tables of all switches mastered here. */
  public void readBack() {
    List.copyOf(switches.values()).forEach(SwitchRules::readBack);
  }

  // ---- flow-mods of applications ----

  @Override
  public boolean isDirect(SwitchConnection connection) {
    return !placed.containsKey(connection);
  }

  @Override
  public MatchChoice matches(SwitchConnection connection) {
    return placed.getOrDefault(connection, MatchChoice.AS_ASKED);
  }

  @Override
  public @Nullable RulesInNode inNode(SwitchConnection connection) {
    return inNode.get(connection);
  }

  @Override
  public boolean send(SwitchConnection connection, List<FlowMod> mods) {
    if (isDirect(connection)) {
      return connection.flowMods(mods);
    }
    Waiting here = waiting.get(connection);
    if (here == null) {
      return false;
    }
    if (here.softMods().addAndGet(mods.size()) > MAX_WAITING) {
      here.softMods().addAndGet(-mods.size());
      return false;
    }
    loop.execute(
        () -> {
          here.softMods().addAndGet(-mods.size());
          SwitchRules rules = of(connection);
          if (rules != null) {
            rules.soft(mods);
          }
        });
    return true;
  }

  // ---- for operators ----

  /**
   * How many soft entries of an application switches with bounded tables did not take, since the
   * start of the node. Thread-safe.
   */
  public long softEntriesRefused(String application) {
    return softRefusals.of(application);
  }

  /** What is wrong with the entries of a switch mastered here; empty for nothing. Control loop. */
  public String trouble(long dpid) {
    SwitchRules rules = switches.get(dpid);
    return rules == null ? "" : rules.trouble();
  }

  /**
   * How many rules of the cluster are in each state, as this node knows them. Control loop only.
   */
  public Map<FlowEntryState, Integer> ruleStates() {
    Map<FlowEntryState, Integer> states = new EnumMap<>(FlowEntryState.class);
    tables
        .intents()
        .entries()
        .keySet()
        .forEach(key -> states.merge(tables.visible(key), 1, Integer::sum));
    return states;
  }

  /** The tables of the switches mastered here, by datapath id. Control loop only. */
  public Map<Long, PlacementReport> reports() {
    Map<Long, Integer> rulesOf = new HashMap<>();
    tables.intents().entries().keySet().forEach(key -> rulesOf.merge(key.dpid(), 1, Integer::sum));
    Map<Long, PlacementReport> reports = new TreeMap<>(Long::compareUnsigned);
    switches.forEach(
        (dpid, rules) -> {
          SwitchProfiles.Chosen straight = unplaced.get(dpid);
          PlacementReport report =
              straight == null
                  ? rules.report()
                  : PlacementReport.direct(
                      straight, rulesOf.getOrDefault(dpid, 0), rules.putBack());
          if (report != null) {
            reports.put(dpid, report);
          }
        });
    return reports;
  }

  /**
   * Why rules are where they are: those with this id at switches mastered here that are placed, by
   * datapath id. Control loop only.
   */
  public Map<Long, RuleReport> explain(long flowId) {
    Map<Long, RuleReport> reports = new TreeMap<>(Long::compareUnsigned);
    switches.forEach(
        (dpid, rules) -> {
          RuleReport report = rules.explain(new IntentKey(dpid, flowId));
          if (report != null) {
            reports.put(dpid, report);
          }
        });
    return reports;
  }
}
