package io.lockstep.apps.loadbalancer.state;

import static io.lockstep.apps.loadbalancer.state.FieldException.requireName;
import static io.lockstep.apps.loadbalancer.state.FieldException.requireWithin;

import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * A pool of members that stand for each other.
 *
 * @param name its key
 * @param method how connections are shared out
 * @param probe how members are looked after
 * @param intervalMillis from one probe of a member to the next, 200 to 30 000
 * @param misses probes without an answer after which a member is down, 1 to 10
 * @param hits answers after which it is up again, 1 to 10
 */
public record Pool(
    String name, Method method, Probe probe, int intervalMillis, int misses, int hits) {

  /** Pools at most. */
  public static final int MOST = 1_024;

  /** Members of one pool at most. */
  public static final int MOST_MEMBERS = 64;

  public static final int USUAL_INTERVAL_MILLIS = 1_000;
  public static final int USUAL_MISSES = 3;
  public static final int USUAL_HITS = 2;

  public static final int MOST_PROBES = 10;
  public static final int LEAST_INTERVAL_MILLIS = 200;
  public static final int MOST_INTERVAL_MILLIS = 30_000;

  private static final int FORMAT = 1;

  /** How connections are shared out. The numbers are part of the format. */
  public enum Method implements Coded {
    /** One after the other, whatever their weights are. */
    ROUND_ROBIN(0),
    /** Each as often as its weight says, as evenly as that allows. */
    WEIGHTED(1);

    private final int code;

    Method(int code) {
      this.code = code;
    }

    @Override
    public int code() {
      return code;
    }
  }

  /** What a member is asked. The numbers are part of the format. */
  public enum Probe implements Coded {
    NONE(0),
    ARP(1),
    ICMP(2),
    TCP(3);

    private final int code;

    Probe(int code) {
      this.code = code;
    }

    @Override
    public int code() {
      return code;
    }
  }

  /**
   * Checks the fields.
   *
   * @throws FieldException naming the field that has no allowed value
   */
  public Pool {
    requireName("name", name);
    requireWithin("intervalMillis", intervalMillis, LEAST_INTERVAL_MILLIS, MOST_INTERVAL_MILLIS);
    requireWithin("misses", misses, 1, MOST_PROBES);
    requireWithin("hits", hits, 1, MOST_PROBES);
  }

  /** A pool with usual times. */
  public static Pool usual(String name, Method method, Probe probe) {
    return new Pool(name, method, probe, USUAL_INTERVAL_MILLIS, USUAL_MISSES, USUAL_HITS);
  }

  Bytes bytes() {
    return new ByteWriter(16)
        .int8(FORMAT)
        .int8(method.code())
        .int8(probe.code())
        .int32(intervalMillis)
        .int8(misses)
        .int8(hits)
        .toBytes();
  }

  /**
   * Reads a pool.
   *
   * @throws IllegalArgumentException where the bytes are none
   */
  public static Pool of(String name, Bytes value) {
    ByteReader in = new ByteReader(value);
    in.version(FORMAT, "pool");
    Method method = Coded.of(Method.values(), "method", in.uint8());
    Probe probe = Coded.of(Probe.values(), "probe", in.uint8());
    int intervalMillis = in.int32();
    int misses = in.uint8();
    int hits = in.uint8();
    in.end();
    return new Pool(name, method, probe, intervalMillis, misses, hits);
  }
}
