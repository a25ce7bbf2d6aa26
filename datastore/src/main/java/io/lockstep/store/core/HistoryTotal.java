package io.lockstep.store.core;

/** How many bytes the histories of all tables take together. */
final class HistoryTotal {
  private long bytes;

  void add(long more) {
    bytes += more;
  }

  long bytes() {
    return bytes;
  }
}
