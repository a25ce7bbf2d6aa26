package io.lockstep.core.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lockstep.core.flow.RoomRules;
import io.lockstep.core.path.PathRow.Phase;
import io.lockstep.core.path.PathRow.Settled;
import io.lockstep.core.path.PathRow.Wish;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.Criteria;

/** What the store has of a path, and what switches get of it. */
class PathTableTest {
  private static final PathTable TABLE = new PathTable();
  private static final TrafficSelector TO_HOST =
      DefaultTrafficSelector.builder().matchEthDst(MacAddress.valueOf("02:00:00:00:00:02")).build();
  private static final PathFlow FLOW = new PathFlow(TO_HOST, 40_000);
  private static final PathRow ROW =
      new PathRow(
          FLOW,
          Phase.DRAIN,
          0,
          new Route(3_600, List.of(new Hop(1, 2), new Hop(2, 3))),
          new Route(3_601, List.of(new Hop(1, 3), new Hop(3, 3))),
          6,
          new Wish(7, List.of(new Hop(9, 1))),
          Set.of(new PathSlot(5, 3_599)),
          true,
          7,
          new Settled(5, "full"),
          "no");

  @Test
  void rowsKeepWhatTheyAre() {
    assertThat(TABLE.decodeValue(TABLE.encodeValue(ROW))).isEqualTo(ROW);
    PathRow empty = PathRow.none(FLOW);
    assertThat(TABLE.decodeValue(TABLE.encodeValue(empty))).isEqualTo(empty);
    assertThat(TABLE.decodeKey(TABLE.encodeKey("video"))).isEqualTo("video");
    TagTable tags = new TagTable();
    assertThat(tags.decodeKey(tags.encodeKey(4_094))).isEqualTo(4_094);
    assertThat(tags.decodeValue(tags.encodeValue("video"))).isEqualTo("video");
  }

  @Test
  void rowsLookTheSameToNodesOfOtherVersions() {
    String hop = "0000000000000001";
    assertThat(TABLE.encodeValue(PathRow.none(FLOW)).toString())
        .isEqualTo(
            "01"
                + "0102020000000002"
                + "00009c40"
                + "00"
                + "00000000"
                + "000000"
                + "000000"
                + "0000000000000000"
                + "00"
                + "00"
                + "00"
                + "0000000000000000"
                + "0000000000000000"
                + "00"
                + "00");
    PathRow wishing = PathRow.none(FLOW).wishing(List.of(new Hop(1, 1)));
    assertThat(TABLE.encodeValue(wishing).toString())
        .contains("01" + hop + "01" + hop + hop + "00");
  }

  @Test
  void anythingThatIsCutOffOrUnknownIsRefused() {
    byte[] whole = TABLE.encodeValue(ROW).toArray();
    for (int length = 0; length < whole.length; length++) {
      Bytes cut = Bytes.copyOf(Arrays.copyOf(whole, length));
      assertThat(catchThrowable(() -> TABLE.decodeValue(cut))).as("%d bytes", length).isNotNull();
    }
    byte[] later = whole.clone();
    later[0] = 2;
    assertThat(catchThrowable(() -> TABLE.decodeValue(Bytes.copyOf(later)))).isNotNull();
    Bytes noStep = TABLE.encodeValue(ROW.in(Phase.SWITCH, 1));
    assertThatThrownBy(() -> TABLE.decodeValue(noStep)).hasMessageContaining("step 1 of 1");
    Bytes longer = Bytes.copyOf(Arrays.copyOf(whole, whole.length + 1));
    assertThat(catchThrowable(() -> TABLE.decodeValue(longer))).isNotNull();
  }

  @Test
  void theLargestRowAndItsBatchFitTheStore() {
    List<Hop> hops = new ArrayList<>();
    List<Hop> others = new ArrayList<>();
    for (int i = 0; i < Route.MAX_HOPS; i++) {
      hops.add(new Hop(i + 1, 1));
      others.add(new Hop(i + 1, 2));
    }
    Set<PathSlot> left = new LinkedHashSet<>();
    for (int i = 0; i < PathRow.MAX_LEFTOVERS; i++) {
      left.add(new PathSlot(i, 1 + i));
    }
    PathRow row =
        new PathRow(
            FLOW,
            Phase.REVERT,
            0,
            new Route(1, hops),
            new Route(2, others),
            Long.MAX_VALUE,
            new Wish(1, hops),
            left,
            true,
            Long.MAX_VALUE,
            new Settled(1, "\u20ac".repeat(1_000)),
            "\u20ac".repeat(1_000));
    Bytes bytes = TABLE.encodeValue(row);
    assertThat(bytes.length()).isLessThan(16 << 10);
    assertThat(TABLE.decodeValue(bytes)).isEqualTo(row);
    Command.Batch batch =
        PathBatches.of(
            "video",
            FLOW,
            1,
            new NextStep.Write(row, row.target().rules(), row.current().rules(), 2, Set.of(1)));
    assertThat(batch.commands()).hasSize(1 + 1 + 1 + 2 * Route.MAX_HOPS);
    assertThat(batch.guards()).hasSize(2);
  }

