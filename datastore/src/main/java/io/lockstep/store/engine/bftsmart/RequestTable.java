package io.lockstep.store.engine.bftsmart;

import bftsmart.tom.core.messages.TOMMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Requests in order of arrival, each once: one that its client sends again under another number
 * while it waits is found by its content. Those that were not proposed yet are proposed fairly
 * ({@link FairQueue}). A {@link ClientRequest} gives its room back when it leaves the table.
 *
 * <p>How many bytes wait is bounded where they are read ({@link RequestRoom}), for those that peers
 * forward by {@link #FORWARDED_BYTES}, for those inside proposals by the number of proposals.
 *
 * <p>Not thread-safe.
 */
final class RequestTable {
  /** Bytes of requests that peers forwarded, at most. */
  static final int FORWARDED_BYTES = 4 << 20;

  /** Requests larger than this are compared with those that wait. */
  private static final int COMPARED_BYTES = 4 << 10;

  private record Key(int sender, int session, int sequence) {
    static Key of(TOMMessage request) {
      return new Key(request.getSender(), request.getSession(), request.getSequence());
    }

    @Override
    public int hashCode() {
      return (sender * 31 + session) * 31 + sequence;
    }
  }

  /** What a client has sent, under any request number. */
  private record Content(int sender, int length, long checksum) {
    static @Nullable Content of(TOMMessage request) {
      int length = ClientRequest.contentLength(request);
      if (length <= COMPARED_BYTES) {
        return null;
      }
      CRC32C checksum = new CRC32C();
      checksum.update(request.serializedMessage, request.serializedMessage.length - length, length);
      return new Content(request.getSender(), length, checksum.getValue());
    }
  }

  /**
   * One request. Identity counts.
   *
   * @param content only of those that are compared
   */
  private record Entry(TOMMessage request, boolean forwarded, @Nullable Content content) {
    /** Whose turn its proposal is. */
    Object client() {
      return request instanceof ClientRequest one ? one.share() : request.getSender();
    }

    int bytes() {
      return request.serializedMessage.length;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  private final LinkedHashMap<Key, Entry> entries = new LinkedHashMap<>();
  private final FairQueue<Entry> unproposed = new FairQueue<>(Entry::bytes);
  private final Map<Content, Entry> contents = new HashMap<>();
  private long forwardedBytes;

  boolean contains(TOMMessage request) {
    return entries.containsKey(Key.of(request));
  }

  /** Adds a request from inside a proposal, in case that the proposal comes to nothing. */
  void addProposed(TOMMessage request) {
    put(new Entry(request, false, null));
  }

  /**
   * Adds a request of a client.
   *
   * @param forwarded by a peer
   * @return false where the same waits already, or too much that peers forwarded
   */
  boolean add(TOMMessage request, boolean forwarded) {
    if (forwarded && forwardedBytes + request.serializedMessage.length > FORWARDED_BYTES) {
      return false;
    }
    Content content = Content.of(request);
    if (copyOf(request, content) != null) {
      return false;
    }
    put(new Entry(request, forwarded, content));
    return true;
  }

  private @Nullable Entry copyOf(TOMMessage request, @Nullable Content content) {
    Entry copy = content == null ? null : contents.get(content);
    return copy != null && ClientRequest.sameContent(request, copy.request) ? copy : null;
  }

  private void put(Entry entry) {
    entries.put(Key.of(entry.request), entry);
    unproposed.add(entry.client(), entry);
    if (entry.content != null) {
      contents.put(entry.content, entry);
    }
    if (entry.forwarded) {
      forwardedBytes += entry.bytes();
    }
  }

  /** A request has its place in the order; so has what waits under another number. */
  void ordered(TOMMessage request) {
    Entry entry = entries.get(Key.of(request));
    if (entry == null && !contents.isEmpty()) {
      entry = copyOf(request, Content.of(request));
    }
    if (entry != null) {
      entries.remove(Key.of(entry.request));
      left(entry);
    }
  }

  private void left(Entry entry) {
    unproposed.remove(entry.client(), entry);
    if (entry.content != null) {
      contents.remove(entry.content, entry);
    }
    if (entry.forwarded) {
      forwardedBytes -= entry.bytes();
    }
    if (entry.request instanceof ClientRequest done) {
      done.leave();
    }
  }

  /**
   * The next one to propose, which then counts as proposed.
   *
   * @param largest requests with more bytes are passed over
   * @return null where there is none, or where it has more than {@code mostBytes}
   */
  @Nullable TOMMessage propose(int mostBytes, int largest) {
    Entry next = unproposed.poll(mostBytes, largest);
    if (next == null) {
      return null;
    }
    next.request.alreadyProposed = true;
    return next.request;
  }

  /** Whether {@link #propose} finds a request. */
  boolean hasUnproposed(int largest) {
    return unproposed.has(largest);
  }

  /** What was proposed may be proposed again. */
  void forgetProposals() {
    unproposed.clear();
    for (Entry entry : entries.values()) {
      entry.request.alreadyProposed = false;
      unproposed.add(entry.client(), entry);
    }
  }

  /** When the oldest request came, null where there is none. */
  @Nullable Long oldestNanos() {
    Iterator<Entry> oldest = entries.values().iterator();
    return oldest.hasNext() ? oldest.next().request.receptionTime : null;
  }

  /**
   * The requests that came no later than that, oldest first.
   *
   * @param mostBytes of them; one alone may exceed it
   */
  List<TOMMessage> until(long nanos, int most, int mostBytes) {
    List<TOMMessage> old = new ArrayList<>();
    long bytes = 0;
    for (Entry entry : entries.values()) {
      bytes += entry.bytes();
      if (entry.request.receptionTime - nanos > 0
          || old.size() >= most
          || (!old.isEmpty() && bytes > mostBytes)) {
        break;
      }
      old.add(entry.request);
    }
    return old;
  }

  /** Gives up the requests that came no later than that. */
  void dropUntil(long nanos) {
    Iterator<Entry> oldest = entries.values().iterator();
    while (oldest.hasNext()) {
      Entry entry = oldest.next();
      if (entry.request.receptionTime - nanos > 0) {
        break;
      }
      oldest.remove();
      left(entry);
    }
  }

  int size() {
    return entries.size();
  }

  void clear() {
    List<Entry> all = List.copyOf(entries.values());
    entries.clear();
    all.forEach(this::left);
  }
}
