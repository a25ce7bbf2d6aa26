package io.lockstep.core.app;

/** What became of a {@link ResourceChange} that the store carried out or refused. */
public sealed interface ResourceResult {

  /**
   * The change is in force.
   *
   * @param version of the item now; for a removal, of the operation that removed it
   */
  record Done(long version) implements ResourceResult {}

  /**
   * The change is stored, and comes into force in a moment.
   *
   * @param version of the item now
   */
  record Accepted(long version) implements ResourceResult {}

  /** There is no such item; nothing was changed. */
  record Missing() implements ResourceResult {}

  /**
   * The item to be added is there already; nothing was changed.
   *
   * @param version of the item
   */
  record Exists(long version) implements ResourceResult {}

  /**
   * The item has another version than the one that the change was decided on; nothing was changed.
   *
   * @param version of the item
   */
  record Outdated(long version) implements ResourceResult {}

  /**
   * Other items are in the way, such as a pool in use that is to be removed; nothing was changed.
   *
   * @param field that is concerned; empty for the item as a whole
   * @param error one line for the operator
   * @param remedy what to do
   */
  record Conflict(String field, String error, String remedy) implements ResourceResult {}

  /**
   * A value is wrong, such as the name of a pool that there is not; nothing was changed.
   *
   * @param field that is wrong; empty for the item as a whole
   * @param error one line for the operator
   * @param remedy what to do
   */
  record Invalid(String field, String error, String remedy) implements ResourceResult {}
}
