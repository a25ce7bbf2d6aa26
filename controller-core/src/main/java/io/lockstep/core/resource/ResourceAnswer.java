package io.lockstep.core.resource;

import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What became of a request for a resource. */
public sealed interface ResourceAnswer {

  /**
   * Items as they are.
   *
   * @param isComplete false where more were there than one answer holds
   */
  record Items(List<ResourceItem> items, boolean isComplete) implements ResourceAnswer {
    public Items {
      items = List.copyOf(items);
    }
  }

  /** Nothing is to wait for. */
  CompletableFuture<Void> SHOWN = CompletableFuture.completedFuture(null);

  /**
   * What became of a change.
   *
   * @param shown completes, always normally, when this node shows the change to whoever asks next,
   *     or a little later without it
   */
  record Changed(ResourceResult result, CompletableFuture<Void> shown) implements ResourceAnswer {
    /** The same where the node shows it already, or where nothing was changed. */
    public Changed(ResourceResult result) {
      this(result, SHOWN);
    }
  }

  /**
   * There is no answer.
   *
   * @param error one line for the operator; says so where it is not known whether something was
   *     changed
   * @param remedy what to do
   */
  record Refused(Reason reason, String error, String remedy) implements ResourceAnswer {}

  /** Why there is no answer. */
  enum Reason {
    /** The node is busy, or not ready: try again. */
    NOT_NOW,
    /** The application failed. */
    FAILED,
    /** It took too long. */
    LATE
  }
}
