package io.lockstep.store.engine.bftsmart.library;

import bftsmart.communication.client.CommunicationSystemServerSide;
import bftsmart.reconfiguration.ServerViewController;

/**
 * Takes the place of the library's {@code CommunicationSystemServerSideFactory}, so that clients
 * reach our port instead of the library's netty server.
 *
 * <p>The original's faults: it accepts a length prefix of any size. For each early reply without a
 * connection it starts a thread that sleeps under a lock. It continues to reply on a connection
 * that its client has replaced. It never forgets a client.
 */
public class ClientSideFactoryStandIn {

  private ClientSideFactoryStandIn() {}

  /** Called by the library with the view controller that {@code engine.bftsmart} made. */
  public static CommunicationSystemServerSide getCommunicationSystemServerSide(
      ServerViewController controller) {
    return NetworkEdges.of(controller).openClientPort();
  }
}
