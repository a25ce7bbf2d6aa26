package io.lockstep.store.engine.bftsmart;

import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import bftsmart.tom.util.BatchReader;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.StateSnapshot;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Limits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The service together with how far it has come: the last applied instance, the SHA-256 chain over
 * all decided values, and the last decisions for peers that lag behind.
 *
 * <p>Decisions arrive from two sides, in order from the library's delivery thread and in runs from
 * peers on the communication thread; snapshots are taken on the latter. The monitor of this object
 * makes them one at a time, so the service sees one caller. {@link #applied()} may be read by
 * anyone.
 */
final class OrderedState {

  /**
   * One decided instance.
   *
   * @param instance its number
   * @param chain SHA-256 over the previous chain hash, the instance and the value
   * @param value the decided batch as the library encodes it
   */
  record Decision(long instance, byte[] chain, byte[] value) {}

  /** Where a decision has been applied: its requests and the service's replies, in order. */
  interface Replies {
    void send(long instance, byte[] chain, List<TOMMessage> requests, List<byte[]> replies);
  }

  /** The state has outgrown the configured limit for snapshots. */
  static final class SnapshotTooLargeException extends Exception {
    SnapshotTooLargeException(String message) {
      super(message);
    }
  }

  private static final int BLOB_VERSION = 1;

  private final OrderedService service;
  private final Limits limits;
  private final Replies replies;
  private final MessageDigest digest;
  private final ArrayDeque<Decision> tail = new ArrayDeque<>();
  private long tailBytes;
  private byte[] chain = new byte[PeerNote.CHAIN_BYTES];
  private byte[] lastValue = new byte[0];
  private volatile long applied = -1;

  OrderedState(OrderedService service, Limits limits, Replies replies) {
    this.service = service;
    this.limits = limits;
    this.replies = replies;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("no SHA-256 in this Java", e);
    }
  }

  /** The last applied instance, -1 where none. */
  long applied() {
    return applied;
  }

  /** The last applied decision, with an empty value where there is none. */
  synchronized Decision last() {
    return new Decision(applied, chain, lastValue);
  }

  /** The chain hash after an instance, or null where it is no longer or not yet known. */
  synchronized byte @Nullable [] chainAfter(long instance) {
    if (instance == applied) {
      return chain;
    }
    Decision first = tail.peekFirst();
    if (first == null || instance < first.instance || instance > applied) {
      return null;
    }
    Iterator<Decision> newestFirst = tail.descendingIterator();
    while (newestFirst.hasNext()) {
      Decision decision = newestFirst.next();
      if (decision.instance == instance) {
        return decision.chain;
      }
    }
    return null;
  }

  /**
   * Applies the next decision.
   *
   * @param requests the requests in {@code value}, or null to decode them
   * @throws IllegalStateException if the instance is not the next one
   */
  synchronized void apply(long instance, byte[] value, TOMMessage @Nullable [] requests) {
    if (instance != applied + 1) {
      throw new IllegalStateException("instance " + instance + " decided after " + applied);
    }
    TOMMessage[] batch =
        requests == null ? new BatchReader(value, false).deserialiseRequests(null) : requests;
    List<TOMMessage> real = new ArrayList<>(batch.length);
    List<byte[]> contents = new ArrayList<>(batch.length);
    for (TOMMessage request : batch) {
      if (!PendingRequests.isNoop(request)
          && request.getReqType() == TOMMessageType.ORDERED_REQUEST) {
        real.add(request);
        contents.add(request.getContent());
      }
    }
    byte[] nextChain = chainHash(instance, value);
    List<byte[]> answers = List.of();
    if (!real.isEmpty()) {
      answers = service.apply(instance, batch[0].timestamp, contents);
      if (answers.size() != real.size()) {
        throw new IllegalStateException(
            answers.size() + " replies to " + real.size() + " requests at instance " + instance);
      }
    }
    chain = nextChain;
    lastValue = value;
    remember(new Decision(instance, nextChain, value));
    applied = instance;
    if (!real.isEmpty()) {
      replies.send(instance, nextChain, real, answers);
    }
  }

  private byte[] chainHash(long instance, byte[] value) {
    digest.update(chain);
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, instance));
    return digest.digest(value);
  }

  private void remember(Decision decision) {
    tail.addLast(decision);
    tailBytes += decision.value.length;
    while (tail.size() > limits.tailInstances()
        || (tailBytes > limits.tailBytes() && tail.size() > 1)) {
      tailBytes -= tail.removeFirst().value.length;
    }
  }

  /**
   * Applies decisions from a peer that continue ours.
   *
   * @return how many were new, or -1 if their chain is not ours; then those before the first
   *     difference have been applied
   */
  synchronized int learn(List<Decision> decisions) {
    int learned = 0;
    for (Decision decision : decisions) {
      if (decision.instance <= applied) {
        continue;
      }
      if (decision.instance != applied + 1) {
        break;
      }
      if (!MessageDigest.isEqual(chainHash(decision.instance, decision.value), decision.chain)) {
        return -1;
      }
      apply(decision.instance, decision.value, null);
      learned++;
    }
    return learned;
  }

  /**
   * The decisions after an instance, as many as fit.
   *
   * @return null where they are no longer all known; then the peer needs a snapshot
   */
  synchronized @Nullable List<Decision> after(long instance, int maxBytes) {
    Decision first = tail.peekFirst();
    if (instance == applied) {
      return List.of();
    }
    if (first == null || first.instance > instance + 1) {
      return null;
    }
    List<Decision> found = new ArrayList<>();
    int bytes = 0;
    for (Decision decision : tail) {
      if (decision.instance <= instance) {
        continue;
      }
      bytes += decision.value.length + PeerNote.CHAIN_BYTES;
      if (!found.isEmpty() && bytes > maxBytes) {
        break;
      }
      found.add(decision);
    }
    return found;
  }

  /**
   * The whole state for a peer.
   *
   * @throws SnapshotTooLargeException if it is larger than the configured limit
   */
  synchronized byte[] snapshot() throws SnapshotTooLargeException {
    byte[] state = wholeState();
    long total = 1L + 8 + PeerNote.CHAIN_BYTES + 4 + lastValue.length + state.length;
    if (total > limits.maxSnapshotBytes()) {
      throw new SnapshotTooLargeException(
          "snapshot of "
              + total
              + " bytes exceeds maxSnapshotBytes = "
              + limits.maxSnapshotBytes()
              + "; a peer cannot be refilled until the limit is raised on every replica");
    }
    return ByteBuffer.allocate((int) total)
        .put((byte) BLOB_VERSION)
        .putLong(applied)
        .put(chain)
        .putInt(lastValue.length)
        .put(lastValue)
        .put(state)
        .array();
  }

  private byte[] wholeState() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StateSnapshot snapshot = service.snapshot()) {
      boolean more = true;
      while (more) {
        more = snapshot.writeSome(out, 1 << 20);
      }
    } catch (IOException e) {
      throw new IllegalStateException("memory cannot be written", e);
    }
    return out.toByteArray();
  }

  /** The last instance in a {@link #snapshot}. */
  static long instanceOf(byte[] snapshot) {
    return ByteBuffer.wrap(snapshot).getLong(1);
  }

  /** Replaces everything by a peer's {@link #snapshot}. */
  synchronized void install(byte[] snapshot) {
    ByteBuffer in = ByteBuffer.wrap(snapshot);
    if (in.get() != BLOB_VERSION) {
      throw new IllegalStateException("snapshot of an unknown version");
    }
    long instance = in.getLong();
    byte[] newChain = new byte[PeerNote.CHAIN_BYTES];
    in.get(newChain);
    byte[] newLast = new byte[in.getInt()];
    in.get(newLast);
    try {
      service.restore(new ByteArrayInputStream(snapshot, in.position(), in.remaining()));
    } catch (IOException e) {
      throw new IllegalStateException("memory cannot be read", e);
    }
    tail.clear();
    tailBytes = 0;
    chain = newChain;
    lastValue = newLast;
    applied = instance;
  }
}
