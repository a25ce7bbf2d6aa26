package io.lockstep.store.engine.bftsmart;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the memory for the requests of all clients, from the first byte of a frame until the
 * request is ordered or dropped. A connection whose next request finds no room is not read until
 * there is some. Waiting connections try again in turn.
 *
 * <p>There are two pools, so that large requests cannot take the room of small ones. Each is a
 * {@link SharedBudget}, so one client cannot take the room of the others. A connection that holds
 * nothing in a pool and has waited for {@link #OWED_MILLIS} gets the next room, however large its
 * request is. Connections that have completed a request come first. If every connection holds half
 * a small request, there is still room for others.
 *
 * <p>A client that begins a frame and does not complete it loses its connection while others wait
 * for the room: after {@link #STALLED_MILLIS} without a byte, or {@link #MOST_MILLIS} for one
 * frame.
 *
 * <p>Owned by the replica's loop.
 */
final class RequestBudgets {
  /** The most bytes of a small request. */
  static final int SMALL_BYTES = 4 << 10;

  /** After this wait a connection that holds nothing comes before all others. */
  static final long OWED_MILLIS = 300;

  /** How long a frame may make no progress while others wait. */
  static final long STALLED_MILLIS = 500;

  /** How long a frame may take while others wait. */
  static final long MOST_MILLIS = 5_000;

  /** A connection's decoder. */
  interface Reader {
    /** There may be room now; the decoder tries again. */
    void resume();

    /** Closes the connection, so that others find room. */
    void giveUp(String why);
  }

  private final Executor loop;
  private final LongSupplier clockNanos;
  private final Pool small;
  private final Pool large;

  /** Connections with an incomplete frame, in the order in which the frames began. */
  private final LinkedHashSet<Share> receiving = new LinkedHashSet<>();

  private Runnable onWaiting = () -> {};

  /**
   * @param mostBytes of all requests; small ones have a quarter of it
   * @param loop resumes connections; never within a call to this class
   * @param clockNanos monotonic
   */
  RequestBudgets(long mostBytes, Executor loop, LongSupplier clockNanos) {
    this.loop = loop;
    this.clockNanos = clockNanos;
    this.small = new Pool(mostBytes / 4);
    this.large = new Pool(mostBytes - mostBytes / 4);
  }

  /** Sets what is called when a connection begins to wait: {@link #tick} is needed from then on. */
  void onWaiting(Runnable needed) {
    onWaiting = needed;
  }

  /** A share for a new connection. */
  Share share(Reader reader) {
    return new Share(reader);
  }

  /**
   * Closes connections with a stalled frame while others wait for room. To be called regularly
   * while some do.
   */
  void tick() {
    if (waiting() == 0) {
      return;
    }
    long now = clockNanos.getAsLong();
    for (Share share : List.copyOf(receiving)) {
      long stalledMillis = TimeUnit.NANOSECONDS.toMillis(now - share.movedNanos);
      long tookMillis = TimeUnit.NANOSECONDS.toMillis(now - share.beganNanos);
      if (stalledMillis >= STALLED_MILLIS || tookMillis >= MOST_MILLIS) {
        share.reader.giveUp(
            "it sent part of a request "
                + tookMillis
                + " ms ago, the last byte "
                + stalledMillis
                + " ms ago, and others wait for the room");
      }
    }
  }

  /** Bytes taken now. */
  long taken() {
    return small.budget.taken() + large.budget.taken();
  }

  /** Connections that are not read at present. */
  int waiting() {
    return small.waiting.size() + large.waiting.size();
  }

  private Pool pool(int bytes) {
    return bytes <= SMALL_BYTES ? small : large;
  }

  private final class Pool {
    final SharedBudget budget;

    /** In the order in which they asked. */
    final LinkedHashSet<Share> waiting = new LinkedHashSet<>();

    /** Those that held nothing here when they asked, and had completed a request before. */
    private final LinkedHashSet<Share> known = new LinkedHashSet<>();

    /** Those that held nothing here and had completed none. */
    private final LinkedHashSet<Share> strangers = new LinkedHashSet<>();

    private boolean due;

    Pool(long mostBytes) {
      budget = new SharedBudget(mostBytes);
    }

    boolean take(Share share, long held, int bytes) {
      Share owed = owed();
      if ((owed == null || owed == share) && budget.take(held, bytes)) {
        forget(share);
        return true;
      }
      if (waiting.add(share)) {
        share.waitsSinceNanos = clockNanos.getAsLong();
        onWaiting.run();
        if (held == 0) {
          (share.completed ? known : strangers).add(share);
        }
      }
      return false;
    }

    void forget(Share share) {
      waiting.remove(share);
      known.remove(share);
      strangers.remove(share);
    }

    /** The connection that comes before all others now. */
    private @Nullable Share owed() {
      if (known.isEmpty() && strangers.isEmpty()) {
        return null;
      }
      Share first = (known.isEmpty() ? strangers : known).iterator().next();
      long waitedNanos = clockNanos.getAsLong() - first.waitsSinceNanos;
      return waitedNanos >= TimeUnit.MILLISECONDS.toNanos(OWED_MILLIS) ? first : null;
    }

    void release(int bytes) {
      budget.release(bytes);
      if (!due && !waiting.isEmpty()) {
        due = true;
        loop.execute(this::next);
      }
    }

    /** Lets each waiting connection try once. Those that find no room keep their places. */
    private void next() {
      due = false;
      for (Share share : List.copyOf(waiting)) {
        if (waiting.contains(share)) {
          share.reader.resume();
        }
      }
    }
  }

  /** The room that one connection holds. */
  final class Share {
    private final Reader reader;
    private long smallBytes;
    private long largeBytes;
    private long waitsSinceNanos;
    private long beganNanos;
    private long movedNanos;
    private boolean completed;

    private Share(Reader reader) {
      this.reader = reader;
    }

    /**
     * Takes room for a request whose content has not been read yet. If there is none, {@link
     * Reader#resume} follows.
     */
    boolean take(int bytes) {
      Pool pool = pool(bytes);
      if (!pool.take(this, pool == small ? smallBytes : largeBytes, bytes)) {
        return false;
      }
      add(pool, bytes);
      return true;
    }

    private void add(Pool pool, int bytes) {
      if (pool == small) {
        smallBytes += bytes;
      } else {
        largeBytes += bytes;
      }
    }

    /** Gives back the room of a request. */
    void release(int bytes) {
      Pool pool = pool(bytes);
      add(pool, -bytes);
      pool.release(bytes);
    }

    /** Part of a request has arrived. Room for all of it was taken before. */
    void begun() {
      beganNanos = clockNanos.getAsLong();
      movedNanos = beganNanos;
      receiving.add(this);
    }

    /** More of that request has arrived. */
    void moved() {
      movedNanos = clockNanos.getAsLong();
    }

    /** All of it has arrived. */
    void completed() {
      completed = true;
      receiving.remove(this);
    }

    /**
     * The connection has ended and asks for no more. Its requests give back their room one by one.
     */
    void close() {
      receiving.remove(this);
      small.forget(this);
      large.forget(this);
    }
  }
}
