package io.lockstep.keys;

import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The pace of each event loop: what is bounded is the part of its time. Thread-safe. */
final class HandshakePaces {
  private final Map<EventLoop, HandshakePace> paces = new ConcurrentHashMap<>();

  /** The pace of a loop, which owns it. */
  HandshakePace of(EventLoop loop) {
    return paces.computeIfAbsent(loop, HandshakePaces::begin);
  }

  private static HandshakePace begin(EventLoop loop) {
    int perSecond =
        NettyContexts.openSsl() ? HandshakePace.PER_SECOND_OPENSSL : HandshakePace.PER_SECOND_JDK;
    return new HandshakePace(
        perSecond,
        System::nanoTime,
        (nanos, task) -> {
          // A turn does not fail: what its handshake throws, the pipeline catches.
          var unused = loop.schedule(task, nanos, TimeUnit.NANOSECONDS);
        });
  }
}
