package io.lockstep.store.engine.bftsmart.library;

import bftsmart.communication.SystemMessage;
import bftsmart.reconfiguration.ServerViewController;
import bftsmart.tom.ServiceReplica;
import java.util.concurrent.LinkedBlockingQueue;
import javax.crypto.SecretKey;

/**
 * Takes the place of the library's {@code ServersCommunicationLayer} (and so of {@code
 * ServerConnection}): {@link LibraryPatches} gives this class that name and defines it before the
 * library loads its own.
 *
 * <p>What the original does wrong: it ignores the end of a stream, so that a peer that dies in the
 * middle of a message can kill the receiving thread for good; it waits 5 s before it reconnects;
 * its accepting thread reads without a time-out, so that one silent connection shuts every replica
 * out; it believes whatever id the other side names; it deserialises any class.
 *
 * <p>It extends {@link Thread} because the library joins it; it is never started.
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

  /** Hands a message to our links. */
  public final void send(int[] targets, SystemMessage message, boolean useMac) {
    transport.send(targets, message);
  }

  /** Closes our links. */
  public void shutdown() {
    transport.close();
  }
}
