package io.lockstep.core.resource;

import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceDescription;
import java.util.concurrent.CompletableFuture;

/**
 * A resource that a node offers to operators: of a room of the node, or of an application. Its
 * methods do not block, and what they return completes normally, within {@link #PATIENCE_MILLIS},
 * on any thread. Thread-safe.
 */
public interface ResourceOffer {
  /** How long an answer may take, with the time that it waits for others. */
  int PATIENCE_MILLIS = 20_000;

  /** Names and fields; always the same. */
  ResourceDescription description();

  /** All items: {@link ResourceAnswer.Items}, or {@link ResourceAnswer.Refused}. */
  CompletableFuture<ResourceAnswer> list();

  /**
   * One item: {@link ResourceAnswer.Items} with it, or without any where there is no such item, or
   * {@link ResourceAnswer.Refused}.
   *
   * @param id that the description allows
   */
  CompletableFuture<ResourceAnswer> show(String id);

  /**
   * Changes an item: {@link ResourceAnswer.Changed}, or {@link ResourceAnswer.Refused}.
   *
   * @param change of a kind that the description has, checked against its fields
   */
  CompletableFuture<ResourceAnswer> change(ResourceChange change);
}
