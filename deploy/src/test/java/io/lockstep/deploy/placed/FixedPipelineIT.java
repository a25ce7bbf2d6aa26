package io.lockstep.deploy.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.learningswitch.LearningSwitch;
import io.lockstep.core.flow.IntendedRules;
import io.lockstep.core.flow.RuleInstaller;
import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.core.node.NetworkRoom;
import io.lockstep.dataplane.flowtable.Action;
import io.lockstep.dataplane.flowtable.FlowEntry;
import io.lockstep.dataplane.flowtable.FlowMatch;
import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.GroupMod;
import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.profile.ProfileFile;
import io.lockstep.dataplane.topology.TopologyBuilder;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.OneNode;
import io.lockstep.placer.profile.ProfileReader;
import io.lockstep.placer.profile.SwitchProfile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.host.HostService;

/**
 * A node and two emulated switches with the pipeline of OF-DPA, which refuse what its specification
 * does not allow: the learning switch forwards, rules of {@code FlowRuleService} have the effect
 * that they say, and what the ports need comes back after it was lost.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class FixedPipelineIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration SOON = Duration.ofSeconds(3);
  private static final Duration FOR_NOTHING = Duration.ofMillis(500);
  private static final DeviceId FIRST = DeviceId.deviceId("of:0000000000000001");
  private static final DeviceId SECOND = DeviceId.deviceId("of:0000000000000002");
  private static final int VLAN_TABLE = 10;
  private static final int ACL = 60;
  private static final int EXAMPLE_TABLE = 5;
  private static final short IPV4 = 0x0800;

  private static <T> T inspect(EmulatedNetwork network, Function<SwitchModel, T> question) {
    return network.switchNamed("s1").inspect(question).join();
  }

  private static List<FlowEntry> entries(SwitchModel model, int table) {
    return model.pipeline().tables().stream()
        .filter(one -> one.id() == table)
        .flatMap(one -> one.entries().stream())
        .toList();
  }

  private static List<FlowEntry> learned(EmulatedNetwork network) {
    return inspect(
        network,
        model ->
            entries(model, ACL).stream()
                .filter(entry -> entry.priority() == LearningSwitch.PRIORITY)
                .toList());
  }

  private static void await(EmulatedNetwork network, String what, Callable<Boolean> condition) {
    Await.until(
        what,
        PATIENCE,
        condition,
        () -> inspect(network, model -> entries(model, ACL)) + " " + learned(network));
  }

  private static FlowRule rule(TrafficSelector selector, TrafficTreatment treatment, int priority) {
    return DefaultFlowRule.builder()
        .forDevice(FIRST)
        .fromApp(new DefaultApplicationId(7, "fixed"))
        .withPriority(priority)
        .withSelector(selector)
        .withTreatment(treatment)
        .makePermanent()
        .build();
  }

  private static FlowEntryState state(IntendedRules rules, FlowRule rule) {
    var entry = rules.getFlowEntry(rule);
    return entry == null ? FlowEntryState.PENDING_ADD : entry.state();
  }

  private static PlacementReport report(OneNode node) throws Exception {
    PlacementReport report =
        node.service(NetworkRoom.class)
            .askRules(RuleInstaller::reports)
            .get(30, TimeUnit.SECONDS)
            .get(1L);
    return Objects.requireNonNull(report);
  }

  @Test
  void learningSwitchAndRulesRunOnThePipelineOfOfDpa() throws Exception {
    try (OneNode node = OneNode.start(SwitchProfiles.NONE, 500);
        EmulatedNetwork network =
            EmulatedNetwork.start(
                new TopologyBuilder("two")
                    .addSwitch("s1", 1, "d", ProfileFile.builtIn("of-dpa"))
                    .addSwitch("s2", 2, "d", ProfileFile.builtIn("of-dpa"))
                    .host("s1")
                    .host("s2")
                    .link("s1", "s2")
                    .build(),
                List.of(node.address()))) {
      theLearningSwitchForwards(node, network);
      rulesHaveTheirEffect(node, network);
      whatThePortsNeedComesBack(network);
      assertThat(node.service(NetworkRoom.class).shownNetwork().cannotRewrite())
          .as("its table cannot rewrite addresses, so it balances nothing")
          .containsExactly(FIRST, SECOND);
    }
  }

  private static void theLearningSwitchForwards(OneNode node, EmulatedNetwork network)
      throws Exception {
    await(
        network,
        "both hosts are known",
        () -> {
          network.hosts().forEach(EmulatedHost::announce);
          return node.service(HostService.class).getHostCount() == 2;
        });
    await(
        network,
        "both directions have an entry for the hosts' addresses",
        () ->
            network.ping("h1", "h2", SOON).join().complete()
                && learned(network).stream()
                        .filter(one -> one.match().uses(OxmField.IPV4_DST))
                        .count()
                    == 2);
    assertThat(report(node).profile()).isEqualTo("of-dpa");
    assertThat(learned(network))
        .allMatch(one -> one.match().value(OxmField.VLAN_VID.slot()) == 0x1001)
        .allMatch(one -> one.instructions().write().get(0) instanceof Action.Group);
    await(
        network,
        "the entries carry the traffic",
        () -> {
          long before = packets(network);
          return network.ping("h1", "h2", SOON).join().complete() && packets(network) > before;
        });
  }

  private static long packets(EmulatedNetwork network) {
    return learned(network).stream().mapToLong(FlowEntry::packets).sum();
  }

  private static void rulesHaveTheirEffect(OneNode node, EmulatedNetwork network) {
    IntendedRules rules = (IntendedRules) node.service(FlowRuleService.class);
    TrafficSelector toSecond =
        DefaultTrafficSelector.builder()
            .matchEthType(IPV4)
            .matchIPDst(IpPrefix.valueOf(network.hostNamed("h2").address().value(), 32))
            .build();
    FlowRule deny = rule(toSecond, DefaultTrafficTreatment.builder().drop().build(), 300);
    FlowRule wide =
        rule(
            DefaultTrafficSelector.builder().matchEthSrc(MacAddress.NONE).build(),
            DefaultTrafficTreatment.builder().drop().build(),
            301);
    FlowRule tagged =
        rule(
            DefaultTrafficSelector.builder(toSecond).matchVlanId(VlanId.vlanId((short) 7)).build(),
            DefaultTrafficTreatment.builder().drop().build(),
            302);
    FlowRule open =
        rule(
            toSecond,
            DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(1)).build(),
            303);
    rules.applyFlowRules(deny, wide, tagged, open);
    await(network, "the deny is there", () -> state(rules, deny) == FlowEntryState.ADDED);
    for (FlowRule refused : List.of(wide, tagged, open)) {
      await(network, "refused", () -> state(rules, refused) == FlowEntryState.FAILED);
    }
    assertThat(network.ping("h1", "h2", FOR_NOTHING).join().complete()).as("denied").isFalse();
    rules.removeFlowRules(deny, wide, tagged, open);
    await(network, "open again", () -> network.ping("h1", "h2", SOON).join().complete());
  }

  private static void whatThePortsNeedComesBack(EmulatedNetwork network) {
    int ports = inspect(network, model -> model.ports().size());
    List<FlowEntry> ofPorts = inspect(network, model -> entries(model, VLAN_TABLE));
    assertThat(ofPorts).hasSize(2 * ports).allMatch(entry -> entry.cookie() == Cookies.PORT_ENTRY);
    inspect(
        network,
        model -> {
          model.pipeline().apply(FlowMod.delete(FlowMatch.ANY).inTable(VLAN_TABLE), 0);
          return model
              .pipeline()
              .apply(
                  new GroupMod(GroupMod.Command.DELETE, true, GroupMod.ALL_GROUPS, List.of()), 0);
        });
    await(
        network,
        "groups and entries of the ports are back, and packets pass",
        () ->
            inspect(network, model -> entries(model, VLAN_TABLE)).size() == 2 * ports
                && inspect(network, model -> model.pipeline().groups().groups()).size() == ports
                && network.ping("h1", "h2", SOON).join().complete());
  }

  /** The documents' example of a further pipeline: both of its files, as they are there. */
  @Test
  void theExampleOfTheDocumentsForwards() throws Exception {
    List<String> files = yaml(Files.readString(Path.of("../docs/SWITCHES.md")), "name: acme");
    assertThat(files).hasSize(2);
    SwitchProfile profile = ProfileReader.read("acme.yaml", files.get(0));
    try (OneNode node = OneNode.start(Models.only(profile), 500);
        EmulatedNetwork network =
            EmulatedNetwork.start(
                new TopologyBuilder("one")
                    .addSwitch("s1", 1, "d", ProfileFile.parse("acme-emulated", files.get(1)))
                    .host("s1")
                    .host("s1")
                    .build(),
                List.of(node.address()))) {
      Await.until(
          "both directions have an entry",
          PATIENCE,
          () ->
              network.ping("h1", "h2", SOON).join().complete()
                  && inspect(network, model -> entries(model, EXAMPLE_TABLE)).stream()
                          .filter(one -> one.priority() == LearningSwitch.PRIORITY)
                          .filter(one -> one.packets() > 0)
                          .count()
                      >= 2,
          () -> inspect(network, model -> entries(model, EXAMPLE_TABLE)).toString());
      assertThat(report(node).profile()).isEqualTo("acme");
    }
  }

  /** The YAML of a document that begins with a line. */
  private static List<String> yaml(String document, String first) {
    String begin = "```yaml\n";
    List<String> found = new ArrayList<>();
    for (int at = document.indexOf(begin); at >= 0; at = document.indexOf(begin, at + 1)) {
      String text = document.substring(at + begin.length(), document.indexOf("```\n", at + 3));
      if (text.startsWith(first)) {
        found.add(text);
      }
    }
    return found;
  }
}
