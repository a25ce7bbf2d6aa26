package io.lockstep.openflow.channel;

import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFMessage;

/**
 * The unanswered requests of one connection by transaction id, bounded. Owned by the event loop;
 * time is an argument, in nanoseconds.
 */
final class PendingRequests {
  private record Entry(Request request, long deadlineNanos, String what) {}

  private final int max;
  private final IntObjectHashMap<Entry> byXid = new IntObjectHashMap<>();

  PendingRequests(int max) {
    this.max = max;
  }

  /** Whether one more finds room. */
  boolean hasRoom() {
    return byXid.size() < max;
  }

  /**
   * Waits for the answer.
   *
   * @param what for people, in the reason of a time-out
   */
  void add(int xid, Request request, String what, long deadlineNanos) {
    byXid.put(xid, new Entry(request, deadlineNanos, what));
  }

  /** Hands a reply to its request; false where nobody waits for it. */
  boolean reply(int xid, OFMessage reply) {
    Entry entry = byXid.get(xid);
    if (entry == null) {
      return false;
    }
    if (entry.request.onReply(reply)) {
      byXid.remove(xid);
    }
    return true;
  }

  /** Hands an error to its request; false where nobody waits for it. */
  boolean error(int xid, String error) {
    Entry entry = byXid.remove(xid);
    if (entry == null) {
      return false;
    }
    entry.request.onError(error);
    return true;
  }

  /** Ends the requests whose deadline passed. */
  void expire(long nowNanos) {
    if (byXid.isEmpty()) {
      return;
    }
    List<Entry> expired = null;
    Iterator<IntObjectMap.PrimitiveEntry<Entry>> entries = byXid.entries().iterator();
    while (entries.hasNext()) {
      Entry entry = entries.next().value();
      if (nowNanos - entry.deadlineNanos >= 0) {
        expired = expired == null ? new ArrayList<>() : expired;
        expired.add(entry);
        entries.remove();
      }
    }
    if (expired != null) {
      expired.forEach(entry -> entry.request.onLost("no " + entry.what + " in time"));
    }
  }

  /** Ends all requests. */
  void loseAll(String reason) {
    @Nullable Object[] entries = byXid.values().toArray();
    byXid.clear();
    for (Object entry : entries) {
      if (entry instanceof Entry pending) {
        pending.request.onLost(reason);
      }
    }
  }
}
