package io.lockstep.deploy.node;

import io.lockstep.core.cluster.DpidRange;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.config.NodeSettings.OpenFlow;
import io.lockstep.keys.Fingerprint;
import io.lockstep.keys.LinkKeys;
import io.lockstep.openflow.channel.access.PlainRule;
import io.lockstep.openflow.channel.access.SwitchAccess;
import io.lockstep.openflow.channel.access.SwitchKeys;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.IpAddress;

/** Which switches may connect, by the configuration of a node. */
final class SwitchRules {
  private static final int IPV4_LOOPBACK_BITS = 8;
  private static final int IPV6_BITS = 128;

  private SwitchRules() {}

  /**
   * Which connections may be which switch. Without keys, those of this machine may be all where
   * nobody else can reach the port, and so may all where the file says that it is insecure.
   *
   * @param keys of this process; null where it has none
   */
  static SwitchAccess access(NodeSettings settings, @Nullable LinkKeys keys) {
    OpenFlow openflow = settings.openflow();
    boolean local = openflow.listensOnLoopback();
    if (settings.security().insecure() || (keys == null && local && openflow.plain().isEmpty())) {
      return SwitchAccess.anyone();
    }
    List<PlainRule> plain =
        local && openflow.plain().isEmpty() ? loopback() : rules(openflow.plain());
    return SwitchAccess.of(keys == null ? null : new SwitchKeys(keys, listed(openflow)), plain);
  }

  private static Map<Fingerprint, List<DpidRange>> listed(OpenFlow openflow) {
    return openflow.listed().stream()
        .collect(
            Collectors.toMap(
                NodeSettings.ListedCertificate::fingerprint,
                one ->
                    one.switches().stream()
                        .map(range -> new DpidRange(range.first(), range.last()))
                        .toList()));
  }

  private static List<PlainRule> loopback() {
    InetAddress four = IpAddress.valueOf("127.0.0.1").toInetAddress();
    InetAddress six = IpAddress.valueOf("::1").toInetAddress();
    return List.of(
        new PlainRule(DpidRange.all(), four, IPV4_LOOPBACK_BITS),
        new PlainRule(DpidRange.all(), six, IPV6_BITS));
  }

  private static List<PlainRule> rules(List<NodeSettings.PlainSwitches> items) {
    return items.stream()
        .flatMap(
            item ->
                item.switches().stream()
                    .flatMap(
                        range ->
                            item.networks().stream()
                                .map(
                                    network ->
                                        new PlainRule(
                                            new DpidRange(range.first(), range.last()),
                                            network.address(),
                                            network.prefixBits()))))
        .toList();
  }
}
