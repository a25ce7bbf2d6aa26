package io.lockstep.walks;

import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.deploy.testbed.OneNode;
import io.lockstep.walks.Repetitions.Marks;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.HostId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.host.HostService;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketOut;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.MacAddress;

/** The walks through one node with the learning switch: packet-ins and a direct rule. */
final class NodeWalks implements AutoCloseable {
  private static final long DPID = 1;
  private static final int SOURCES_PORT = 1;
  private static final int DESTINATION_PORT = 2;
  private static final PlayedHost DESTINATION = new PlayedHost(1);
  // The switch keeps no entries, so the node must not read them back during the run.
  private static final long READ_BACK_MILLIS = TimeUnit.HOURS.toMillis(1);

  private final OneNode node;
  private final PlayedSwitch played;
  private int hosts = DESTINATION.number();

  private NodeWalks(OneNode node, PlayedSwitch played) {
    this.node = node;
    this.played = played;
  }

  static Map<Walk, List<Window>> record() throws Exception {
    Map<Walk, List<Window>> windows = new EnumMap<>(Walk.class);
    try (OneNode node = OneNode.start(SwitchProfiles.NONE, READ_BACK_MILLIS);
        NodeWalks walks = new NodeWalks(node, PlayedSwitch.connect(DPID, node.address()))) {
      walks.awaitForwarding();
      windows.put(Walk.PACKET_IN_KNOWN, Repetitions.of((number, marks) -> walks.known(marks)));
      windows.put(Walk.PACKET_IN_NEW, Repetitions.of((number, marks) -> walks.unknown(marks)));
      windows.put(Walk.DIRECT_RULE, Repetitions.of(walks::rule));
    }
    return windows;
  }

  /** Until the node masters the switch and knows where the destination is. */
  private void awaitForwarding() throws Exception {
    Await.until(
        "the node masters the switch",
        () ->
            node.status().switches().stream()
                .anyMatch(one -> one.dpid() == DPID && one.mastered() && one.available()));
    Await.until(
        "the destination is learned",
        () -> {
          played.packetIn(DESTINATION_PORT, DESTINATION.announcement());
          PlayedHost source = nextHost();
          CompletableFuture<Void> answered = played.expect(answerTo(source), () -> {});
          played.packetIn(SOURCES_PORT, source.packetTo(DESTINATION));
          return isDone(answered);
        });
  }

  private static boolean isDone(CompletableFuture<Void> answered) throws Exception {
    try {
      answered.get(500, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  private PlayedHost nextHost() {
    return new PlayedHost(++hosts);
  }

  private void known(Marks marks) throws Exception {
    PlayedHost source = nextHost();
    played.packetIn(SOURCES_PORT, source.announcement());
    HostService known = node.service(HostService.class);
    Await.until("the source is known", () -> known.getHost(HostId.hostId(source.mac())) != null);
    Repetitions.quietGap(source.number());
    packetIn(source, marks);
  }

  private void unknown(Marks marks) throws Exception {
    packetIn(nextHost(), marks);
  }

  private void packetIn(PlayedHost source, Marks marks) throws Exception {
    CompletableFuture<Void> answered = played.expect(answerTo(source), marks::end);
    byte[] frame = source.packetTo(DESTINATION);
    marks.begin();
    played.packetIn(SOURCES_PORT, frame);
    answered.get(Await.PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Accepts the packet-out with the source's frame, behind a flow-mod for the source. */
  private static Predicate<OFMessage> answerTo(PlayedHost source) {
    byte[] mac = source.mac().toBytes();
    boolean[] installed = new boolean[1];
    return message -> {
      if (message instanceof OFFlowMod mod) {
        MacAddress matched = mod.getMatch().get(MatchField.ETH_SRC);
        installed[0] |= matched != null && Arrays.equals(matched.getBytes(), mac);
      }
      // A frame begins with the addresses of destination and source, of six bytes each.
      return installed[0]
          && message instanceof OFPacketOut out
          && Arrays.equals(out.getData(), 6, 12, mac, 0, 6);
    };
  }

  private void rule(int number, Marks marks) throws Exception {
    PlayedHost destination = nextHost();
    FlowRule rule = ruleTo(destination);
    byte[] mac = destination.mac().toBytes();
    CompletableFuture<Void> sent =
        played.expect(
            message -> {
              MacAddress matched =
                  message instanceof OFFlowMod mod ? mod.getMatch().get(MatchField.ETH_DST) : null;
              return matched != null && Arrays.equals(matched.getBytes(), mac);
            },
            marks::end);
    FlowRuleService rules = node.service(FlowRuleService.class);
    marks.begin();
    rules.applyFlowRules(rule);
    sent.get(Await.PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private static FlowRule ruleTo(PlayedHost destination) {
    return DefaultFlowRule.builder()
        .forDevice(DeviceId.deviceId("of:%016x".formatted(DPID)))
        .fromApp(new DefaultApplicationId(77, "walks"))
        .withPriority(100)
        .makePermanent()
        .withSelector(DefaultTrafficSelector.builder().matchEthDst(destination.mac()).build())
        .withTreatment(
            DefaultTrafficTreatment.builder()
                .setOutput(PortNumber.portNumber(DESTINATION_PORT))
                .build())
        .build();
  }

  @Override
  public void close() throws IOException {
    played.close();
  }
}
