package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.Bytes;
import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.SnapshotBytes;
import io.lockstep.store.engine.StateSnapshot;
import io.lockstep.store.machine.ReplacedMachines;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;

/**
 * Remembers which operation ids were applied and a hash over their order. A request is an id of
 * four bytes and any padding; the reply is the id and how many different ones came before it.
 * Queries come from another thread, so methods are synchronized.
 */
final class RecordingService implements OrderedService {
  /** System property with the version of requests that it claims to read. */
  static final String REQUEST_VERSION = "lockstep.test.requestVersion";

  private static final long NO_TIME = Long.MIN_VALUE;

  /** Behind the id of a request that changes machines. */
  private static final int CHANGE = 0x4d414348;

  private volatile ReplacedMachines machines = ReplacedMachines.NONE;
  private final BitSet applied = new BitSet();
  private long duplicates;
  private byte[] history = new byte[32];
  private OptionalLong lastTimeMillis = OptionalLong.empty();

  @Override
  public synchronized List<OrderedReply> apply(
      long instance, long timeMillis, List<byte[]> requests) {
    lastTimeMillis = OptionalLong.of(timeMillis);
    List<OrderedReply> replies = new ArrayList<>(requests.size());
    for (byte[] request : requests) {
      ByteBuffer content = ByteBuffer.wrap(request);
      int id = content.getInt();
      if (content.remaining() > 4 && content.getInt() == CHANGE) {
        byte[] list = new byte[content.remaining()];
        content.get(list);
        machines = ReplacedMachines.decode(Bytes.wrap(list));
      }
      if (applied.get(id)) {
        duplicates++;
      } else {
        applied.set(id);
        history = sha256(history, id);
      }
      replies.add(OrderedReply.withItsBatch(ByteBuffer.allocate(4).putInt(id).array()));
    }
    return replies;
  }

  /** A request that changes machines. */
  static byte[] change(int id, ReplacedMachines next) {
    byte[] list = next.encode().toArray();
    return ByteBuffer.allocate(8 + list.length).putInt(id).putInt(CHANGE).put(list).array();
  }

  @Override
  public ReplacedMachines machines() {
    return machines;
  }

  @Override
  public int requestVersion() {
    return Integer.getInteger(REQUEST_VERSION, 1);
  }

  @Override
  public long index() {
    return 0;
  }

  @Override
  public synchronized OptionalLong lastTimeMillis() {
    return lastTimeMillis;
  }

  private static byte[] sha256(byte[] before, int id) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(before);
      return digest.digest(ByteBuffer.allocate(4).putInt(id).array());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public synchronized StateSnapshot snapshot() {
    byte[] ids = applied.toByteArray();
    byte[] list = machines.encode().toArray();
    return SnapshotBytes.taken(
        ByteBuffer.allocate(4 + list.length + 8 + 8 + 32 + ids.length)
            .putInt(list.length)
            .put(list)
            .putLong(lastTimeMillis.orElse(NO_TIME))
            .putLong(duplicates)
            .put(history)
            .put(ids)
            .array());
  }

  @Override
  public synchronized void reset() {
    applied.clear();
    duplicates = 0;
    history = new byte[32];
    lastTimeMillis = OptionalLong.empty();
    machines = ReplacedMachines.NONE;
  }

  @Override
  public synchronized void restore(InputStream snapshot) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(snapshot.readAllBytes());
    byte[] list = new byte[in.getInt()];
    in.get(list);
    machines = ReplacedMachines.decode(Bytes.wrap(list));
    long time = in.getLong();
    lastTimeMillis = time == NO_TIME ? OptionalLong.empty() : OptionalLong.of(time);
    duplicates = in.getLong();
    in.get(history);
    applied.clear();
    applied.or(BitSet.valueOf(in));
  }

  /** How many different ids were applied, and the hash over their order. */
  synchronized String digest() {
    return applied.cardinality() + " " + HexFormat.of().formatHex(history);
  }

  /** How many of these ids were never applied. */
  synchronized int missing(BitSet ids) {
    BitSet missing = (BitSet) ids.clone();
    missing.andNot(applied);
    return missing.cardinality();
  }
}
