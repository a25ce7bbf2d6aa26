package io.lockstep.apps.loadbalancer.state;

import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * What is remembered of a connection.
 *
 * @param member the name of its member, which may be removed by now
 * @param seenSeconds when a packet of it came up last, in seconds since 1970 by the store's time
 * @param epoch the epoch of the pool in which it took its member
 * @param place the place of that take in the order of the pool
 * @param sourcePort the port from which the virtual IP talks to the member; 0 where the client does
 *     so itself
 * @param ingress where the client was when it took its member
 */
public record ConnectionRecord(
    String member,
    int ip,
    int port,
    int seenSeconds,
    long epoch,
    long place,
    int sourcePort,
    IngressPort ingress) {
  private static final int FORMAT = 1;

  ConnectionRecord seen(long nowSeconds) {
    return new ConnectionRecord(
        member, ip, port, (int) nowSeconds, epoch, place, sourcePort, ingress);
  }

  ConnectionRecord from(int otherSourcePort) {
    return new ConnectionRecord(
        member, ip, port, seenSeconds, epoch, place, otherSourcePort, ingress);
  }

  /** For how long no packet of it came up; the clock of the store never goes back. */
  public long silentSeconds(long nowSeconds) {
    return nowSeconds - Integer.toUnsignedLong(seenSeconds);
  }

  Bytes bytes() {
    ByteWriter out =
        new ByteWriter(44 + member.length())
            .int8(FORMAT)
            .int32(ip)
            .int16(port)
            .int32(seenSeconds)
            .int64(epoch)
            .int64(place)
            .int16(sourcePort);
    return ingress.write(out).utf8(member).toBytes();
  }

  /**
   * Reads a record.
   *
   * @throws IllegalArgumentException where the bytes are none
   */
  public static ConnectionRecord of(Bytes value) {
    ByteReader in = new ByteReader(value);
    in.version(FORMAT, "connection");
    int ip = in.int32();
    int port = in.uint16();
    int seenSeconds = in.int32();
    long epoch = in.int64();
    long place = in.int64();
    int sourcePort = in.uint16();
    IngressPort ingress = IngressPort.read(in);
    String member = in.utf8(ConfigNames.MOST_CHARS);
    in.end();
    return new ConnectionRecord(member, ip, port, seenSeconds, epoch, place, sourcePort, ingress);
  }
}
