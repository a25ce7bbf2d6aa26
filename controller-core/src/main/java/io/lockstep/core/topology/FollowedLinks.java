package io.lockstep.core.topology;

/**
 * Says how far the nodes follow the links when they flood, so that an edge of the tree opens only
 * where every node has closed what it replaces (docs/adr/0004). Control loop.
 */
public interface FollowedLinks {
  /** The index of the last change of the links that this node knows; 0 where it knows none. */
  long lastChange();

  /** From now on this node floods as all changes up to this index ask. */
  void followed(long index);

  /** Whether every other node that may flood does so, too. */
  boolean areFollowedByAll(long index);
}
