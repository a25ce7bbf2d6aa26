package io.lockstep.apps.loadbalancer.state;

import static io.lockstep.apps.loadbalancer.state.FieldException.requireName;
import static io.lockstep.apps.loadbalancer.state.FieldException.requireWithin;

import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * A virtual IP: a service that the members of a pool stand behind.
 *
 * @param name its key
 * @param service where clients reach it
 * @param prefixLength of the subnet in which members must be, 8 to 32
 * @param vlan of clients and members, 1 to 4094; 0 for frames without a tag
 * @param pool the name of the pool
 * @param idleSeconds how long a connection is remembered after its last packet came up, 6 to {@link
 *     #MOST_IDLE_SECONDS}
 * @param maxConnections remembered at most, 1 to {@link #MOST_CONNECTIONS}
 * @param maxPerClient remembered of one client IP at most, 1 to {@code maxConnections}
 */
public record VirtualIp(
    String name,
    ServiceAddress service,
    int prefixLength,
    int vlan,
    String pool,
    int idleSeconds,
    int maxConnections,
    int maxPerClient) {

  /** Virtual IPs at most. */
  public static final int MOST = 1_024;

  public static final int LEAST_IDLE_SECONDS = 6;

  public static final int MOST_VLAN = 4_094;

  /** Idle times of entries are numbers of 16 bits; what is added to this one stays below. */
  public static final int MOST_IDLE_SECONDS = 64_000;

  /**
   * Connections of all virtual IPs together at most, which each of them reserves; 100 bytes each.
   */
  public static final int MOST_CONNECTIONS = 1 << 18;

  public static final int USUAL_PREFIX_LENGTH = 24;
  public static final int USUAL_CONNECTIONS = 1 << 15;
  public static final int USUAL_PER_CLIENT = 1 << 12;

  private static final int FORMAT = 1;

  /**
   * Checks the fields.
   *
   * @throws FieldException naming the field that has no allowed value
   */
  public VirtualIp {
    requireName("name", name);
    if (!Ipv4.isUnicast(service.ip())) {
      throw new FieldException(
          "address", Ipv4.text(service.ip()) + " is no address of a host; give another one");
    }
    requireWithin("prefixLength", prefixLength, 8, 32);
    requireWithin("vlan", vlan, 0, MOST_VLAN);
    requireWithin("port", service.port(), 1, 0xffff);
    requireName("pool", pool);
    requireWithin("idleSeconds", idleSeconds, LEAST_IDLE_SECONDS, MOST_IDLE_SECONDS);
    requireWithin("maxConnections", maxConnections, 1, MOST_CONNECTIONS);
    requireWithin("maxPerClient", maxPerClient, 1, maxConnections);
  }

  /** A virtual IP without a tag, with usual bounds and times. */
  public static VirtualIp usual(String name, ServiceAddress service, String pool) {
    return new VirtualIp(
        name,
        service,
        USUAL_PREFIX_LENGTH,
        0,
        pool,
        service.protocol().usualIdleSeconds(),
        USUAL_CONNECTIONS,
        USUAL_PER_CLIENT);
  }

  /** Connections remembered of clients at one port of a switch at most: three quarters of all. */
  int mostAtPort() {
    return Math.max(1, maxConnections / 4 * 3 + maxConnections % 4 * 3 / 4);
  }

  /** Whether a member with this address may stand behind it. */
  boolean isInPrefix(int ip) {
    return Ipv4.isSamePrefix(service.ip(), ip, prefixLength);
  }

  Bytes bytes() {
    return new ByteWriter(32 + pool.length())
        .int8(FORMAT)
        .int8(service.protocol().number())
        .int32(service.ip())
        .int16(service.port())
        .int8(prefixLength)
        .int16(vlan)
        .int32(idleSeconds)
        .int32(maxConnections)
        .int32(maxPerClient)
        .utf8(pool)
        .toBytes();
  }

  /**
   * Reads a virtual IP.
   *
   * @throws IllegalArgumentException where the bytes are none
   */
  public static VirtualIp of(String name, Bytes value) {
    ByteReader in = new ByteReader(value);
    in.version(FORMAT, "virtual IP");
    ServiceAddress service = ServiceAddress.read(in);
    int prefixLength = in.uint8();
    int vlan = in.uint16();
    int idleSeconds = in.int32();
    int maxConnections = in.int32();
    int maxPerClient = in.int32();
    String pool = in.utf8(ConfigNames.MOST_CHARS);
    in.end();
    return new VirtualIp(
        name, service, prefixLength, vlan, pool, idleSeconds, maxConnections, maxPerClient);
  }
}
