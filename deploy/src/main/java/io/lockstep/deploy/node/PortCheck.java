package io.lockstep.deploy.node;

import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.process.ExitCause;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Tries every address that this process is going to listen on, so that all that are taken are told
 * at once, each with its key, before anything starts.
 */
final class PortCheck {
  private final List<String> problems = new ArrayList<>();

  /** Whether all that is wrong may pass by itself. */
  private boolean passing = true;

  private PortCheck() {}

  /** Tries a node's listeners. */
  static void forNode(NodeSettings settings) throws OperatorException {
    PortCheck check = new PortCheck();
    check.admin(settings);
    check.tryOne("openflow.port", settings.openflow().host(), settings.openflow().port());
    for (int i = 0; i < settings.members().size(); i++) {
      NodeSettings.Member member = settings.members().get(i);
      if (member.id().equals(settings.nodeId())) {
        check.tryOne("members[" + i + "].nodePort", member.host(), member.nodePort());
      }
    }
    if (settings.replicaInside()) {
      check.replica(settings);
    }
    check.finish();
  }

  /** Tries the listeners of a replica that is a process of its own. */
  static void forReplica(NodeSettings settings) throws OperatorException {
    PortCheck check = new PortCheck();
    check.admin(settings);
    check.replica(settings);
    check.finish();
  }

  private void admin(NodeSettings settings) {
    tryOne("admin.port", settings.admin().host(), settings.admin().port());
    NodeSettings.Listener remote = settings.adminRemote();
    if (remote != null) {
      tryOne("admin.remote.port", remote.host(), remote.port());
    }
  }

  private void replica(NodeSettings settings) {
    for (int i = 0; i < settings.replicas().size(); i++) {
      NodeSettings.Replica replica = settings.replicas().get(i);
      if (replica.id().equals(settings.nodeId())) {
        tryOne("storePort of " + replica.id(), replica.host(), replica.storePort());
        tryOne("storePort of " + replica.id() + ", plus 1", replica.host(), replica.peerPort());
      }
    }
  }

  private void tryOne(String key, String host, int port) {
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      problems.add(
          key + ": host " + host + " is unknown\n    remedy: give an address of this machine");
      return;
    }
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(address);
    } catch (IOException e) {
      String why = String.valueOf(e.getMessage());
      boolean taken = why.contains("in use");
      passing &= ExitCause.of(e).code() == ExitCode.TRY_AGAIN;
      problems.add(
          key
              + ": cannot listen on "
              + host
              + ":"
              + port
              + ": "
              + why
              + "\n    remedy: "
              + (taken
                  ? "stop the process that has it (ss -ltnp 'sport = :"
                      + port
                      + "'), or change the key"
                  : "give an address of this machine and a port from 1024 on"));
    }
  }

  private void finish() throws OperatorException {
    if (!problems.isEmpty()) {
      throw OperatorException.ending(
          passing ? ExitCode.TRY_AGAIN : ExitCode.NEEDS_PERSON, String.join("\n", problems));
    }
  }
}
