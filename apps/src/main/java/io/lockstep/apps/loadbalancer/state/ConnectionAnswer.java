package io.lockstep.apps.loadbalancer.state;

import io.lockstep.store.Bytes;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * What a micro component answers on a connection. As bytes: format, status and, where there is a
 * connection, its key, the member's IP and port, source port, epoch, place and idle seconds.
 *
 * @param connection null unless the status is {@link Status#TAKEN} or {@link Status#KEPT}
 */
public record ConnectionAnswer(Status status, @Nullable Connection connection) {
  private static final int FORMAT = 1;
  private static final int BYTES = 2 + ConnectionKey.BYTES + 28;

  /**
   * A connection and its member.
   *
   * @param epoch the epoch of the pool in which it took its member
   * @param place the place of that take in the order of the pool
   * @param sourcePort 0 where the client itself talks to the member
   * @param idleSeconds how long it is remembered after its last packet
   */
  public record Connection(
      ConnectionKey key,
      int ip,
      int port,
      int sourcePort,
      long epoch,
      long place,
      int idleSeconds) {}

  /** What became of a question. The numbers are part of the format. */
  public enum Status implements Coded {
    /** The connection is new and took the next member of its pool. */
    TAKEN(0),
    /** The connection is known and keeps its member. */
    KEPT(1),
    /** The connection is not known, and the packet begins none. */
    NO_RECORD(2),
    /** No member of the pool takes connections. */
    NO_MEMBER(3),
    /** The client has as many connections as it may. */
    CLIENT_FULL(4),
    /** The virtual IP has as many connections as it may. */
    SERVICE_FULL(5),
    /** There is no such virtual IP. */
    NO_SERVICE(6),
    /**
     * The virtual IP has no free source port towards the member, or the client has a connection to
     * it from this port by another virtual IP.
     */
    NO_PORT(7),
    /** The clients at one port of a switch have as many connections as they may. */
    INGRESS_FULL(8);

    private final int code;

    Status(int code) {
      this.code = code;
    }

    @Override
    public int code() {
      return code;
    }
  }

  static Bytes without(Status status) {
    return new ByteWriter(2).int8(FORMAT).int8(status.code()).toBytes();
  }

  static Bytes of(Status status, Bytes key, ConnectionRecord record, int idleSeconds) {
    return new ByteWriter(BYTES)
        .int8(FORMAT)
        .int8(status.code())
        .raw(key.shared())
        .int32(record.ip())
        .int16(record.port())
        .int16(record.sourcePort())
        .int64(record.epoch())
        .int64(record.place())
        .int32(idleSeconds)
        .toBytes();
  }

  /**
   * Reads the reply to a call; null where the store did not return one.
   *
   * @throws IllegalArgumentException where the bytes are no answer
   */
  public static @Nullable ConnectionAnswer of(Reply reply) {
    if (!(reply instanceof Reply.Returned returned)) {
      return null;
    }
    ByteReader in = new ByteReader(returned.result());
    in.version(FORMAT, "answer on a connection");
    Status status = Coded.of(Status.values(), "status", in.uint8());
    Connection connection = null;
    if (status == Status.TAKEN || status == Status.KEPT) {
      ConnectionKey key = ConnectionKey.read(in);
      int ip = in.int32();
      int port = in.uint16();
      int sourcePort = in.uint16();
      connection = new Connection(key, ip, port, sourcePort, in.int64(), in.int64(), in.int32());
    }
    in.end();
    return new ConnectionAnswer(status, connection);
  }
}
