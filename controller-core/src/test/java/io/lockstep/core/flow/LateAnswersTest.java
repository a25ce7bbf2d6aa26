package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.placer.profile.BuiltInProfiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;

/** Answers of a switch that takes every rule, and of the store, that come too late to be true. */
class LateAnswersTest {
  private static final TrafficSelector SELECTOR = PlacedBench.net("10.7.0.0/16");

  private final PlacedBench bench = new PlacedBench(BuiltInProfiles.get("ideal"), new Random(5));
  private int flushes;

  LateAnswersTest() {
    bench.device.with(
        tables -> {
          tables.timeouts = true;
          return null;
        });
    bench.master();
    bench.ready();
    flush();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static FlowRule temporary() {
    return PlacedBench.builder(70, SELECTOR, 3).makeTemporary(10).build();
  }

  private static FlowRemoved expiry(FlowRule rule) {
    return new FlowRemoved(
        0,
        rule.priority(),
        Cookies.intended(rule),
        FlowRemoved.Reason.IDLE_TIMEOUT,
        10,
        0,
        0,
        rule.selector());
  }

  /** All that was sent to the store before this has been answered, and the node knows. */
  private void flush() {
    flushes++;
    FlowRule marker = PlacedBench.rule(flushes, PlacedBench.net("192.168." + flushes + ".0/24"), 1);
    bench.rules.applyFlowRules(marker);
    bench.awaitState(marker, FlowEntryState.ADDED);
  }

  @Test
  void readingFromBeforeATemporaryRuleWasSentDoesNotEndIt() {
    CompletableFuture<Void> reading = bench.device.holdStatistics();
    bench.readBack();
    bench.rules.applyFlowRules(temporary());
    bench.awaitState(temporary(), FlowEntryState.ADDED);
    reading.complete(null);
    bench.ask(any -> true);
    flush();
    assertThat(bench.stateOf(temporary())).isEqualTo(FlowEntryState.ADDED);
    bench.device.with(tables -> tables.entries().removeIf(entry -> entry.isFor(70)));
    bench.readBack();
    bench.awaitState(temporary(), FlowEntryState.REMOVED);
  }

  @Test
  void stateThatWasNotStoredIsNotWrittenOverALaterOne() {
    Queue<Runnable> alarms = new ConcurrentLinkedQueue<>();
    bench.heldAlarms = alarms;
    bench.lostWrites = writes -> true;
    bench.device.refuses = mod -> "FLOW_MOD_FAILED/TABLE_FULL";
    bench.rules.applyFlowRules(PlacedBench.rule(70, SELECTOR, 2));
    PlacedBench.await("the refusal is not stored", () -> alarms.size() == 1);
    bench.lostWrites = writes -> false;
    bench.device.refuses = mod -> null;
    FlowRule then = PlacedBench.rule(70, SELECTOR, 3);
    bench.rules.applyFlowRules(then);
    bench.awaitState(then, FlowEntryState.ADDED);
    bench.ask(
        installer -> {
          alarms.forEach(Runnable::run);
          return true;
        });
    bench.heldAlarms = null;
    flush();
    assertThat(bench.stateOf(then)).isEqualTo(FlowEntryState.ADDED);
    assertThat(bench.storedAsInstalled(then)).isTrue();
  }

  /** The store refuses to remove an intention that was changed; its state is another's then. */
  @Test
  void ruleThatIsWantedAnewWhileItExpiresKeepsItsState() {
    bench.rules.applyFlowRules(temporary());
    bench.awaitState(temporary(), FlowEntryState.ADDED);
    List<Write> removed = new CopyOnWriteArrayList<>();
    bench.beforeWrite =
        writes -> {
          List<Write> some = new ArrayList<>(writes);
          some.removeIf(write -> !(write instanceof Write.Remove));
          removed.addAll(some);
        };
    FlowRule anew = PlacedBench.rule(70, SELECTOR, 4);
    bench.ask(
        installer -> {
          // In this order: the expiry is handled before the node hears of the change.
          installer.flowRemoved(bench.connection(), expiry(temporary()));
          bench.askElsewhere(anew);
          return true;
        });
    PlacedBench.await(
        "it is in the switch",
        () -> {
          FlowEntry entry = bench.rules.getFlowEntry(anew);
          return entry != null && entry.isPermanent() && entry.state() == FlowEntryState.ADDED;
        });
    flush();
    assertThat(removed).isEmpty();
    assertThat(bench.stateOf(anew)).isEqualTo(FlowEntryState.ADDED);
  }

  /** Its state must not be removed later: the rule may be requested again in between. */
  @Test
  void stateIsGoneAsSoonAsTheIntentionIs() {
    FlowRule rule = PlacedBench.rule(70, SELECTOR, 2);
    bench.rules.applyFlowRules(rule);
    bench.awaitState(rule, FlowEntryState.ADDED);
    assertThat(bench.storedAsInstalled(rule)).isTrue();
    bench.writesGoOn = new CompletableFuture<>();
    bench.rules.removeFlowRules(rule);
    bench.awaitState(rule, FlowEntryState.REMOVED);
    assertThat(bench.storedAsInstalled(rule)).isFalse();
    bench.rules.applyFlowRules(rule);
    bench.awaitState(rule, FlowEntryState.PENDING_ADD);
    bench.writesGoOn.complete(null);
    bench.awaitState(rule, FlowEntryState.ADDED);
  }
}
