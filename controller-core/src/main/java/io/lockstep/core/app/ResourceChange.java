package io.lockstep.core.app;

/** A change of one item of a resource, checked against the resource's description. */
public sealed interface ResourceChange {
  /** The item. */
  String id();

  /** Makes an item that is not there: refused with {@link ResourceResult.Exists} where it is. */
  record Add(String id, ResourceValues fields) implements ResourceChange {}

  /**
   * Replaces all fields of an item.
   *
   * @param version that it was decided on: refused with {@link ResourceResult.Outdated} where the
   *     item has another one
   */
  record Set(String id, long version, ResourceValues fields) implements ResourceChange {}

  /**
   * Removes an item.
   *
   * @param version that it was decided on, as in {@link Set}
   */
  record Remove(String id, long version) implements ResourceChange {}
}