  @Test
  void untaggedFlowsGetATagPushedAndTakenOff() {
    List<FlowRule> rules = rules(FLOW, new Route(3_600, PathModel.hops(List.of(1L, 2L, 3L))));
    assertThat(rules.get(0).selector().getCriterion(Criteria.matchVlanId(VlanId.NONE).type()))
        .isEqualTo(Criteria.matchVlanId(VlanId.NONE));
    assertThat(rules.get(0).treatment())
        .isEqualTo(
            DefaultTrafficTreatment.builder()
                .pushVlan()
                .setVlanId(VlanId.vlanId((short) 3_600))
                .setOutput(PortNumber.portNumber(2))
                .build());
    assertThat(rules.get(1).selector().getCriterion(Criteria.matchVlanId(VlanId.NONE).type()))
        .isEqualTo(Criteria.matchVlanId(VlanId.vlanId((short) 3_600)));
    assertThat(rules.get(1).treatment().allInstructions()).hasSize(1);
    assertThat(rules.get(2).treatment())
        .isEqualTo(
            DefaultTrafficTreatment.builder()
                .popVlan()
                .setOutput(PortNumber.portNumber(PathModel.HOST))
                .build());
    assertThat(rules).allMatch(rule -> rule.priority() == 40_000 && rule.isPermanent());
    assertThat(rules.get(0).id()).isNotEqualTo(rules.get(1).id());
    assertThat(rules.get(1).id()).isEqualTo(rules.get(2).id());
  }

  @Test
  void flowsOfAVlanHaveItRewrittenAndPutBack() {
    PathFlow flow =
        new PathFlow(
            DefaultTrafficSelector.builder(TO_HOST).matchVlanId(VlanId.vlanId((short) 10)).build(),
            1);
    List<FlowRule> rules = rules(flow, new Route(3_600, PathModel.hops(List.of(1L, 2L))));
    assertThat(rules.get(0).treatment())
        .isEqualTo(
            DefaultTrafficTreatment.builder()
                .setVlanId(VlanId.vlanId((short) 3_600))
                .setOutput(PortNumber.portNumber(2))
                .build());
    assertThat(rules.get(1).treatment())
        .isEqualTo(
            DefaultTrafficTreatment.builder()
                .setVlanId(VlanId.vlanId((short) 10))
                .setOutput(PortNumber.portNumber(PathModel.HOST))
                .build());
  }

  private static List<FlowRule> rules(PathFlow flow, Route route) {
    return route.rules().stream().map(rule -> PathRules.rule("video", flow, rule)).toList();
  }

  @Test
  void aRuleThatTheStoreCannotHaveIsRefusedWhereItIsAsked() {
    assertThat(RoomRules.put(rules(FLOW, new Route(0, PathModel.hops(List.of(1L)))).get(0)))
        .isInstanceOf(Command.Put.class);
    assertThatThrownBy(() -> flow(DefaultTrafficSelector.builder().matchInPort(PortNumber.P0)))
        .hasMessageContaining("IN_PORT");
    assertThatThrownBy(() -> flow(DefaultTrafficSelector.builder().matchVlanId(VlanId.ANY)))
        .hasMessageContaining("one VLAN");
    assertThatThrownBy(() -> new PathFlow(TO_HOST, 65_535)).hasMessageContaining("65535");
    assertThatThrownBy(() -> new Hop(1, PortNumber.CONTROLLER.toLong()))
        .hasMessageContaining("physical port");
    assertThat(flow(DefaultTrafficSelector.builder().matchIPDst(IpPrefix.valueOf("10.0.0.0/8"))))
        .isNotNull();
  }

  private static PathFlow flow(TrafficSelector.Builder selector) {
    return new PathFlow(selector.build(), 1);
  }
}
