package io.lockstep.store.core;

/** One session, open or recently ended. Times are consensus-ordered, in milliseconds. */
final class Session {
  private static final int NONCE_BITS = 16;

  private final long id;
  private final long nonce;
  private final String owner;
  private final int timeToLiveMillis;
  private final OperationRecords records;
  private long lastSignMillis;
  private boolean open = true;
  private long endedAtMillis;

  /**
   * An open session.
   *
   * @param room for the replies that are recorded for it
   */
  Session(long id, long nonce, String owner, int timeToLiveMillis, RecordRoom room) {
    this.id = id;
    this.nonce = nonce;
    this.owner = owner;
    this.timeToLiveMillis = timeToLiveMillis;
    this.records = new OperationRecords(room);
  }

  /**
   * The id of a session that the operation {@code index} opens; later sessions have higher ids.
   * Some bits come from the nonce: a store that lost everything and began anew then takes no new
   * session for an old one.
   */
  static long idOf(long index, long nonce) {
    return index << NONCE_BITS | (nonce & ((1L << NONCE_BITS) - 1));
  }

  /** The index of the operation that opened the session {@code id}. */
  static long openedAt(long id) {
    return id >> NONCE_BITS;
  }

  long id() {
    return id;
  }

  long nonce() {
    return nonce;
  }

  String owner() {
    return owner;
  }

  int timeToLiveMillis() {
    return timeToLiveMillis;
  }

  OperationRecords records() {
    return records;
  }

  void signOfLife(long nowMillis) {
    lastSignMillis = nowMillis;
  }

  long lastSignMillis() {
    return lastSignMillis;
  }

  /** The session expires once time is past this. */
  long deadlineMillis() {
    return lastSignMillis + timeToLiveMillis;
  }

  boolean isOpen() {
    return open;
  }

  void end(long nowMillis) {
    open = false;
    endedAtMillis = nowMillis;
  }

  long endedAtMillis() {
    return endedAtMillis;
  }
}
