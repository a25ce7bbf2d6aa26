package io.lockstep.store.engine.bftsmart.library;

import bftsmart.reconfiguration.ServerViewController;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.util.BatchBuilder;
import java.util.List;

/**
 * Makes a batch for the library's {@code TOMLayer.createPropose}. The library takes the wall
 * clock's time. This class takes the leader's time instead, and reports the proposal.
 */
public final class StampedBatch {

  /** Implemented by the view controller that we pass to the library. On the replica's loop. */
  public interface Stamps {
    /** The time of a proposal that is made now, in milliseconds. */
    long nowMillis();

    /** A proposal with that time was made. */
    void proposed(byte[] value);
  }

  private StampedBatch() {}

  /**
   * A batch as the library makes it.
   *
   * @param wallMillis not used
   * @throws IllegalStateException if the library was started other than through this engine
   */
  public static byte[] make(
      BatchBuilder builder,
      List<TOMMessage> requests,
      int nonces,
      long wallMillis,
      ServerViewController controller) {
    if (!(controller instanceof Stamps stamps)) {
      throw new IllegalStateException(
          "the ordering library was started other than through this engine: " + controller);
    }
    byte[] value = builder.makeBatch(requests, nonces, stamps.nowMillis(), controller);
    stamps.proposed(value);
    return value;
  }
}
