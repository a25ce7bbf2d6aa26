package io.lockstep.core.cluster;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * The table {@code cluster.domain-followers}: node id to the newest version of the domains that the
 * node prepared for. It counts only under the session that wrote it.
 */
public final class FollowerTable implements RecordCodec<String, FollowerTable.Follower> {

  /** The table's name. */
  public static final String NAME = "cluster.domain-followers";

  private static final int FORMAT = 1;

  /**
   * How far a node follows.
   *
   * @param sessionId the node's session then
   * @param version the node acts on no switch whose domain changes with this version
   */
  public record Follower(long sessionId, long version) {}

  @Override
  public Bytes encodeKey(String node) {
    return Bytes.utf8(node);
  }

  @Override
  public String decodeKey(Bytes bytes) {
    return bytes.toUtf8();
  }

  @Override
  public Bytes encodeValue(Follower follower) {
    return new ByteWriter(17)
        .int8(FORMAT)
        .int64(follower.sessionId())
        .int64(follower.version())
        .toBytes();
  }

  @Override
  public Follower decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "domain follower");
    Follower follower = new Follower(in.int64(), in.int64());
    in.end();
    return follower;
  }
}
