package io.lockstep.store.engine.bftsmart.library;

import bftsmart.communication.SystemMessage;
import bftsmart.communication.client.CommunicationSystemServerSide;
import bftsmart.reconfiguration.ServerViewController;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Implemented by the view controller that we hand to the library, so that the stand-ins for its
 * network classes find ours.
 */
public interface NetworkEdges {

  /** Opens the links to the other replicas; what arrives is put into {@code inbox}. */
  ReplicaTransport openReplicaLinks(LinkedBlockingQueue<SystemMessage> inbox);

  /** Opens the port for clients. */
  CommunicationSystemServerSide openClientPort();

  /**
   * Our network edges behind the view controller that the library passes around.
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
