package io.lockstep.store.core;

import io.lockstep.store.Reply;
import io.lockstep.store.codec.ByteWriter;

/** One session as it was when a snapshot began. */
final class SessionImage implements SnapshotPart {
  private final Session session;
  private final int version;
  private final boolean open;
  private final long lastSignMillis;
  private final long endedAtMillis;
  private final long acknowledgedBelow;
  private final long refusedUpTo;
  private final long[] operationIds;
  private final Reply[] replies;
  private boolean begun;
  private int written;

  /**
   * @param version of the snapshot
   */
  SessionImage(Session session, int version) {
    this.session = session;
    this.version = version;
    open = session.isOpen();
    lastSignMillis = session.lastSignMillis();
    endedAtMillis = session.endedAtMillis();
    OperationRecords records = session.records();
    acknowledgedBelow = records.acknowledgedBelow();
    refusedUpTo = records.refusedUpTo();
    operationIds = new long[records.count()];
    replies = new Reply[operationIds.length];
    int[] count = {0};
    records.forEach(
        (operationId, reply) -> {
          operationIds[count[0]] = operationId;
          replies[count[0]++] = reply;
        });
  }

  @Override
  public boolean writeNext(ByteWriter out) {
    if (!begun) {
      begun = true;
      SnapshotEncoder.sessionHead(out, session, lastSignMillis);
      if (!open) {
        out.int64(endedAtMillis);
      }
      out.varint(acknowledgedBelow);
      if (version >= SnapshotEncoder.VERSION) {
        out.varint(refusedUpTo + 1);
      }
      SnapshotEncoder.count(out, operationIds.length);
      return true;
    }
    if (written == operationIds.length) {
      return false;
    }
    SnapshotEncoder.record(out, operationIds[written], replies[written]);
    written++;
    return true;
  }
}
