package io.lockstep.core.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.testing.FakeSwitch;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction;

/** Paths over a real store, with nodes and switches that do what the test says. */
class PathServiceTest {
  private static final long DEADLINE_SECONDS = 60;
  private static final PathConfig CONFIG = new PathConfig(20, 101, 104);
  private static final PathOutcome DONE = new PathOutcome(true, "");
  private static final PathFlow FLOW =
      new PathFlow(
          DefaultTrafficSelector.builder()
              .matchEthDst(MacAddress.valueOf("02:00:00:00:00:02"))
              .build(),
          40_000);

  private final LocalEngine engine = LocalEngine.start(new StoreStateMachine(List.of()));
  private final Set<Integer> vlansOfHosts = ConcurrentHashMap.newKeySet();
  private final PathNode west = new PathNode(engine, "west", CONFIG, vlansOfHosts);
  private final PathNode east = new PathNode(engine, "east", CONFIG, vlansOfHosts);
  private final Map<Long, FakeSwitch> switches = new HashMap<>();

  /** What switches confirmed, by operation and switch. */
  private final List<String> confirmed = Collections.synchronizedList(new ArrayList<>());

  PathServiceTest() {
    for (long dpid = 1; dpid <= 5; dpid++) {
      FakeSwitch one = new FakeSwitch(dpid, 4);
      one.onConfirmed = mod -> confirm(one, mod);
      switches.put(dpid, one);
    }
  }

  private FlowModOutcome confirm(FakeSwitch at, FlowMod mod) {
    confirmed.add(mod.operation() + " " + at.dpid());
    return new FlowModOutcome.Installed();
  }

  /** West masters switches 1 and 2, east 3 and 4; switch 5 has no master. */
  private void masterAll() {
    west.master(at(1));
    west.master(at(2));
    east.master(at(3));
    east.master(at(4));
  }

  private FakeSwitch at(long dpid) {
    return Objects.requireNonNull(switches.get(dpid));
  }

