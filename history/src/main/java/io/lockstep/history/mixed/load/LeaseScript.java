package io.lockstep.history.mixed.load;

import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.mixed.Step;
import io.lockstep.history.mixed.Step.Cell;
import io.lockstep.history.mixed.Step.Guard;
import io.lockstep.history.mixed.Step.Op;
import io.lockstep.history.mixed.Step.Write;
import java.util.List;
import java.util.Random;

/**
 * Takes a lease, writes under it, gives it back. It does not believe that it has lost the lease
 * before it reads so, and now and then writes under an older one, as a holder that was paused
 * would.
 */
final class LeaseScript implements Script {
  private static final int KEYS = 3;
  private static final int RELEASE_PERCENT = 8;
  private static final int STALE_PERCENT = 12;

  private final String name;
  private final Cell lease;
  private final Random random;
  private long written;

  /** The fence: the version of the lease as this client took it; 0 where it has none. */
  private long held;

  /** A fence that is not valid any more. */
  private long before;

  LeaseScript(String name, String lease, Random random) {
    this.name = name;
    this.lease = new Cell(MixedTables.LEASES, lease);
    this.random = random;
  }

  @Override
  public Ask next() {
    int draw = random.nextInt(100);
    if (before > 0 && draw < STALE_PERCENT) {
      return write(before);
    } else if (held == 0) {
      return Ask.takeLease(lease, value());
    } else if (draw < STALE_PERCENT + RELEASE_PERCENT) {
      List<Write> remove = List.of(new Write(lease.table(), lease.key(), null));
      return Ask.batch(Op.RELEASE_LEASE, fence(held), List.of(), remove);
    }
    return write(held);
  }

  private Ask write(long fence) {
    String key = lease.key() + "." + random.nextInt(KEYS);
    List<Write> writes = List.of(new Write(MixedTables.GUARDED, key, value()));
    List<Cell> reads = List.of(new Cell(MixedTables.GUARDED, key));
    return Ask.batch(Op.GUARDED_WRITE, fence(fence), reads, writes);
  }

  private List<Guard> fence(long version) {
    return List.of(new Guard(lease.table(), lease.key(), version));
  }

  private String value() {
    return name + "." + written++;
  }

  @Override
  public void ended(Step step) {
    Long index = step.index();
    boolean lost =
        step.outcome() == Outcome.FAILED
            && !step.guards().isEmpty()
            && step.guards().get(0).version() == held;
    if (step.op() == Op.TAKE_LEASE && index != null) {
      held = index;
    } else if (lost || step.op() == Op.RELEASE_LEASE) {
      before = held;
      held = 0;
    }
  }
}
