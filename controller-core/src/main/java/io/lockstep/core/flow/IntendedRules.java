package io.lockstep.core.flow;

import io.lockstep.core.app.Instruction.InstallFlow;
import io.lockstep.core.flow.placed.LogicalRule;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.ListenerRegistry;
import io.lockstep.core.state.TableView.Held;
import io.lockstep.store.StoreClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleEvent;
import org.onosproject.net.flow.FlowRuleListener;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.TableStatisticsEntry;

/**
 * onos-api's flow rules over the store. A rule is intended from the moment the store has it; the
 * node that masters the switch installs it, and its state can be read on every node. Counters are
 * known only on the switch's master. Thread-safe; no method waits for the store.
 *
 * <p>Throws {@link IllegalArgumentException} for a rule with a criterion or instruction that cannot
 * be stored, or with the priority of the entry that sends link probes to the node. Then it applies
 * no rule of that call.
 */
public final class IntendedRules implements FlowRuleService {
  private final RuleTables tables;
  private final RuleInstaller installer;
  private final IntentWriter writer;
  private final RuleOperations operations;
  private final Function<DeviceId, List<TableStatisticsEntry>> tableStatistics;
  private final ListenerRegistry<FlowRuleEvent, FlowRuleListener> listeners;

  /**
   * The service.
   *
   * @param tableStatistics the counters of a switch's flow tables; empty if this node does not know
   *     them
   * @param alarm on the control loop
   * @param events runs the listeners
   */
  public IntendedRules(
      RuleTables tables,
      RuleInstaller installer,
      StoreClient store,
      Function<DeviceId, List<TableStatisticsEntry>> tableStatistics,
      Alarm alarm,
      Executor events) {
    this.tables = tables;
    this.installer = installer;
    this.writer = new IntentWriter(store, tables::index, alarm);
    this.tableStatistics = tableStatistics;
    this.operations = new RuleOperations(this, tables, alarm);
    this.listeners = new ListenerRegistry<>(events);
    tables.intents().addListener(this::intentChanged);
    tables.states().addListener((key, old, now) -> stateChanged(key, now));
  }

  private void intentChanged(IntentKey key, @Nullable Intent old, @Nullable Intent now) {
    if (now != null) {
      FlowRuleEvent.Type type =
          now.remove()
              ? FlowRuleEvent.Type.RULE_REMOVE_REQUESTED
              : FlowRuleEvent.Type.RULE_ADD_REQUESTED;
      listeners.post(new FlowRuleEvent(type, now.rule()));
    } else if (old != null) {
      listeners.post(new FlowRuleEvent(FlowRuleEvent.Type.RULE_REMOVED, old.rule()));
    }
    operations.changed();
  }

  private void stateChanged(IntentKey key, @Nullable RuleState now) {
    Intent intent = tables.intents().known(key);
    if (now != null && now.installed() && intent != null && !intent.remove()) {
      listeners.post(new FlowRuleEvent(FlowRuleEvent.Type.RULE_ADDED, intent.rule()));
    }
    operations.changed();
  }

  /** The error with which the switch rejected a rule or its removal; empty if it did not. */
  public String error(FlowRule rule) {
    RuleState state = tables.present(IntentKey.of(rule));
    return state == null ? "" : state.error();
  }

  /**
   * Whether the master reported an earlier version of the rule as refused, before an application
   * requested the present one. An application that changes a rule may overlook that report.
   */
  public boolean wasRefusedBefore(FlowRule rule) {
    IntentKey key = IntentKey.of(rule);
    Held<RuleState> said = tables.states().held(key);
    Held<Intent> intent = tables.intents().held(key);
    return said != null
        && intent != null
        && !said.value().installed()
        && said.version() < intent.version();
  }

  // ---- writing ----

  @Override
  public void applyFlowRules(FlowRule... rules) {
    intend(List.of(rules), false);
  }

  @Override
  public void removeFlowRules(FlowRule... rules) {
    intend(List.of(rules), true);
  }

  /**
   * Writes intentions, and waits until this node shows what was stored.
   *
   * @return how many were stored, as far as is known; completes on the control loop
   * @throws IllegalArgumentException as {@link #applyFlowRules}; then none is written
   */
  public CompletableFuture<Integer> write(List<FlowRule> rules, boolean remove) {
    List<CompletableFuture<Long>> written = intend(rules, remove);
    return CompletableFuture.allOf(written.toArray(CompletableFuture[]::new))
        .thenCompose(
            all -> {
              List<Long> versions = written.stream().map(CompletableFuture::join).toList();
              int stored = (int) versions.stream().filter(version -> version >= 0).count();
              long last = versions.stream().mapToLong(Long::longValue).max().orElse(-1);
              CompletableFuture<Integer> shown = new CompletableFuture<>();
              tables.whenVisible(last, () -> shown.complete(stored));
              return shown;
            });
  }

  /**
   * Writes intentions. Each future gives the version of the written record, or -1 if it was not
   * stored, as far as is known.
   */
  List<CompletableFuture<Long>> intend(List<FlowRule> rules, boolean remove) {
    for (FlowRule rule : rules) {
      if (!remove) {
        checkPriority(rule);
      }
    }
    return writer.writeAll(rules.stream().map(rule -> new Intent(rule, remove)).toList());
  }