  @AfterEach
  void close() {
    west.close();
    east.close();
    engine.close();
    assertThat(west.fatal).isEmpty();
    assertThat(east.fatal).isEmpty();
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + DEADLINE_SECONDS + " s: " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  private static List<Hop> way(Long... dpids) {
    return PathModel.hops(List.of(dpids));
  }

  private static PathStatus at(PathNode node) {
    return Objects.requireNonNull(node.service.paths().get("video"));
  }

  /** The path as both nodes see it: the one that did not ask hears of the end a little later. */
  private PathStatus status() {
    await("both see the same", () -> at(east).equals(at(west)));
    return at(east);
  }

  private void awaitRest() {
    await(
        "the path rests",
        () ->
            List.of(west, east).stream()
                .map(node -> node.views.paths().known("video"))
                .allMatch(
                    row ->
                        row != null
                            && row.phase() == PathRow.Phase.STEADY
                            && row.wish() == null
                            && row.leftovers().isEmpty()));
  }

  private boolean pushes(long dpid) {
    return at(dpid).confirmed.stream()
        .flatMap(mod -> mod.treatment().allInstructions().stream())
        .anyMatch(PathServiceTest::isPush);
  }

  private static boolean isPush(Instruction instruction) {
    return instruction instanceof L2ModificationInstruction l2
        && l2.subtype() == L2ModificationInstruction.L2SubType.VLAN_PUSH;
  }

  @Test
  void theIngressComesBehindAllInnerSwitchesAndOldRulesGoBehindTheIngress() throws Exception {
    masterAll();
    assertThat(get(west.service.change("video", FLOW, way(1L, 2L, 3L, 4L)))).isEqualTo(DONE);
    assertThat(confirmed).hasSize(4).last().isEqualTo("ADD 1");
    int tag = status().tag();
    assertThat(CONFIG.isTag(tag)).isTrue();
    confirmed.clear();

    assertThat(get(east.service.change("video", FLOW, way(1L, 3L, 2L, 4L)))).isEqualTo(DONE);
    awaitRest();
    assertThat(confirmed.subList(0, 3)).containsExactlyInAnyOrder("ADD 2", "ADD 3", "ADD 4");
    assertThat(confirmed.get(3)).isEqualTo("ADD 1");
    assertThat(confirmed.subList(4, confirmed.size()))
        .containsExactlyInAnyOrder("DELETE_STRICT 2", "DELETE_STRICT 3", "DELETE_STRICT 4");
    assertThat(status().tag()).isNotEqualTo(tag);
    assertThat(east.views.tags().entries().keySet()).containsExactly(status().tag());
    assertThat(status().hops()).isEqualTo(way(1L, 3L, 2L, 4L));
    confirmed.clear();

    assertThat(get(west.service.remove("video"))).isEqualTo(DONE);
    await("the row is gone", () -> east.service.paths().isEmpty());
    assertThat(confirmed).hasSize(4).first().isEqualTo("DELETE_STRICT 1");
    await("no tag is taken", () -> east.views.tags().entries().isEmpty());
  }

  @Test
  void aNodeThatMastersNothingMovesAPathWhoseLeaderIsSilent() throws Exception {
    west.close(); // it would lead
    FakeSwitch ingress = at(5);
    PathNode third = new PathNode(engine, "third", CONFIG, vlansOfHosts);
    try {
      east.master(at(3));
      CompletableFuture<PathOutcome> change = third.service.change("video", FLOW, way(5L, 3L));
      await("the ingress is what is missing", () -> phaseIs(PathRow.Phase.SWITCH));
      third.master(ingress);
      assertThat(get(change)).isEqualTo(DONE);
    } finally {
      third.close();
    }
  }

  private boolean phaseIs(PathRow.Phase phase) {
    PathRow row = east.views.paths().known("video");
    return row != null && row.phase() == phase;
  }

  @Test
  void anIngressThatRefusesTagsDoesWithout() throws Exception {
    at(1).onConfirmed =
        mod ->
            mod.treatment().allInstructions().stream().anyMatch(PathServiceTest::isPush)
                ? new FlowModOutcome.Refused("BAD_ACTION/BAD_TYPE")
                : confirm(at(1), mod);
    masterAll();
    assertThat(get(west.service.change("video", FLOW, way(1L, 2L, 3L, 4L)))).isEqualTo(DONE);
    assertThat(pushes(1)).isTrue();
    assertThat(status().tag()).isZero();
    awaitRest();
    confirmed.clear();
    assertThat(get(west.service.change("video", FLOW, way(1L, 3L, 2L, 4L)))).isEqualTo(DONE);
    assertThat(confirmed).containsExactly("ADD 2", "ADD 3", "ADD 1");
    await("no tag is taken", () -> east.views.tags().entries().isEmpty());
  }

  @Test
  void aFullInnerSwitchLeavesTheOldPathAndSaysWhy() throws Exception {
    masterAll();
    assertThat(get(west.service.change("video", FLOW, way(1L, 2L, 4L)))).isEqualTo(DONE);
    at(3).onConfirmed = mod -> new FlowModOutcome.Refused("FLOW_MOD_FAILED/TABLE_FULL");
    PathOutcome outcome = get(east.service.change("video", FLOW, way(1L, 3L, 4L)));
    assertThat(outcome.done()).isFalse();
    assertThat(outcome.why()).contains("of:0000000000000003").contains("TABLE_FULL");
    assertThat(status().hops()).isEqualTo(way(1L, 2L, 4L));
    at(3).onConfirmed = mod -> confirm(at(3), mod);
    assertThat(get(east.service.change("video", FLOW, way(1L, 3L, 4L)))).isEqualTo(DONE);
  }

  @Test
  void aSwitchThatIsAwayHoldsAChangeUntilANewerOneComes() throws Exception {
    masterAll();
    assertThat(get(west.service.change("video", FLOW, way(1L, 2L, 4L)))).isEqualTo(DONE);
    CompletableFuture<PathOutcome> away = west.service.change("video", FLOW, way(1L, 5L, 4L));
    await("it prepares", () -> phaseIs(PathRow.Phase.PREPARE));
    assertThat(get(east.service.change("video", FLOW, way(1L, 3L, 4L)))).isEqualTo(DONE);
    assertThat(get(away)).isEqualTo(new PathOutcome(false, PathSteps.SUPERSEDED));
    await("only the switch that is away has a rule left", () -> at(east).leftovers() == 1);
    east.master(at(5));
    awaitRest();
    assertThat(east.views.tags().entries()).hasSize(1);
  }

  @Test
  void ofManyChangesAtOnceTheLastOneCountsAndNothingIsLeft() throws Exception {
    masterAll();
    List<CompletableFuture<PathOutcome>> all = new ArrayList<>();
    List<List<Hop>> ways =
        List.of(way(1L, 2L, 3L, 4L), way(1L, 3L, 2L, 4L), way(1L, 2L, 4L), way(1L, 3L, 4L));
    for (int i = 0; i < 40; i++) {
      PathNode asks = i % 2 == 0 ? west : east;
      all.add(asks.service.change("video", FLOW, ways.get(i % ways.size())));
    }
    int done = 0;
    for (CompletableFuture<PathOutcome> one : all) {
      PathOutcome outcome = get(one);
      done += outcome.done() ? 1 : 0;
      assertThat(outcome.done() || outcome.why().equals(PathSteps.SUPERSEDED))
          .as(outcome.why())
          .isTrue();
    }
    assertThat(done).isPositive();
    awaitRest();
    await("one tag is taken", () -> east.views.tags().entries().size() == 1);
    assertThat(ways).contains(status().hops());
  }

  @Test
  void tagsOfHostsAreLeftOutAndWithoutAnyTagThePathGoesUntagged() throws Exception {
    vlansOfHosts.addAll(List.of(101, 102, 103));
    masterAll();
    assertThat(get(west.service.change("video", FLOW, way(1L, 2L, 4L)))).isEqualTo(DONE);
    assertThat(status().tag()).isEqualTo(104);
    PathFlow other = new PathFlow(FLOW.selector(), 2);
    assertThat(get(west.service.change("audio", other, way(1L, 2L, 4L)))).isEqualTo(DONE);
    assertThat(west.service.paths().get("audio")).matches(path -> path.tag() == 0);
  }

  @Test
  void whatCannotBeAPathIsRefusedWithItsReason() throws Exception {
    masterAll();
    assertThatThrownBy(() -> west.service.change("a path", FLOW, way(1L)))
        .hasMessageContaining("'a path'");
    assertThatThrownBy(() -> west.service.change("p", FLOW, List.of()))
        .hasMessageContaining("no switch");
    PathFlow tagged =
        new PathFlow(
            DefaultTrafficSelector.builder().matchVlanId(VlanId.vlanId((short) 104)).build(), 1);
    assertThatThrownBy(() -> west.service.change("p", tagged, way(1L)))
        .hasMessageContaining("VLAN 104 is kept for the tags of paths");
    assertThat(get(west.service.change("p", FLOW, way(1L)))).isEqualTo(DONE);
    PathFlow other = new PathFlow(FLOW.selector(), 2);
    assertThat(get(west.service.change("p", other, way(1L))).why()).contains("of another flow");
    assertThat(get(west.service.change("q", FLOW, way(1L))).why())
        .isEqualTo("path p is of the same flow");
    assertThat(get(west.service.remove("nonesuch"))).isEqualTo(DONE);
  }
}
