package io.lockstep.deploy.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.learningswitch.LearningSwitch;
import io.lockstep.dataplane.flowtable.FlowMatch;
import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.profile.ProfileFile;
import io.lockstep.dataplane.topology.TopologyBuilder;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.OneNode;
import io.lockstep.placer.profile.BuiltInProfiles;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onosproject.net.host.HostService;

/**
 * The learning switch on a switch with bounded tables: the node narrows its entries to the
 * addresses that hosts claim (adr/0049), and a host that moves is followed.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class LearnedEntriesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration SOON = Duration.ofSeconds(3);
  private static final int NEW_PORT = 9;

  private static void await(EmulatedNetwork network, String what, Callable<Boolean> condition) {
    Await.until(what, PATIENCE, condition, () -> learned(network).toString());
  }

  /** The matches of the learning switch's entries in the first table. */
  private static List<FlowMatch> learned(EmulatedNetwork network) {
    return network
        .switchNamed("s1")
        .inspect(
            model ->
                model.pipeline().tables().get(0).entries().stream()
                    .filter(entry -> entry.priority() == LearningSwitch.PRIORITY)
                    .map(entry -> entry.match())
                    .toList())
        .join();
  }

  private static boolean isOfMovedHost(FlowMatch match) {
    return match.uses(OxmField.IPV4_DST) && match.value(OxmField.IN_PORT.slot()) == NEW_PORT;
  }

  private static boolean knowsAddresses(OneNode node, int hosts) {
    int known = 0;
    for (var host : node.service(HostService.class).getHosts()) {
      known += host.ipAddresses().isEmpty() ? 0 : 1;
    }
    return known == hosts;
  }

  @Test
  void entriesMatchTheAddressesOfTheirHostsAndAMovedHostIsFollowed() throws Exception {
    try (OneNode node = OneNode.start(Models.only(BuiltInProfiles.get("ovs-small")));
        EmulatedNetwork network =
            EmulatedNetwork.start(
                new TopologyBuilder("one")
                    .addSwitch("s1", 1, "d", ProfileFile.builtIn("ovs-small"))
                    .host("s1")
                    .host("s1")
                    .build(),
                List.of(node.address()))) {
      await(
          network,
          "the addresses of both hosts are known",
          () -> {
            network.hosts().forEach(EmulatedHost::announce);
            return knowsAddresses(node, 2);
          });
      await(
          network,
          "both directions have an entry for the hosts' addresses",
          () ->
              network.ping("h1", "h2", SOON).join().complete()
                  && learned(network).stream().filter(one -> one.uses(OxmField.IPV4_DST)).count()
                      == 2);
      assertThat(learned(network))
          .allMatch(one -> one.fields().contains(OxmField.ETH_TYPE))
          .allMatch(one -> one.uses(OxmField.IN_PORT) && one.uses(OxmField.ETH_SRC))
          .allMatch(one -> one.uses(OxmField.VLAN_VID) && one.uses(OxmField.ETH_DST));

      network.moveHost("h1", "s1", NEW_PORT);
      await(
          network,
          "packets get to the moved host, and what it sends has an entry",
          () ->
              network.ping("h2", "h1", SOON).join().complete()
                  && learned(network).stream().anyMatch(LearnedEntriesIT::isOfMovedHost));
    }
  }
}