  /**
   * Adds rules as {@link #applyFlowRules}, which an entry of an application with more traffic may
   * displace where their switch has no room (ADR 0052). A displaced rule is first reported as
   * failed, and comes back when there is room. Its packets match what is below it meanwhile.
   *
   * @throws IllegalArgumentException also for a rule that sends no packet to a port, since packets
   *     that it drops could be served then; then none is written
   */
  public void applyDisplaceable(FlowRule... displaceable) {
    List<Intent> intents = new ArrayList<>();
    for (FlowRule rule : displaceable) {
      checkPriority(rule);
      if (!LogicalRule.sendsToPorts(rule.treatment())) {
        throw new IllegalArgumentException(
            "the rule of priority "
                + rule.priority()
                + " sends no packet to a port: a rule that drops is never displaced, so add it"
                + " without that mark");
      }
      intents.add(new Intent(rule, false, true));
    }
    writer.writeAll(intents);
  }

  private static void checkPriority(FlowRule rule) {
    if (rule.priority() > InstallFlow.MAX_PRIORITY) {
      throw new IllegalArgumentException(
          "priority " + rule.priority() + " is that of link discovery alone");
    }
  }

  @Override
  public void purgeFlowRules(DeviceId deviceId) {
    removeAll(rule -> rule.deviceId().equals(deviceId));
  }

  @Override
  public void purgeFlowRules(DeviceId deviceId, ApplicationId appId) {
    removeAll(rule -> rule.deviceId().equals(deviceId) && rule.appId() == appId.id());
  }

  @Override
  public void removeFlowRulesById(ApplicationId appId) {
    removeAll(rule -> rule.appId() == appId.id());
  }

  private void removeAll(Predicate<FlowRule> wanted) {
    List<FlowRule> rules = new ArrayList<>();
    for (Intent intent : tables.intents().values()) {
      if (!intent.remove() && wanted.test(intent.rule())) {
        rules.add(intent.rule());
      }
    }
    intend(rules, true);
  }

  /** Applies stage after stage; a stage begins when the switches have the one before. */
  @Override
  public void apply(FlowRuleOperations ops) {
    operations.apply(ops);
  }

  // ---- reading ----

  private FlowEntry entry(IntentKey key, FlowRule rule) {
    FlowEntryState state = tables.visible(key);
    FlowStats counters = installer.counters(key);
    return counters == null
        ? new DefaultFlowEntry(rule, state)
        : new DefaultFlowEntry(
            rule,
            state,
            counters.durationSeconds(),
            TimeUnit.SECONDS,
            counters.packets(),
            counters.bytes());
  }

  private List<FlowEntry> select(Predicate<FlowRule> wanted) {
    List<FlowEntry> entries = new ArrayList<>();
    tables
        .intents()
        .entries()
        .forEach(
            (key, held) -> {
              if (wanted.test(held.value().rule())) {
                entries.add(entry(key, held.value().rule()));
              }
            });
    return entries;
  }

  @Override
  public int getFlowRuleCount() {
    return tables.intents().size();
  }

  @Override
  public int getFlowRuleCount(DeviceId deviceId) {
    return select(rule -> rule.deviceId().equals(deviceId)).size();
  }

  @Override
  public int getFlowRuleCount(DeviceId deviceId, FlowEntryState state) {
    int count = 0;
    for (FlowEntry entry : getFlowEntries(deviceId)) {
      count += entry.state() == state ? 1 : 0;
    }
    return count;
  }

  @Override
  public @Nullable FlowEntry getFlowEntry(FlowRule rule) {
    IntentKey key = IntentKey.of(rule);
    Held<Intent> held = tables.intents().held(key);
    return held == null ? null : entry(key, held.value().rule());
  }

  @Override
  public Iterable<FlowEntry> getFlowEntries(DeviceId deviceId) {
    return select(rule -> rule.deviceId().equals(deviceId));
  }

  @Override
  public Iterable<FlowEntry> getFlowEntriesById(ApplicationId id) {
    return select(rule -> rule.appId() == id.id());
  }

  @Override
  public Iterable<FlowRule> getFlowRulesByGroupId(ApplicationId appId, short groupId) {
    List<FlowRule> rules = new ArrayList<>();
    for (Intent intent : tables.intents().values()) {
      FlowRule rule = intent.rule();
      if (rule.appId() == appId.id() && rule.groupId().id() == groupId) {
        rules.add(rule);
      }
    }
    return rules;
  }

  /**
   * The switch's counters, at most 15 s old, so weaker than linearizable; empty on nodes that do
   * not master the switch. They count all entries of a table, also those that are no rules of this
   * service.
   */
  @Override
  public Iterable<TableStatisticsEntry> getFlowTableStatistics(DeviceId deviceId) {
    return tableStatistics.apply(deviceId);
  }

  /** The sum over {@link #getFlowTableStatistics}; 0 where that is empty. */
  @Override
  @SuppressWarnings("deprecation") // onos-api answers 0 unless this is overridden.
  public long getActiveFlowRuleCount(DeviceId deviceId) {
    return tableStatistics.apply(deviceId).stream()
        .mapToLong(TableStatisticsEntry::activeFlowEntries)
        .sum();
  }

  @Override
  public void addListener(FlowRuleListener listener) {
    listeners.addListener(listener);
  }

  @Override
  public void removeListener(FlowRuleListener listener) {
    listeners.removeListener(listener);
  }
}
