package io.lockstep.openflow.channel.access;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLSession;

/** TLS on connections of switches. Thread-safe; called on the connection's event loop. */
public interface SwitchTls {
  /** Adds what speaks TLS and demands a certificate, in front of what is in the pipeline so far. */
  SslHandler serve(ChannelPipeline pipeline);

  /**
   * Which switches the certificate of a complete handshake is for.
   *
   * @param ended called once where the certificate is revoked or expires while the connection lasts
   * @throws CertificateException where it is none of a switch, with the reason
   */
  Credential.Certificate certificate(SSLSession session, Channel channel, Runnable ended)
      throws CertificateException;

  /** Counts a connection that failed, and says why in half a sentence with the remedy. */
  String failed(Throwable failure);
}
