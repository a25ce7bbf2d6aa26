package io.lockstep.bench.compare;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The procedures against tables: our micro components and the peers' state machines run the same
 * code. Deterministic.
 */
public final class Procedures {
  static final String HOSTS = "lsm.host";
  public static final String IPS = "lbm.ip";
  public static final String VIPS = "lbm.vip";
  public static final String POOLS = "lbm.pool";
  static final String MEMBER = "lbm.member";
  public static final String MACS = "dmm.mac";
  public static final String DEVICES = "dmm.device";
  static final String DEVICE_IPS = "dmm.ip";
  static final String DEVICE_IDS = "dmm.id";

  /** Written by one client only, which may therefore rely on its cache. */
  public static final String CACHED_HOSTS = "lsq.host";

  /** When devices were last seen, apart from the devices. */
  public static final String DEVICE_SEEN = "dmm.seen";

  /** Members of the load balancer's pool. */
  public static final int MEMBERS = 4;

  /** Devices that exist at a time: ids are reused, so that the store does not grow. */
  public static final int DEVICE_RING = 1024;

  private static final int ADDRESS_BYTES = 4;

  private Procedures() {}

  /** What a procedure sees of a store. */
  public interface Tables {
    /** The value, or null; not to be changed. */
    byte @Nullable [] get(String table, String key);

    /** Writes an entry. */
    void put(String table, String key, byte[] value);

    /** Adds one to a counter and gives its new value. */
    long increment(String table, String key);
  }

  /** Whether procedures work on this table, and plain operations only prepare it. */
  public static boolean owns(String table) {
    return table.startsWith("lsm.") || table.startsWith("lbm.") || table.startsWith("dmm.");
  }

  /** Runs a procedure. */
  public static Answer call(Tables tables, Operation.Call call) {
    return switch (call.procedure()) {
      case LEARN -> learn(tables, call);
      case VIP -> Answer.of(through(tables, IPS, call.key(), VIPS), 0);
      case NEXT_MEMBER -> nextMember(tables, call.key());
      case DEVICES -> devices(tables, call);
      case SEEN -> seen(tables, call);
      case CREATE -> create(tables, call);
    };
  }

  private static Answer learn(Tables tables, Operation.Call call) {
    if (!Arrays.equals(tables.get(HOSTS, call.key()), call.value())) {
      tables.put(HOSTS, call.key(), call.value());
    }
    return Answer.of(tables.get(HOSTS, call.other()), 0);
  }

  private static byte @Nullable [] through(Tables tables, String from, String key, String target) {
    byte[] reference = tables.get(from, key);
    return reference == null
        ? null
        : tables.get(target, new String(reference, StandardCharsets.US_ASCII));
  }

  private static Answer nextMember(Tables tables, String key) {
    byte[] pool = tables.get(POOLS, key);
    if (pool == null) {
      return Answer.nothing();
    }
    int current = Values.number(pool) + 1;
    tables.put(POOLS, key, Values.with(pool, current));
    byte[] member = tables.get(MEMBER, memberKey(current));
    return member == null ? Answer.nothing() : Answer.of(Arrays.copyOf(member, ADDRESS_BYTES), 0);
  }

  /** The key of the pool's member whose turn it is. */
  public static String memberKey(int current) {
    return "k" + Math.floorMod(current, MEMBERS);
  }

  /** Two values, each after its length (2 bytes, 0 where there is none). */
  private static Answer devices(Tables tables, Operation.Call call) {
    return pair(
        through(tables, MACS, call.key(), DEVICES), through(tables, MACS, call.other(), DEVICES));
  }

  /** The answer of {@link Procedure#DEVICES} from the two devices. */
  public static Answer pair(byte @Nullable [] source, byte @Nullable [] destination) {
    int sourceBytes = source == null ? 0 : source.length;
    int destinationBytes = destination == null ? 0 : destination.length;
    ByteBuffer both = ByteBuffer.allocate(4 + sourceBytes + destinationBytes);
    both.putShort((short) sourceBytes);
    if (source != null) {
      both.put(source);
    }
    both.putShort((short) destinationBytes);
    if (destination != null) {
      both.put(destination);
    }
    return Answer.of(both.array(), 0);
  }

  private static Answer seen(Tables tables, Operation.Call call) {
    byte[] reference = tables.get(MACS, call.key());
    if (reference == null) {
      return Answer.nothing();
    }
    String key = new String(reference, StandardCharsets.US_ASCII);
    byte[] device = tables.get(DEVICES, key);
    if (device == null) {
      return Answer.nothing();
    }
    byte[] changed = device.clone();
    System.arraycopy(call.value(), 0, changed, 0, call.value().length);
    tables.put(DEVICES, key, changed);
    return Answer.written();
  }

  private static Answer create(Tables tables, Operation.Call call) {
    long id = tables.increment(DEVICE_IDS, "id");
    byte[] key = deviceKey(id % DEVICE_RING).getBytes(StandardCharsets.US_ASCII);
    tables.put(DEVICES, new String(key, StandardCharsets.US_ASCII), call.value());
    tables.put(MACS, call.key(), key);
    tables.put(DEVICE_IPS, call.other(), key);
    return Answer.counter(id);
  }

  /** Eight characters. */
  static String deviceKey(long number) {
    String digits = Long.toString(number);
    return "k" + "0".repeat(7 - digits.length()) + digits;
  }
}
