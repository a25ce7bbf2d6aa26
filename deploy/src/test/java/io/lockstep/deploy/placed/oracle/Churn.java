package io.lockstep.deploy.placed.oracle;

import io.lockstep.core.flow.IntendedRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;

/**
 * An application that adds, removes and replaces rules at random, a few at a time, and tells the
 * oracle before it asks and when the node says that it is done. Used by one thread.
 */
public final class Churn {
  private static final int PRIORITIES = 400;
  private static final int TRIES = 200;

  /** What the switch's master has told the store is known on all nodes within this time. */
  private static final long NEWS_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final LogicalTable table;
  private final DeviceId device;
  private final Random random;
  private final RuleShapes shapes;
  private final Supplier<IntendedRules> service;

  private long treatments;

  /**
   * Churn at a switch.
   *
   * @param service of whichever node runs
   */
  public Churn(
      LogicalTable table, DeviceId device, Random random, Supplier<IntendedRules> service) {
    this.table = table;
    this.device = device;
    this.random = random;
    this.shapes = new RuleShapes(random, table.mark());
    this.service = service;
    table.takeBack(this::isTakenBack);
  }

  /** Whether the node says so, in time: it has to be known before a packet shows it. */
  private boolean isTakenBack(WantedRule rule) {
    long deadline = System.nanoTime() + NEWS_NANOS;
    while (System.nanoTime() - deadline < 0) {
      FlowRule asked = rule.flowRule(device, lastTreatment(rule));
      FlowEntry entry = service.get().getFlowEntry(asked);
      boolean now = entry != null && isKnown(entry, rule) && entry.state() == FlowEntryState.FAILED;
      if (now || service.get().wasRefusedBefore(asked)) {
        return true;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return false;
  }

  /** Asks for one rule more. */
  public void add() {
    FlowRule asked = addQuietly();
    service.get().applyFlowRules(asked);
  }

  private FlowRule addQuietly() {
    for (int i = 0; i < TRIES; i++) {
      int priority = shapes.leastPriority() + random.nextInt(PRIORITIES);
      Match match = shapes.match();
      if (!table.clashes(priority, match)) {
        WantedRule rule = table.add(priority, match, answer(match));
        return rule.flowRule(device, rule.wanted);
      }
    }
    throw new AssertionError("no room between " + table.size() + " rules");
  }

  /** A treatment that no rule had so far, or to drop. */
  private long answer(Match match) {
    return random.nextInt(12) == 0 || !shapes.mayOutput(match) ? WantedRule.DROP : treatment();
  }

  /** Where the port tells treatments apart, one that comes again after all others. */
  private long treatment() {
    treatments++;
    return table.mark() == WantedRule.Mark.NUMBER ? treatments : treatments % WantedRule.PORTS;
  }

  /** Asks for many rules at once. */
  public void fill(int count) {
    List<FlowRule> rules = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rules.add(addQuietly());
    }
    service.get().applyFlowRules(rules.toArray(FlowRule[]::new));
  }

  /** Adds, removes or replaces one rule, so that there are about as many as wanted. */
  public void change(int about) {
    WantedRule there = any();
    int dice = random.nextInt(10);
    if (there == null || dice < (table.size() < about ? 6 : 3)) {
      add();
    } else if (dice < 8 || there.wanted == WantedRule.DROP) {
      FlowRule asked = there.flowRule(device, there.wanted);
      table.want(there, WantedRule.ABSENT);
      service.get().removeFlowRules(asked);
    } else {
      table.want(there, treatment());
      service.get().applyFlowRules(there.flowRule(device, there.wanted));
    }
  }

  /** Asks for all rules to go; the node has to know them. */
  public void removeAll() {
    for (int i = 0; i < table.size(); i++) {
      WantedRule rule = table.get(i);
      FlowRule asked = rule.flowRule(device, rule.wanted);
      table.want(rule, WantedRule.ABSENT);
      service.get().removeFlowRules(asked);
    }
  }

  /** A rule that the node knows of, so that what it says next is about what comes next. */
  private @Nullable WantedRule any() {
    for (int i = 0; i < TRIES && table.size() > 0; i++) {
      WantedRule rule = table.get(random.nextInt(table.size()));
      boolean going = rule.wanted == WantedRule.ABSENT;
      if (!going && isKnown(service.get().getFlowEntry(rule.flowRule(device, rule.wanted)), rule)) {
        return rule;
      }
    }
    return null;
  }

  private static boolean isKnown(@Nullable FlowEntry entry, WantedRule rule) {
    return entry != null && entry.treatment().equals(rule.treatmentFor(rule.wanted));
  }

  /** Listens to what the node says; how many rules nobody has decided on yet. */
  public int undecided() {
    int undecided = 0;
    for (WantedRule rule : table.open()) {
      FlowEntry entry = service.get().getFlowEntry(rule.flowRule(device, lastTreatment(rule)));
      FlowEntryState state = entry == null ? FlowEntryState.REMOVED : entry.state();
      boolean goes = rule.wanted == WantedRule.ABSENT;
      boolean done = goes ? entry == null : isKnown(entry, rule) && state == FlowEntryState.ADDED;
      if (done) {
        table.settle(rule);
      } else if (goes || !isKnown(entry, rule) || state != FlowEntryState.FAILED) {
        undecided++;
      }
    }
    return undecided;
  }

  /** Any treatment does: it is not part of what names a rule. */
  private static long lastTreatment(WantedRule rule) {
    return rule.wanted == WantedRule.ABSENT ? WantedRule.DROP : rule.wanted;
  }

  /** The rules that the node says are not in the switch. */
  public List<FlowRule> refused() {
    return table.open().stream()
        .filter(rule -> rule.wanted != WantedRule.ABSENT)
        .map(rule -> rule.flowRule(device, rule.wanted))
        .toList();
  }

  /** What is not decided, for a failed test. */
  public String openRules() {
    return "open: " + table.open();
  }
}
