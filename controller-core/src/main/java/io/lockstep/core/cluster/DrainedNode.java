package io.lockstep.core.cluster;

/**
 * A node that an operator drained.
 *
 * @param node its id
 * @param sinceMillis when, in milliseconds since 1970 by the clock of the node that was asked
 */
public record DrainedNode(String node, long sinceMillis) {
  public DrainedNode {
    NameSyntax.require(node, "node");
  }
}
