package io.lockstep.deploy.ovs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.admin.NodeReport.SwitchReport;
import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.testbed.NodeProcess;
import io.lockstep.keys.KeyFiles;
import io.lockstep.keys.PeerRole;
import io.lockstep.keys.pki.Authority;
import io.lockstep.keys.pki.IssueOrder;
import io.lockstep.openflow.channel.ovs.OpenVSwitch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Open vSwitch over TLS, at a node that allows plain TCP for one switch. */
class SwitchTlsIT {
  @TempDir private Path directory;

  private static boolean has(NodeReport report, String dpid) {
    return report.switches().stream()
        .anyMatch(one -> one.dpid().equals(dpid) && !one.connectedTo().isEmpty());
  }

  private static String dpid(long number) {
    return String.format(Locale.ROOT, "%016x", number);
  }

  private static Authority authority(Path pki) throws Exception {
    return Authority.open(pki, InstantSource.system(), new SecureRandom());
  }

  private static KeyFiles issue(Authority authority, PeerRole role, String name, List<Long> dpids)
      throws Exception {
    return authority.issue(new IssueOrder(role, name, List.of(), dpids, 30));
  }

  @Test
  void switchIsTheOneThatItsCertificateNames() throws Exception {
    OpenVSwitch.assumeAvailable();
    Path pki = directory.resolve("pki");
    Authority.init(pki, "tls", 30, InstantSource.system(), new SecureRandom());
    KeyFiles edge;
    try (Authority authority = authority(pki)) {
      issue(authority, PeerRole.NODE, "n1", List.of());
      edge = issue(authority, PeerRole.SWITCH, "edge-1", List.of(1L));
    }
    try (PortBlock ports = PortBlock.take();
        OpenVSwitch ovs = OpenVSwitch.start(Files.createDirectories(directory.resolve("ovs")));
        NodeProcess node =
            new NodeProcess(
                "n1",
                "node",
                configuration(ports),
                directory.resolve("n1.log"),
                "127.0.0.1:" + ports.port(5))) {
      node.start();
      node.awaitReady();
      ovs.vsctl(
          "set-ssl",
          edge.privateKey().toString(),
          edge.certificate().toString(),
          edge.authority().toString());
      String tls = "ssl:127.0.0.1:" + ports.port(4);
      String plain = "tcp:127.0.0.1:" + ports.port(4);

      ovs.addBridge("s1", 1, tls);
      node.await("the switch is there", report -> has(report, dpid(1)));
      // All bridges show the same certificate.
      ovs.addBridge("s2", 2, tls);
      node.awaitLog("its certificate (edge-1) is for switch 1, and it says to be switch 2");
      ovs.addBridge("s3", 3, plain);
      node.awaitLog("openflow.plain does not allow switch 3 without TLS from 127.0.0.1");
      ovs.addBridge("s9", 9, plain);
      node.await("the switch of the rule is there", report -> has(report, dpid(9)));
      assertThat(node.report().switches())
          .extracting(SwitchReport::dpid)
          .containsExactlyInAnyOrder(dpid(1), dpid(9));

      try (Authority authority = authority(pki)) {
        assertThat(authority.revoke("switch/edge-1")).hasSize(1);
      }
      node.await("the revoked switch is gone", report -> !has(report, dpid(1)));
      node.awaitLog("revoked");
      assertThat(has(node.report(), dpid(9))).isTrue();
    }
  }

  private Path configuration(PortBlock ports) throws Exception {
    return Files.writeString(
        directory.resolve("n1.yaml"),
        """
        cluster: tls
        node: n1
        members: [{id: n1, host: 127.0.0.1, storePort: %d}]
        openflow:
          host: 127.0.0.1
          port: %d
          plain: [{switches: [9], addresses: [127.0.0.1]}]
        admin: {port: %d}
        domains: [{name: all, switches: [1-9]}]
        keys: {directory: pki/node-n1}
        state: memory
        """
            .formatted(ports.port(1), ports.port(4), ports.port(5)));
  }
}
