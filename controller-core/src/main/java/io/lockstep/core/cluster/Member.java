package io.lockstep.core.cluster;

/**
 * A node of the cluster as configured.
 *
 * @param nodeId its name, unique in the cluster
 * @param host its address or host name as the other nodes reach it
 * @param witnessPort the TCP port on which its peers watch its process; 0 where they do not
 */
public record Member(String nodeId, String host, int witnessPort) {
  public Member {
    NameSyntax.require(nodeId, "node id");
    if (host.isBlank()) {
      throw new IllegalArgumentException("node " + nodeId + " has no host");
    }
    if (witnessPort < 0 || witnessPort > 65_535) {
      throw new IllegalArgumentException(
          "witness port " + witnessPort + " of node " + nodeId + " is not in 0 to 65535");
    }
  }
}
