package io.lockstep.openflow.channel.access;

import io.lockstep.core.cluster.DpidRange;
import io.lockstep.keys.Fingerprint;
import io.lockstep.keys.LinkFailure;
import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.LinkRefusal;
import io.lockstep.keys.PeerIdentity;
import io.lockstep.keys.PeerRole;
import io.lockstep.keys.RefusedPeerException;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSession;

/** TLS of switches with the keys of a process. Thread-safe. */
public final class SwitchKeys implements SwitchTls {
  private final LinkKeys keys;
  private final Map<Fingerprint, List<DpidRange>> listed;

  /** With these keys; who opened them looks for new ones. */
  public SwitchKeys(LinkKeys keys) {
    this(keys, Map.of());
  }

  /**
   * The same with certificates that are listed, whoever signed them.
   *
   * @param listed the switches that each is for
   */
  public SwitchKeys(LinkKeys keys, Map<Fingerprint, List<DpidRange>> listed) {
    this.keys = keys;
    this.listed = Map.copyOf(listed);
    keys.acceptListed(this.listed.keySet());
  }

  @Override
  public SslHandler serve(ChannelPipeline pipeline) {
    // Open vSwitch of Debian 12 speaks 1.3; older switches do not.
    return keys.serve(pipeline, true);
  }

  @Override
  public Credential.Certificate certificate(SSLSession session, Channel channel, Runnable ended)
      throws CertificateException {
    Fingerprint fingerprint = keys.listed(session);
    if (fingerprint != null) {
      return new Credential.Certificate(
          "fingerprint " + fingerprint, listed.getOrDefault(fingerprint, List.of()));
    }
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
