package io.lockstep.store.engine.bftsmart;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The first frame in each direction on every connection. It names the purpose, the cluster, the
 * sender and the receiver. It catches wrong configuration; certificates authenticate ({@link
 * LinkGuard}). A side that refuses a handshake sends its own before it closes, so that both ends
 * can report the difference.
 *
 * <p>Purpose and version have the same place in every version, and no version's frame is longer
 * than {@link #MAX_BYTES}.
 *
 * @param purpose {@link #REPLICA_LINK} or {@link #CLIENT_LINK}
 * @param version 1 to 255; of a version other than {@link #VERSION} only this and the purpose are
 *     known
 * @param requestVersion version of the requests that the sender's service reads, see {@link
 *     io.lockstep.store.engine.OrderedService#requestVersion}; on a client's connection the version
 *     of the hints that the replica gives, 0 from a client and where it gives none
 * @param from the sender's replica id, -1 for a client
 * @param to the replica id that the sender wants to reach, -1 for a client
 * @param claim the sender's incarnation, 0 for a client
 * @param knows the incarnation that the sender knows of the receiver, 0 for a client
 */
record Handshake(
    int purpose,
    int version,
    int requestVersion,
    String clusterId,
    int from,
    int to,
    int claim,
    int knows) {

  static final int REPLICA_LINK = 0x4c53_524c;
  static final int CLIENT_LINK = 0x4c53_434c;

  static final int VERSION = 6;

  /** Bytes in the largest handshake frame, its length prefix not counted. */
  static final int MAX_BYTES = 512;

  /** An id's low bits on the wire; above them is its incarnation. -1 stands for a client. */
  private static final int ID_BITS = 8;

  private static final int COMMON_BYTES = 4 + 1;
  private static final int FIXED_BYTES = COMMON_BYTES + 4 + 4 + 4;

  /** Of an end that has no incarnation. */
  Handshake(int purpose, int version, int requestVersion, String clusterId, int from, int to) {
    this(purpose, version, requestVersion, clusterId, from, to, 0, 0);
  }

  /**
   * A replica's handshake to another replica.
   *
   * @param knows the incarnation of the other replica that this one knows
   */
  static Handshake ofReplica(ReplicaConfig config, int requestVersion, int to, int knows) {
    return new Handshake(
        REPLICA_LINK,
        VERSION,
        requestVersion,
        config.clusterId(),
        config.replicaId(),
        to,
        config.self().incarnation(),
        knows);
  }

  /** A client's handshake to a replica. */
  static Handshake ofClient(String clusterId, int to) {
    return new Handshake(CLIENT_LINK, VERSION, 0, clusterId, -1, to);
  }

  /** A replica's handshake to a client. */
  static Handshake toClient(String clusterId, int from) {
    return new Handshake(CLIENT_LINK, VERSION, FollowFrame.VERSION, clusterId, from, -1);
  }

  /** Appends the frame with its length prefix. */
  void encode(ByteBuf out) {
    byte[] cluster = clusterId.getBytes(StandardCharsets.UTF_8);
    out.writeInt(FIXED_BYTES + cluster.length);
    out.writeInt(purpose).writeByte(version).writeInt(requestVersion);
    // Without a replaced machine the bytes are those of releases that know of none.
    out.writeInt(from | claim << ID_BITS).writeInt(to | knows << ID_BITS).writeBytes(cluster);
  }

  /** Reads a frame without its length prefix; null if it is no handshake of this protocol. */
  static @Nullable Handshake decode(ByteBuf in) {
    if (in.readableBytes() < COMMON_BYTES) {
      return null;
    }
    int purpose = in.readInt();
    if (purpose != REPLICA_LINK && purpose != CLIENT_LINK) {
      return null;
    }
    int version = in.readUnsignedByte();
    if (version != VERSION) {
      return new Handshake(purpose, version, 0, "", -1, -1);
    }
    if (in.readableBytes() < FIXED_BYTES - COMMON_BYTES) {
      return null;
    }
    int requestVersion = in.readInt();
    int from = in.readInt();
    int to = in.readInt();
    String cluster = in.readCharSequence(in.readableBytes(), StandardCharsets.UTF_8).toString();
    // The name goes into logs, and an unknown peer must not write lines of its own there.
    return ReplicaConfig.isClusterId(cluster)
        ? new Handshake(
            purpose, version, requestVersion, cluster, id(from), id(to), rest(from), rest(to))
        : null;
  }

  private static int id(int number) {
    return number < 0 ? number : number & (1 << ID_BITS) - 1;
  }

  private static int rest(int number) {
    return number < 0 ? 0 : number >> ID_BITS;
  }

  /**
   * Why the sender does not fit, except for its ids; null if it fits.
   *
   * @param wanted the purpose of the connection
   * @param clusterId the reader's cluster
   * @param reader "this client" or "this replica"
   */
  @Nullable String misfit(int wanted, String clusterId, String reader) {
    if (purpose != wanted) {
      return "uses the protocol "
          + (purpose == CLIENT_LINK ? "of clients" : "between replicas")
          + ": check the port";
    }
    if (version != VERSION) {
      return "speaks version "
          + version
          + " of the handshake, "
          + reader
          + " version "
          + VERSION
          + ": run the same release everywhere";
    }
    if (!this.clusterId.equals(clusterId)) {
      return "belongs to cluster '"
          + this.clusterId
          + "', "
          + reader
          + " to '"
          + clusterId
          + "': check the name of the cluster";
    }
    return null;
  }
}
