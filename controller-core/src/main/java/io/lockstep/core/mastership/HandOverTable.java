package io.lockstep.core.mastership;

import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * The table {@code mastership.handovers}: domain name to {@link HandOverPlan}. The master writes a
 * plan, the next master marks it, and removes it when it has the roles.
 */
public final class HandOverTable extends ByDomain<HandOverPlan> {

  /** The table's name. */
  public static final String NAME = "mastership.handovers";

  private static final int FORMAT = 1;

  @Override
  public Bytes encodeValue(HandOverPlan plan) {
    return new ByteWriter()
        .int8(FORMAT)
        .int64(plan.epoch())
        .utf8(plan.node())
        .int64(plan.sessionId())
        .flag(plan.listening())
        .toBytes();
  }

  @Override
  public HandOverPlan decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "plan of a hand-over");
    HandOverPlan plan =
        new HandOverPlan(in.int64(), in.utf8(DomainTable.MAX_NAME_BYTES), in.int64(), in.flag());
    in.end();
    return plan;
  }
}
