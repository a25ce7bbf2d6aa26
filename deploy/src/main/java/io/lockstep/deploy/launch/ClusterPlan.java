package io.lockstep.deploy.launch;

import io.lockstep.keys.KeyFiles;
import io.lockstep.keys.KeysException;
import io.lockstep.keys.PeerRole;
import io.lockstep.keys.pki.Authority;
import io.lockstep.keys.pki.IssueOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;

/**
 * A cluster of nodes on this machine before it starts: where each listens, and its configuration
 * file. Nodes are called n1, n2 and so on and numbered from 0.
 *
 * @param directory for configuration files and logs
 * @param cluster its name
 * @param nodes how many; each has a replica of the store inside
 * @param ports 5 for each node
 * @param domains what the files say under {@code domains}
 * @param extra further top-level lines for each file, may be empty
 */
public record ClusterPlan(
    Path directory,
    String cluster,
    int nodes,
    PortBlock ports,
    List<DomainPlan> domains,
    String extra) {
  private static final int PORTS_PER_NODE = 5;

  public ClusterPlan {
    domains = List.copyOf(domains);
  }

  /** A domain; its preferred masters are the nodes in order, from {@code firstMaster} round. */
  public record DomainPlan(String name, List<Long> dpids, int firstMaster) {
    public DomainPlan {
      dpids = List.copyOf(dpids);
    }
  }

  /** The node's name. */
  public String nodeId(int node) {
    return "n" + (node + 1);
  }

  /** Where the node's store replica listens; the next port too. */
  public int storePort(int node) {
    return ports.port(1 + PORTS_PER_NODE * node);
  }

  /** Where switches connect to the node. */
  public int openflowPort(int node) {
    return ports.port(4 + PORTS_PER_NODE * node);
  }

  /** {@code host:port} of the node's admin HTTP. */
  public String adminEndpoint(int node) {
    return "127.0.0.1:" + adminPort(node);
  }

  /** Port of the node's admin HTTP. */
  public int adminPort(int node) {
    return ports.port(5 + PORTS_PER_NODE * node);
  }

  /** The node's configuration file. */
  public Path configFile(int node) {
    return directory.resolve(nodeId(node) + ".yaml");
  }

  /** Writes all configuration files, of nodes without keys. */
  public void writeConfigurations() throws IOException {
    for (int node = 0; node < nodes; node++) {
      Files.writeString(configFile(node), configuration(node));
    }
  }

  /**
   * The same of nodes with keys, which are made, too. Everything is in {@link #directory}.
   *
   * @throws IOException where a file cannot be written
   */
  public void writeConfigurationsWithKeys() throws IOException {
    Path pki = directory.resolve("pki");
    InstantSource clock = InstantSource.system();
    try {
      Authority.init(pki, cluster, Authority.USUAL_DAYS, clock, new SecureRandom());
      try (Authority authority = Authority.open(pki, clock, new SecureRandom())) {
        for (int node = 0; node < nodes; node++) {
          KeyFiles files =
              authority.issue(
                  new IssueOrder(
                      PeerRole.NODE,
                      nodeId(node),
                      List.of("127.0.0.1"),
                      List.of(),
                      IssueOrder.USUAL_DAYS));
          Path home = directory.relativize(files.certificate().resolveSibling(""));
          Files.writeString(
              configFile(node), configuration(node) + "keys: {directory: \"" + home + "\"}\n");
        }
      }
    } catch (KeysException e) {
      throw new IOException(e.getMessage() + "; remedy: " + e.remedy(), e);
    }
  }

  private String configuration(int node) {
    StringBuilder yaml = new StringBuilder();
    yaml.append("cluster: ").append(cluster).append("\nnode: ").append(nodeId(node)).append('\n');
    yaml.append("members:\n");
    for (int i = 0; i < nodes; i++) {
      yaml.append(
          String.format(
              Locale.ROOT,
              "  - {id: %s, host: 127.0.0.1, storePort: %d}%n",
              nodeId(i),
              storePort(i)));
    }
    yaml.append("openflow: {host: 127.0.0.1, port: ").append(openflowPort(node)).append("}\n");
    yaml.append("admin: {port: ").append(adminPort(node)).append("}\n");
    if (!domains.isEmpty()) {
      yaml.append("domains:\n");
    }
    for (DomainPlan domain : domains) {
      yaml.append("  - name: ").append(domain.name()).append("\n    switches: [");
      yaml.append(String.join(", ", domain.dpids().stream().map(Long::toHexString).toList()));
      yaml.append("]\n    masters: [");
      for (int i = 0; i < nodes; i++) {
        yaml.append(i == 0 ? "" : ", ").append(nodeId((domain.firstMaster() + i) % nodes));
      }
      yaml.append("]\n");
    }
    return yaml.append(extra).toString();
  }
}
