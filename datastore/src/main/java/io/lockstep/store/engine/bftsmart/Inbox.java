package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;
import io.lockstep.store.logging.LogLimit;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes messages to the replica on its loop, one after the other. A message that arrives while
 * another is handled waits until that one is done. Until the replica is assembled all messages
 * wait.
 */
final class Inbox {
  private static final Logger log = LoggerFactory.getLogger(Inbox.class);

  private final EventLoop loop;
  private final int maxMessages;
  private final long maxBytes;
  private final LogLimit logLimit = new LogLimit(System::nanoTime);

  // Owned by the loop.
  private final ArrayDeque<SystemMessage> waiting = new ArrayDeque<>();
  private @Nullable Consumer<SystemMessage> handler;
  private boolean handling;
  private long bytes;

  /**
   * @param maxMessages most waiting messages; more are dropped, as if a link had ended
   * @param maxBytes most bytes of proposals among them
   */
  Inbox(EventLoop loop, int maxMessages, long maxBytes) {
    this.maxBytes = maxBytes;
    this.loop = loop;
    this.maxMessages = maxMessages;
  }

  /** Starts to pass messages to the handler, waiting ones first. Any thread. */
  void open(Consumer<SystemMessage> to) {
    loop.execute(
        () -> {
          handler = to;
          handleAll();
        });
  }

  /** Passes a message on, or drops it if the loop has ended. Any thread. */
  void deliver(SystemMessage message) {
    message.authenticated = true;
    if (loop.inEventLoop()) {
      accept(message);
      return;
    }
    try {
      loop.execute(() -> accept(message));
    } catch (RejectedExecutionException ended) {
      log.debug("the replica has ended, dropped {}", message, ended);
    }
  }

  private void accept(SystemMessage message) {
    int weight = ReplicaLinks.weight(message);
    if (waiting.size() >= maxMessages || bytes + weight > maxBytes) {
      String more = logLimit.admit("full");
      if (more != null) {
        log.warn("the inbox is full, dropped {}{}", message, more);
      }
      return;
    }
    waiting.add(message);
    bytes += weight;
    if (!handling) {
      handleAll();
    }
  }

  private void handleAll() {
    Consumer<SystemMessage> to = handler;
    if (to == null) {
      return;
    }
    handling = true;
    try {
      SystemMessage message;
      while ((message = waiting.poll()) != null) {
        bytes -= ReplicaLinks.weight(message);
        to.accept(message);
      }
    } finally {
      handling = false;
    }
  }
}
