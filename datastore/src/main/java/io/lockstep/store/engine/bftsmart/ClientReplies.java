package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.log.Decision;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The replies on their way to one client. A reply becomes bytes only once there is room for them in
 * the budget that all clients share; until then it waits as what it refers to. Where too much
 * waits, a reply is dropped: its client sends the request again, which is then answered from the
 * record, or read again.
 *
 * <p>A client that takes nothing for a while although replies wait for it loses its connection, and
 * with it its share: sooner where another client needs the room (see {@link ReplyBudgets}).
 *
 * <p>{@link #send} may be called from any thread; all else belongs to the channel's event loop.
 */
final class ClientReplies {
  /** Session, sequence, regency and instance. */
  private static final int HEADER_BYTES = 4 + 4 + 4 + 8 + Decision.CHAIN_BYTES;

  private static final int LENGTH_BYTES = 4;

  /** Replies that leave with one write, in bytes; a longer one leaves alone. */
  private static final long WRITE_BYTES = 1 << 20;

  /** One reply and what its frame says besides. */
  record Outgoing(Decision decision, int regency, int session, int sequence, OrderedReply reply) {
    long weight() {
      return LENGTH_BYTES + HEADER_BYTES + reply.content().weight();
    }

    void writeTo(ByteBuf out) {
      byte[] bytes = reply.bytes();
      out.writeInt(HEADER_BYTES + bytes.length).writeInt(session).writeInt(sequence);
      out.writeInt(regency).writeLong(decision.instance());
      out.writeBytes(decision.chain()).writeBytes(bytes);
    }
  }

  private final int replicaId;
  private final Channel channel;
  private final ReplyBudgets budgets;
  private final RefusalLog refusals;

  /** Bytes in the socket's queue that were taken from the budget. */
  private final AtomicLong queued = new AtomicLong();

  // Owned by the event loop; what is volatile is read elsewhere.
  private final ArrayDeque<Outgoing> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private volatile boolean behind;
  private long taken;
  private long progressSeen;

  private long movedNanos;
  private volatile boolean watched;

  ClientReplies(int replicaId, Channel channel, ReplyBudgets budgets, RefusalLog refusals) {
    this.replicaId = replicaId;
    this.refusals = refusals;
    this.channel = channel;
    this.budgets = budgets;
  }

  /**
   * Sends replies, at once as far as there is room, in any order. Each write asks for room of its
   * own: those of one batch can be many times as long as the budget.
   */
  void send(List<Outgoing> replies) {
    int sent = 0;
    while (sent < replies.size() && !behind) {
      int end = sent + 1;
      long weight = replies.get(sent).weight();
      while (end < replies.size() && weight + replies.get(end).weight() <= WRITE_BYTES) {
        weight += replies.get(end++).weight();
      }
      if (!budgets.sending().take(queued.get(), weight)) {
        break;
      }
      write(replies.subList(sent, end), weight, budgets.sending());
      sent = end;
    }
    if (sent < replies.size()) {
      List<Outgoing> rest = replies.subList(sent, replies.size());
      channel.eventLoop().execute(() -> defer(rest));
    }
  }

  /**
   * @param room from which {@code weight} was taken
   */
  private void write(List<Outgoing> replies, long weight, SharedBudget room) {
    queued.addAndGet(weight);
    ByteBuf out = channel.alloc().buffer(Math.toIntExact(weight));
    for (Outgoing reply : replies) {
      reply.writeTo(out);
    }
    channel
        .writeAndFlush(out)
        .addListener(
            written -> {
              queued.addAndGet(-weight);
              room.release(weight);
              taken += weight;
              budgets.next();
            });
    if (!watched) {
      channel.eventLoop().execute(this::watch);
    }
  }

  /** On the event loop. */
  private void defer(List<Outgoing> replies) {
    for (Outgoing reply : replies) {
      long weight = reply.weight();
      if (waiting.isEmpty() && takeReserve(weight)) {
        write(List.of(reply), weight, budgets.reserve());
      } else if (channel.isActive() && takeWaiting(weight)) {
        waitingBytes += weight;
        waiting.add(reply);
      } else {
        budgets.dropped();
      }
    }
    behind = !waiting.isEmpty();
    if (behind) {
      budgets.enqueue(this);
      watch();
      budgets.next();
    }
  }

  /** Takes room for one more reply to wait. */
  private boolean takeWaiting(long weight) {
    return (waiting.isEmpty() && queued.get() == 0)
        ? budgets.takeInTurn(taken, weight)
        : budgets.waiting().take(waitingBytes, weight);
  }

  /** Takes room that is kept for clients that read. */
  private boolean takeReserve(long weight) {
    return queued.get() == 0
        && taken >= ReplyBudgets.READER_BYTES
        && channel.isActive()
        && budgets.reserve().take(0, weight);
  }

  /** Sends one more of the replies that wait, where there is room; whether there was. */
  boolean pump() {
    Outgoing reply = waiting.peek();
    if (reply == null) {
      return false;
    }
    long weight = reply.weight();
    SharedBudget room = budgets.sending();
    if (!room.take(queued.get(), weight)) {
      if (!takeReserve(weight)) {
        return false;
      }
      room = budgets.reserve();
    }
    waiting.remove();
    release(weight);
    write(List.of(reply), weight, room);
    return true;
  }

  /** Whether replies wait for room. */
  boolean isBehind() {
    return behind;
  }

  private void watch() {
    if (!watched) {
      watched = true;
      progressSeen = progress();
      movedNanos = budgets.nowNanos();
      budgets.watch(this);
    }
  }

  /** All bytes that the socket has taken, those of a write that is not complete included. */
  private long progress() {
    ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
    return taken + (out == null ? 0 : out.currentProgress());
  }

  /**
   * Closes the connection where it has taken nothing for {@code mostMillis}. On the event loop.
   *
   * @return whether there is still something to be taken
   */
  boolean look(long nowNanos, long mostMillis) {
    // In this order: a write that comes between them has this client watched again.
    watched = false;
    long unread = queued.get();
    if ((unread == 0 && !behind) || !channel.isActive()) {
      return false;
    }
    long progress = progress();
    if (unread == 0 || progress != progressSeen) {
      progressSeen = progress;
      movedNanos = nowNanos;
    } else if (nowNanos - movedNanos >= TimeUnit.MILLISECONDS.toNanos(mostMillis)) {
      refusals.tell(
          channel.remoteAddress(),
          "replica " + replicaId + " closes the connection of client",
          String.format(
              Locale.ROOT,
              "it left %d bytes of replies unread for %d ms, and %d more wait",
              unread,
              mostMillis,
              waitingBytes));
      channel.close();
      return false;
    }
    watched = true;
    return true;
  }

  /** Bytes that the socket has taken since the connection began. On the event loop. */
  long takenBytes() {
    return taken;
  }

  /** When it was last seen to take something, or to have nothing to take. */
  long movedNanos() {
    return movedNanos;
  }

  /** Drops the newest reply that waits; false where none does. On the event loop. */
  boolean dropNewest() {
    Outgoing reply = waiting.pollLast();
    if (reply == null) {
      return false;
    }
    release(reply.weight());
    budgets.dropped();
    return true;
  }

  /** A reply waits no more. */
  private void release(long weight) {
    waitingBytes -= weight;
    budgets.waiting().release(weight);
    behind = !waiting.isEmpty();
  }

  /** The connection is gone; what waits is dropped. */
  void close() {
    budgets.waiting().release(waitingBytes);
    waitingBytes = 0;
    waiting.clear();
    behind = false;
    budgets.next();
  }

  /** Bytes of replies that wait for the client to read. Any thread. */
  long unreadBytes() {
    return queued.get();
  }
}
