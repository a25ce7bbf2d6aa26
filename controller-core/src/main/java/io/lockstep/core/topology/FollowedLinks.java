package io.lockstep.core.topology;

/**
 * Says how far the nodes follow the links when they flood, so that an edge of the tree opens only
 * where every node has closed what it replaces (docs/adr/0004). Control loop.
 */
public interface FollowedLinks {
  /** One node, or a test of one: nobody else floods. */
  FollowedLinks ALONE =
      new FollowedLinks() {
        @Override
        public long lastChange() {
          return 0;
        }

        @Override
        public void followed(long index) {}

        @Override
        public boolean areFollowedByAll(long index) {
          return true;
        }
      };

  /** The index of the last change of the links that this node knows; 0 where it knows none. */
  long lastChange();

  /** From now on this node floods as all changes up to this index ask. */
  void followed(long index);

  /** Whether every other node that may flood does so, too. */
  boolean areFollowedByAll(long index);
}
