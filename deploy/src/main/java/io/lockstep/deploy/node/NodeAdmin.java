package io.lockstep.deploy.node;

import io.lockstep.deploy.admin.AdminServer;
import io.lockstep.deploy.admin.RemoteListener;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.config.NodeSettings.Listener;
import io.lockstep.deploy.config.NodeSettings.Member;
import io.lockstep.keys.LinkKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the admin HTTP of a process, and says who reaches it. */
final class NodeAdmin {
  private static final Logger log = LoggerFactory.getLogger(NodeAdmin.class);

  private NodeAdmin() {}

  static AdminServer open(NodeSettings settings, @Nullable LinkKeys keys, NodeReporter reporter)
      throws IOException {
    Listener listener = settings.adminRemote();
    RemoteListener remote = null;
    if (listener != null) {
      remote = new RemoteListener(listener, names(settings, listener), keys);
      if (keys == null) {
        log.warn(
            "INSECURE: the admin HTTP has no TLS on {}:{}, so everyone on the way can read the"
                + " tokens of its users; make keys with ./lockstep pki",
            listener.host(),
            listener.port());
      } else {
        log.info(
            "admin HTTP for other machines on {}:{}, with TLS 1.3: certificates of people, or"
                + " tokens",
            listener.host(),
            listener.port());
      }
    }
    return AdminServer.open(
        settings.admin(), settings.adminNames(), remote, reporter, reporter.rules());
  }

  /** What other machines call this one. */
  private static List<String> names(NodeSettings settings, Listener listener) {
    List<String> names = new ArrayList<>(settings.adminNames());
    names.add(listener.host());
    names.add(settings.nodeId());
    settings.members().stream()
        .filter(member -> member.id().equals(settings.nodeId()))
        .map(Member::host)
        .forEach(names::add);
    return names;
  }
}
