package io.lockstep.store.core;

import io.lockstep.store.Reply;
import io.lockstep.store.codec.ByteWriter;

/** One session as it was when a snapshot began. */
final class SessionImage implements SnapshotPart {
  private final Session session;
  private final boolean open;
  private final long lastSignMillis;
  private final long endedAtMillis;
  private final long acknowledgedBelow;
  private final long[] operationIds;
  private final Reply[] replies;
  private boolean begun;
  private int written;

  SessionImage(Session session) {
    this.session = session;
    open = session.isOpen();
    lastSignMillis = session.lastSignMillis();
    endedAtMillis = session.endedAtMillis();
    OperationRecords records = session.records();
    acknowledgedBelow = records.acknowledgedBelow();
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
