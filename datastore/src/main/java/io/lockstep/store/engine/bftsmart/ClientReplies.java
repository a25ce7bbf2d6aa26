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
 * The replies to one client. A reply is encoded only when the budget that all clients share has
 * room for its bytes. Until then the reply waits unencoded. If too much waits, the reply is
 * dropped. Its client then sends the request again, and the service answers from its record or
 * reads again.
 *
 * <p>A client loses its connection if replies wait for it and it reads nothing for too long. That
 * time is shorter while another client needs the room (see {@link ReplyBudgets}).
 *
 * <p>Any thread may call {@link #send}. All else belongs to the channel's event loop.
 */
final class ClientReplies {
  /** Session, sequence, regency and instance. */
  static final int HEADER_BYTES = 4 + 4 + 4 + 8 + Decision.CHAIN_BYTES;

  private static final int LENGTH_BYTES = 4;

  /** Most bytes of replies in one write; a longer reply leaves alone. */
  private static final long WRITE_BYTES = 1 << 20;

  /** One reply and the other fields of its frame. */
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

  // Owned by the event loop; other threads read the volatile fields.
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
   * Sends replies, in any order, as far as there is room. Each write takes its own share of the
   * budget, because the replies of one batch can be many times as long as the budget.
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
   * @param room the budget that {@code weight} was taken from
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
    if (!watched && queued.get() > 0) {
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

  /** Takes room from the reserve for clients that read. */
  private boolean takeReserve(long weight) {
    return queued.get() == 0
        && taken >= ReplyBudgets.READER_BYTES
        && channel.isActive()
        && budgets.reserve().take(0, weight);
  }

  /** Sends the first waiting reply if there is room; returns whether it did. */
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
    boolean unread = queued.get() > 0 || behind;
    if (unread && !watched) {
      watched = true;
      progressSeen = progress();
      movedNanos = budgets.nowNanos();
      budgets.watch(this);
    }
  }

  /** All bytes that the socket has taken, including those of an unfinished write. */
  private long progress() {
    ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
    return taken + (out == null ? 0 : out.currentProgress());
  }

  /**
   * Closes the connection if the client has taken nothing for {@code mostMillis}. On the event
   * loop.
   *
   * @return whether replies still wait for the client
   */
  boolean look(long nowNanos, long mostMillis) {
    // First of all: a write that comes after this line adds the client to the watched ones again.
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
      refusals.report(
          channel.remoteAddress(),
          "replica " + replicaId + " closes the connection of client",
          String.format(
              Locale.ROOT,
              "it left %d bytes of replies unread for %d ms, and %d more wait",
              unread,
              mostMillis,
              waitingBytes));
      LoggedFailures.abort(channel);
      return false;
    }
    watched = true;
    return true;
  }

  /** Bytes that the socket has taken since the connection began. On the event loop. */
  long takenBytes() {
    return taken;
  }

  /** When the client last took something or had nothing to take. */
  long movedNanos() {
    return movedNanos;
  }

  /** Drops the newest waiting reply; false if none waits. On the event loop. */
  boolean dropNewest() {
    Outgoing reply = waiting.pollLast();
    if (reply == null) {
      return false;
    }
    release(reply.weight());
    budgets.dropped();
    return true;
  }

  /** Gives back the room of a reply that no longer waits. */
  private void release(long weight) {
    waitingBytes -= weight;
    budgets.waiting().release(weight);
    behind = !waiting.isEmpty();
  }

  /** Drops the waiting replies of a connection that has ended. */
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
