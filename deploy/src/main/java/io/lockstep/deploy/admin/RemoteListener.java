package io.lockstep.deploy.admin;

import io.lockstep.deploy.config.NodeSettings.Listener;
import io.lockstep.keys.LinkKeys;
import io.lockstep.store.logging.LogLimit;
import java.util.List;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * Where the admin HTTP listens for other machines: with TLS 1.3, and without only where the file
 * says that it is insecure.
 *
 * @param listener its address
 * @param names host names under which it is asked; addresses are allowed in any case
 * @param keys of this process; null without TLS
 */
public record RemoteListener(Listener listener, List<String> names, @Nullable LinkKeys keys) {
  private static final String TLS = "TLSv1.3";

  public RemoteListener {
    names = List.copyOf(names);
  }

  Entrance entrance(AdminConnections.Limits limits, LongSupplier nanoTime, LogLimit logLimit) {
    AdminConnections connections = new AdminConnections(limits, nanoTime);
    return new Entrance(
        false,
        keys == null ? "http" : "https",
        OwnNames.ofRemote(names),
        connections,
        keys == null ? null : new TlsPeers(keys, connections, nanoTime, logLimit));
  }

  /** Adds what accepts its connections. */
  ServerConnector connector(Server server, HttpConnectionFactory http, Entrance entrance) {
    ServerConnector connector;
    if (keys == null) {
      connector = new ServerConnector(server, 1, 1, http);
      connector.addBean(entrance.connections());
    } else {
      SslContextFactory.Server tls = new SslContextFactory.Server();
      tls.setSslContext(keys.context());
      tls.setIncludeProtocols(TLS);
      tls.setExcludeProtocols();
      // A requester without a certificate shows a token. A certificate that is shown must count.
      tls.setWantClientAuth(true);
      tls.setRenegotiationAllowed(false);
      SslConnectionFactory secured = new SslConnectionFactory(tls, HttpVersion.HTTP_1_1.asString());
      // Names are checked by AdminGate, as on loopback.
      secured.setEnsureSecureRequestCustomizer(false);
      connector = new ServerConnector(server, 1, 1, secured, http);
      connector.addBean(entrance.peers());
    }
    connector.setHost(listener.host());
    connector.setPort(listener.port());
    return connector;
  }
}
