package io.lockstep.store.simulation;

/** Bugs that are put in on purpose, to see that the simulation finds them. */
enum Mutation {
  NONE,
  /** Replies leave before their decision is durable. */
  REPLY_BEFORE_SYNC,
  /** So do those to reads, whatever they tell of. */
  READ_BEFORE_SYNC,
  /** The disk says that it has synced and has not. */
  LYING_DISK,
  /** A snapshot lacks the replies that are recorded for retries. */
  RECORDS_FORGOTTEN,
  /** A torn end of the log is taken for good. */
  TORN_END_ACCEPTED,
  /** A replica that lost its disk counts itself to the majority that remembers. */
  FORGOTTEN_COUNTS
}
