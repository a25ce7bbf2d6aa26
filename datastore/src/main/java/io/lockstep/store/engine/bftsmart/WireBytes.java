package io.lockstep.store.engine.bftsmart;

/**
 * How long messages between a client and one replica are: what TCP carries for them, with the
 * length before each. A client sends each request to all replicas, and each replica answers.
 */
public final class WireBytes {
  private static final int LENGTH_BYTES = 4;

  private WireBytes() {}

  /**
   * Of a request.
   *
   * @param contentBytes of what is ordered, as {@code RequestEncoder.encode} writes it
   */
  public static int ofRequest(int contentBytes) {
    return LENGTH_BYTES + ClientConnection.HEADER_BYTES + contentBytes;
  }

  /**
   * Of a reply.
   *
   * @param contentBytes of the response, as {@code ResponseEncoder.encode} writes it
   */
  public static int ofReply(int contentBytes) {
    return LENGTH_BYTES + ClientReplies.HEADER_BYTES + contentBytes;
  }
}
