package io.lockstep.deploy.node;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has been opened so far, closed once in the opposite order; one that fails does not keep the
 * others open. Thread-safe.
 */
final class OpenParts implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(OpenParts.class);

  private final Deque<Part> parts = new ArrayDeque<>();

  private record Part(String name, AutoCloseable closeable) {}

  synchronized void add(String name, AutoCloseable closeable) {
    parts.push(new Part(name, closeable));
  }

  @Override
  public synchronized void close() {
    while (!parts.isEmpty()) {
      Part part = parts.pop();
      try {
        part.closeable().close();
      } catch (Exception e) {
        log.warn("closing the {} failed; going on", part.name(), e);
      }
    }
  }
}
