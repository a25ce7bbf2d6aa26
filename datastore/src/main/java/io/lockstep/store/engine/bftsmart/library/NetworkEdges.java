package io.lockstep.store.engine.bftsmart.library;

import bftsmart.communication.SystemMessage;
import bftsmart.communication.client.CommunicationSystemServerSide;
import bftsmart.reconfiguration.ServerViewController;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Implemented by the view controller that we pass to the library. Through it the stand-ins for the
 * library's network classes find ours.
 */
public interface NetworkEdges {

  /** Opens the links to the other replicas. They put messages into {@code inbox}. */
  ReplicaTransport openReplicaLinks(LinkedBlockingQueue<SystemMessage> inbox);

  /** Opens the port for clients. */
  CommunicationSystemServerSide openClientPort();

  /**
   * The network edges of the view controller that the library has.
   *
   * @throws IllegalStateException if the library was started other than through this engine
   */
  static NetworkEdges of(ServerViewController controller) {
    if (controller instanceof NetworkEdges edges) {
      return edges;
    }
    throw new IllegalStateException(
        "the ordering library was started other than through this engine: " + controller);
  }
}
