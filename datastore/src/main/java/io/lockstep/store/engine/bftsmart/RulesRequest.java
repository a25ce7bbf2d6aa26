package io.lockstep.store.engine.bftsmart;

import bftsmart.clientsmanagement.ClientsManager;
import bftsmart.clientsmanagement.RequestList;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import io.lockstep.store.engine.Rules;
import java.nio.ByteBuffer;

/**
 * Rules as a request that a leader makes. Its sender is below 0, like a no-op's, and its content
 * begins with a mark, while a no-op has none. No client can send one: {@link ClientConnection}
 * closes the connection of a client with such a number, and {@link PendingRequests} takes none that
 * is forwarded.
 */
final class RulesRequest {
  /** "LKRU" */
  private static final int MAGIC = 0x4c4b5255;

  private static final int BYTES = 12;

  private RulesRequest() {}

  static TOMMessage of(int replicaId, Rules rules) {
    byte[] content =
        ByteBuffer.allocate(BYTES)
            .putInt(MAGIC)
            .putInt(rules.number())
            .putInt(rules.stateMegabytes())
            .array();
    TOMMessage request =
        new TOMMessage(-1 - replicaId, 0, 0, 0, content, 0, TOMMessageType.ORDERED_REQUEST);
    request.serializedMessage = TOMMessage.messageToBytes(request);
    request.alreadyProposed = true;
    return request;
  }

  /** Whether a decided request contains rules. */
  static boolean is(TOMMessage request) {
    byte[] content = request.getContent();
    return PendingRequests.isNoop(request)
        && content != null
        && content.length >= Integer.BYTES
        && ByteBuffer.wrap(content).getInt() == MAGIC;
  }

  /**
   * Reads the rules in a request that contains some.
   *
   * @throws IllegalStateException if a later version of this program wrote it
   */
  static Rules read(TOMMessage request) {
    ByteBuffer in = ByteBuffer.wrap(request.getContent());
    if (in.remaining() != BYTES) {
      throw new IllegalStateException(
          "rules of " + in.remaining() + " bytes: run the release that the other nodes run");
    }
    in.getInt();
    return new Rules(in.getInt(), in.getInt());
  }

  /**
   * Makes a proposal of these rules and nothing else. The library makes a batch, stamped with the
   * leader's time, from its table of requests. This method gives it another table for one call.
   */
  static byte[] propose(TOMLayer tom, bftsmart.consensus.Decision decision, Rules rules) {
    RequestList batch = new RequestList();
    batch.add(of(tom.controller.getStaticConf().getProcessId(), rules));
    ClientsManager usual = tom.clientsManager;
    tom.clientsManager =
        new ClientsManager(null, null, request -> true) {
          @Override
          public RequestList getPendingRequests() {
            return batch;
          }
        };
    try {
      return tom.createPropose(decision);
    } finally {
      tom.clientsManager = usual;
    }
  }
}
