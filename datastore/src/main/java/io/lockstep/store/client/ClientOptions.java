package io.lockstep.store.client;

import io.lockstep.store.Command;
import io.lockstep.store.core.Limits;

/**
 * How a client behaves.
 *
 * @param owner says whose session it is, at most 128 bytes of UTF-8
 * @param timeToLiveMillis of the session, 500 to 600 000
 * @param queueDeadlineMillis a command that could not be sent for so long is rejected; counts while
 *     there is no session or the window is full
 * @param queueCapacity commands that wait to be sent, at most
 */
public record ClientOptions(
    String owner, int timeToLiveMillis, long queueDeadlineMillis, int queueCapacity) {

  public ClientOptions {
    String violation = Limits.violation(new Command.OpenSession(0, owner, timeToLiveMillis));
    if (violation != null) {
      throw new IllegalArgumentException(violation);
    }
    if (queueDeadlineMillis < 1 || queueCapacity < 1) {
      throw new IllegalArgumentException(
          "queue deadline " + queueDeadlineMillis + " ms, capacity " + queueCapacity);
    }
  }

  /** Three seconds to live, ten in the queue, 65 536 commands. */
  public static ClientOptions of(String owner) {
    return new ClientOptions(owner, 3_000, 10_000, 1 << 16);
  }

  /** The same with another time to live. */
  public ClientOptions withTimeToLiveMillis(int millis) {
    return new ClientOptions(owner, millis, queueDeadlineMillis, queueCapacity);
  }
}
