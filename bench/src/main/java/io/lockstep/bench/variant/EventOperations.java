package io.lockstep.bench.variant;

import java.util.List;

/**
 * The operations of one event in the order in which they were decided, as a trace of them.
 *
 * @param workload as the paper calls the event
 * @param conflicts how often something changed meanwhile, so that operations were repeated
 */
public record EventOperations(String workload, List<Operation> operations, int conflicts) {
  public EventOperations {
    operations = List.copyOf(operations);
  }

  /**
   * One operation.
   *
   * @param kind the command
   * @param on its table or component
   * @param isWrite whether it may write
   * @param fromCache whether the node's cache answered, so that the store was not asked
   * @param requestBytes of the encoded operation, without what it shares with others of its request
   * @param replyBytes of the encoded reply
   */
  public record Operation(
      String kind,
      String on,
      boolean isWrite,
      boolean fromCache,
      int requestBytes,
      int replyBytes) {}

  /** The number of operations that reached the store. */
  public long sent() {
    return operations.stream().filter(one -> !one.fromCache()).count();
  }
}
