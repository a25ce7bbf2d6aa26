package io.lockstep.openflow.channel;

import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * When a switch is read from. One that sends more than its share is read on, since replies and
 * echoes are among what it sends; but after {@link #DROPPED_BYTES} that were dropped its socket is
 * left alone for {@link #PAUSE_MILLIS}, so that dropping cannot take the time of others. A switch
 * that does not read is not read from, except once in {@link #UNREAD_MILLIS}. Owned by the event
 * loop.
 */
final class ReadPace {
  /** Bytes of packet-ins that may be dropped between two pauses. */
  static final int DROPPED_BYTES = 128 << 10;

  /** The pause of a switch that sends too much. */
  static final int PAUSE_MILLIS = 10;

  /** The longest pause of any switch. */
  static final int UNREAD_MILLIS = 100;

  private final Channel channel;
  private long droppedBytes;
  private boolean paused;
  private boolean looksAgain;

  ReadPace(Channel channel) {
    this.channel = channel;
  }

  /** A message of so many bytes was dropped unread. */
  void dropped(int bytes) {
    droppedBytes += bytes;
  }

  /** A batch of reads ended. */
  void readComplete() {
    if (droppedBytes >= DROPPED_BYTES && !paused) {
      droppedBytes = 0;
      paused = true;
      apply();
      later(PAUSE_MILLIS, this::goOn);
    }
  }

  private void goOn() {
    paused = false;
    apply();
  }

  /** Whether the switch reads has changed. */
  void writabilityChanged() {
    apply();
    if (!channel.isWritable() && !looksAgain) {
      looksAgain = true;
      later(UNREAD_MILLIS, this::readOnce);
    }
  }

  private void readOnce() {
    looksAgain = false;
    if (!channel.isWritable() && channel.isActive()) {
      channel.read();
      looksAgain = true;
      later(UNREAD_MILLIS, this::readOnce);
    }
  }

  private void apply() {
    channel.config().setAutoRead(channel.isWritable() && !paused);
  }

  private void later(int millis, Runnable task) {
    Future<?> unused = channel.eventLoop().schedule(task, millis, TimeUnit.MILLISECONDS);
  }
}
