package io.lockstep.store.engine.bftsmart.library;

import bftsmart.communication.client.CommunicationSystemServerSide;
import bftsmart.reconfiguration.ServerViewController;

/**
 * Takes the place of the library's {@code CommunicationSystemServerSideFactory}, so that clients
 * reach our port instead of the library's netty server.
 *
 * <p>What the original does wrong: it accepts a length prefix of any size, starts a thread that
 * sleeps under a lock for each early reply that finds no connection, keeps replying to a connection
 * that its client has replaced, and never forgets a client.
 */
public class ClientSideFactoryStandIn {

  private ClientSideFactoryStandIn() {}

  /** Called by the library with the view controller that {@code engine.bftsmart} made. */
  public static CommunicationSystemServerSide getCommunicationSystemServerSide(
      ServerViewController controller) {
    return NetworkEdges.of(controller).openClientPort();
  }
}
