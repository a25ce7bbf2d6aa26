package io.lockstep.core.state;

/**
 * An onos-api listener that can make up for events that it did not hear. {@link ListenerRegistry}
 * drops events where the listeners are too slow, and then calls {@link #resync}. A listener that
 * keeps something of its own about what it hears should be one.
 */
public interface ResyncListener {

  /**
   * Events were dropped: the listener compares with the service anew. Called in the place of the
   * first event dropped, once for all that were dropped there.
   */
  void resync();
}
