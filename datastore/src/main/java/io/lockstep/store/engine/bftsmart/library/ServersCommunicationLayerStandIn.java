package io.lockstep.store.engine.bftsmart.library;

import bftsmart.communication.SystemMessage;
import bftsmart.reconfiguration.ServerViewController;
import bftsmart.tom.ServiceReplica;
import java.util.concurrent.LinkedBlockingQueue;
import javax.crypto.SecretKey;

/**
 * Replaces the library's {@code ServersCommunicationLayer} (and so of {@code ServerConnection}):
 * {@link LibraryPatches} gives this class that name and defines it before the library loads its
 * own.
 *
 * <p>The original's faults: it ignores the end of a stream, so a peer that dies in the middle of a
 * message can end the receiving thread for good. It waits 5 s before it reconnects. Its accepting
 * thread reads without a time-out, so one silent connection excludes every replica. It trusts any
 * id that the other side names. It deserialises any class.
 *
 * <p>Extends {@link Thread} because the library joins it. It is never started.
 */
public class ServersCommunicationLayerStandIn extends Thread {
  private final ReplicaTransport transport;

  /** Called by the library with the view controller that {@code engine.bftsmart} made. */
  public ServersCommunicationLayerStandIn(
      ServerViewController controller,
      LinkedBlockingQueue<SystemMessage> inbox,
      ServiceReplica replica) {
    super("unused-replica-links");
    transport = NetworkEdges.of(controller).openReplicaLinks(inbox);
  }

  /** Message authentication codes are off in crash mode. */
  public SecretKey getSecretKey(int id) {
    throw new UnsupportedOperationException("no message authentication in crash mode");
  }

  /** The view never changes at run time. */
  public void updateConnections() {}

  /** The view never changes at run time. */
  public void joinViewReceived() {}

  /** Sends a message over our links. */
  public final void send(int[] targets, SystemMessage message, boolean useMac) {
    transport.send(targets, message);
  }

  /** Closes our links. */
  public void shutdown() {
    transport.close();
  }
}
