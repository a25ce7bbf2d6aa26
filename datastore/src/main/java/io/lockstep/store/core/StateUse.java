package io.lockstep.store.core;

/**
 * What the state of a replica takes of memory and may take, in bytes. A limit of {@link
 * Long#MAX_VALUE} is none.
 *
 * @param entries keys and values of all tables
 * @param changes that are kept for watchers
 * @param replies that are kept for retries
 */
public record StateUse(Part entries, Part changes, Part replies) {
  /** One part. */
  public record Part(long bytes, long limitBytes) {}

  static StateUse of(StoreState state) {
    StateBounds bounds = state.bounds();
    EntryRoom.UsedBytes used = state.tables().entryRoom().used();
    return new StateUse(
        new Part(used.cluster() + used.others(), bounds.entryBytes()),
        new Part(state.tables().changeBytes(), bounds.changeBytes()),
        new Part(state.sessions().recordRoom().bytes(), bounds.recordBytes()));
  }
}
