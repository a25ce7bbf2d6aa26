package io.lockstep.store.codec;

import io.lockstep.store.Command;
import java.util.List;

/**
 * What a client sends to be ordered: some operations of one session. A request without operations
 * is a bare sign of life.
 *
 * @param sessionId the sender's session; 0 only to open one
 * @param acknowledgedBelow the sender has its answer to, or gave up on, every operation of this
 *     session with a lower id: their records can go, and a late copy of one must not be applied
 * @param operations applied one after the other, each for itself
 */
public record Request(long sessionId, long acknowledgedBelow, List<Operation> operations) {

  /** At most this many operations travel in one request. */
  public static final int MAX_OPERATIONS = 1024;

  /** Operation ids end here, so that sums of them do not overflow. */
  public static final long MAX_OPERATION_ID = (1L << 62) - 1;

  /**
   * A request is at most this long: any command within the store's limits fits, a value of 1 MiB or
   * a batch of 1 MiB in 2048 parts, and what its encoding adds. As much as an engine takes.
   */
  public static final int MAX_BYTES = (1 << 20) + (128 << 10);

  public Request {
    operations = List.copyOf(operations);
  }

  /**
   * A command with its number.
   *
   * @param operationId 0 or more, never used twice in one session: the mark by which a copy is
   *     recognised
   */
  public record Operation(long operationId, Command command) {}
}
