package io.lockstep.store.codec;

import io.lockstep.store.Command;
import java.util.List;

/**
 * The unit that a client sends to be ordered: operations of one session. A request without
 * operations only keeps the session alive.
 *
 * @param sessionId the sender's session; 0 to open one
 * @param acknowledgedBelow the sender has its answer to every operation of this session with a
 *     lower id, or gave up on it: replicas drop their records, and must not apply a late copy
 * @param operations applied one after the other, each for itself
 */
public record Request(long sessionId, long acknowledgedBelow, List<Operation> operations) {

  /** The most operations in one request. */
  public static final int MAX_OPERATIONS = 1024;

  /** Operation ids end here, so that sums of them do not overflow. */
  public static final long MAX_OPERATION_ID = (1L << 62) - 1;

  /**
   * The most bytes of a request, and the most that an engine accepts. Any command within the
   * store's limits fits: a value of 1 MiB or a batch of 1 MiB in 2048 parts, and the overhead of
   * its encoding.
   */
  public static final int MAX_BYTES = (1 << 20) + (128 << 10);

  public Request {
    operations = List.copyOf(operations);
  }

  /**
   * A command with its id.
   *
   * @param operationId 0 or more, never used twice in one session, so that replicas recognise a
   *     copy
   */
  public record Operation(long operationId, Command command) {}
}
