package io.lockstep.bench.abuse;

import java.util.concurrent.atomic.AtomicLong;

/** What an attacker has sent so far. Thread-safe. */
final class Sent {
  private final AtomicLong messages = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong connections = new AtomicLong();

  void message(long length) {
    messages.incrementAndGet();
    bytes.addAndGet(length);
  }

  /** Messages that another sender wrote for the attacker. */
  void messages(int count) {
    messages.addAndGet(count);
  }

  void connection() {
    connections.incrementAndGet();
  }

  long in(Attack.Unit unit) {
    return switch (unit) {
      case MESSAGES -> messages.get();
      case BYTES -> bytes.get();
      case CONNECTIONS -> connections.get();
    };
  }
}
