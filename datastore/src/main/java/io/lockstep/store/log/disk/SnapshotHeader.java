package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import java.nio.ByteBuffer;

/**
 * The header of a snapshot file.
 *
 * @param owner the replica
 * @param generation how often the log started over before
 * @param at the last decision in the state
 */
record SnapshotHeader(Identity owner, int generation, Decision at) {
  byte[] encode() {
    ByteBuffer body = ByteBuffer.allocate(FileHeader.identityBytes(owner) + 4 + bytesOf(at));
    FileHeader.putIdentity(body, owner);
    body.putInt(generation);
    put(body, at);
    return FileHeader.seal(FileHeader.SNAPSHOT, body.array());
  }

  static SnapshotHeader decode(ByteBuffer in) {
    return new SnapshotHeader(FileHeader.getIdentity(in), in.getInt(), get(in));
  }

  static int bytesOf(Decision at) {
    return 16 + Decision.CHAIN_BYTES + at.value().length;
  }

  static void put(ByteBuffer out, Decision at) {
    out.putLong(at.instance()).putInt(at.regency()).put(at.chain());
    out.putInt(at.value().length).put(at.value());
  }

  static Decision get(ByteBuffer in) {
    return new Decision(
        in.getLong(),
        in.getInt(),
        FileHeader.getBytes(in, Decision.CHAIN_BYTES),
        FileHeader.getBytes(in, in.getInt()));
  }
}
