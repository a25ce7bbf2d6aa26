package io.lockstep.apps.loadbalancer.state;

import static io.lockstep.apps.loadbalancer.state.FieldException.requireName;
import static io.lockstep.apps.loadbalancer.state.FieldException.requireWithin;

import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * A server of a pool, as the operator wants it. Whether it answers is in another table: {@link
 * HealthTable}.
 *
 * @param name its key
 * @param pool the name of its pool
 * @param port 1 to 65535
 * @param weight 1 to {@link #MOST_WEIGHT}
 */
public record Member(String name, String pool, int ip, int port, int weight, State state) {

  /** Members of all pools at most. */
  public static final int MOST = 4_096;

  public static final int MOST_WEIGHT = 256;

  private static final int FORMAT = 1;

  /** What the operator wants of a member. The numbers are part of the format. */
  public enum State implements Coded {
    /** It takes connections while it answers. */
    ENABLED(0),
    /** It takes no new connections and keeps those it has. */
    DRAIN(1),
    /** It takes none and keeps none. */
    DISABLED(2);

    private final int code;

    State(int code) {
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
  public Member {
    requireName("name", name);
    requireName("pool", pool);
    if (!Ipv4.isUnicast(ip)) {
      throw new FieldException(
          "address", Ipv4.text(ip) + " is no address of a host; give another one");
    }
    requireWithin("port", port, 1, 0xffff);
    requireWithin("weight", weight, 1, MOST_WEIGHT);
  }

  boolean isAt(int otherIp, int otherPort) {
    return ip == otherIp && port == otherPort;
  }

  Bytes bytes() {
    return new ByteWriter(16 + pool.length())
        .int8(FORMAT)
        .int32(ip)
        .int16(port)
        .int16(weight)
        .int8(state.code())
        .utf8(pool)
        .toBytes();
  }

  /**
   * Reads a member.
   *
   * @throws IllegalArgumentException where the bytes are none
   */
  public static Member of(String name, Bytes value) {
    ByteReader in = new ByteReader(value);
    in.version(FORMAT, "member");
    int ip = in.int32();
    int port = in.uint16();
    int weight = in.uint16();
    State state = Coded.of(State.values(), "state", in.uint8());
    String pool = in.utf8(ConfigNames.MOST_CHARS);
    in.end();
    return new Member(name, pool, ip, port, weight, state);
  }
}
