package io.lockstep.deploy.node;

import io.lockstep.core.cluster.DpidRange;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.config.NodeSettings.OpenFlow;
import io.lockstep.keys.LinkFailure;
import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.LinkRefusal;
import io.lockstep.keys.PeerIdentity;
import io.lockstep.keys.PeerRole;
import io.lockstep.keys.RefusedPeerException;
import io.lockstep.openflow.channel.access.Credential;
import io.lockstep.openflow.channel.access.PlainRule;
import io.lockstep.openflow.channel.access.SwitchAccess;
import io.lockstep.openflow.channel.access.SwitchTls;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.net.InetAddress;
import java.util.List;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.IpAddress;

/** TLS of switches with the keys of this process. Thread-safe. */
final class SwitchKeys implements SwitchTls {
  private static final int IPV4_LOOPBACK_BITS = 8;
  private static final int IPV6_BITS = 128;

  private final LinkKeys keys;

  private SwitchKeys(LinkKeys keys) {
    this.keys = keys;
  }

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
    return SwitchAccess.of(keys == null ? null : new SwitchKeys(keys), plain);
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

  @Override
  public SslHandler serve(ChannelPipeline pipeline) {
    // Open vSwitch of Debian 12 speaks 1.3; older switches do not.
    return keys.serve(pipeline, true);
  }

  @Override
  public Credential.Certificate certificate(SSLSession session, Channel channel, Runnable ended)
      throws RefusedPeerException {
    PeerIdentity peer = keys.peer(session);
    if (peer.role() != PeerRole.SWITCH) {
      throw new RefusedPeerException(
          LinkRefusal.WRONG_ROLE,
          "its certificate is of " + peer + ": issue it one with --role switch");
    }
    LinkKeys.Watch watch = keys.watch(peer, ended);
    channel.closeFuture().addListener(closed -> watch.close());
    return new Credential.Certificate(
        peer.name(), peer.dpids().stream().map(dpid -> new DpidRange(dpid, dpid)).toList());
  }

  @Override
  public String failed(Throwable failure) {
    LinkFailure reason =
        LinkFailure.of(failure)
            .orElseGet(
                () ->
                    new LinkFailure(
                        LinkRefusal.BROKEN_TLS, "its connection failed: " + failure.getMessage()));
    keys.count(reason.refusal());
    return reason.text();
  }
}
