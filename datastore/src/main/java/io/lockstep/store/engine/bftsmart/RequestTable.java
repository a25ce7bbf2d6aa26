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
 * Requests in order of arrival, each once. A request that its client sends again under another
 * number while it waits is found by its content. Unproposed requests are proposed fairly ({@link
 * FairQueue}). A {@link ClientRequest} gives its room back when it leaves the table.
 *
 * <p>Bytes are bounded elsewhere: where requests are read ({@link RequestBudgets}), for forwarded
 * requests by {@link #FORWARDED_BYTES}, and for proposed ones by the number of proposals.
 *
 * <p>Not thread-safe.
 */
final class RequestTable {
  /** Most bytes of requests that peers forwarded. */
  static final int FORWARDED_BYTES = 4 << 20;

  /** Only larger requests are compared with those that wait. */
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

  /** The identity of a request's content, under any request number. */
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
   * @param content null if the request is not compared
   */
  private record Entry(TOMMessage request, boolean forwarded, @Nullable Content content) {
    /** The client in whose turn it is proposed. */
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

  /** Adds a request from a proposal, in case the proposal is not decided. */
  void addProposed(TOMMessage request) {
    put(new Entry(request, false, null));
  }

  /**
   * Adds a request of a client.
   *
   * @param forwarded by a peer
   * @return false if the same already waits, or if too many forwarded bytes wait
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

  /** Removes an ordered request, and its copy that waits under another number. */
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
   * Returns the next request to propose, and marks it as proposed.
   *
   * @param largest requests with more bytes are skipped
   * @return null if there is none, or if it has more than {@code mostBytes}
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

  /** Makes proposed requests available again. */
  void forgetProposals() {
    unproposed.clear();
    for (Entry entry : entries.values()) {
      entry.request.alreadyProposed = false;
      unproposed.add(entry.client(), entry);
    }
  }

  /** The time of arrival of the oldest request, null if there is none. */
  @Nullable Long oldestNanos() {
    Iterator<Entry> oldest = entries.values().iterator();
    return oldest.hasNext() ? oldest.next().request.receptionTime : null;
  }

  /**
   * The requests that arrived no later than this, oldest first.
   *
   * @param mostBytes of them; a single one may be larger
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

  /** Drops the requests that arrived no later than this. */
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
