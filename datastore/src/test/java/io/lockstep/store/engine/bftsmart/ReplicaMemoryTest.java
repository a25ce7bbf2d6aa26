package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.LeaderClock;
import io.lockstep.store.engine.ReplicaStatus.Phase;
import io.lockstep.store.engine.Rules;
import io.lockstep.store.engine.SnapshotBytes;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.MemoryLog;
import io.lockstep.store.log.SnapshotSink;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(IsolatedLibrary.class)
class ReplicaMemoryTest {
  private final Host host = new Host();
  private final MemoryLog log = new MemoryLog(MemoryLog.Bounds.STANDARD);

  private static final class Host implements ReplicaHost {
    private final List<String> refused = new ArrayList<>();

    @Override
    public ReplicaConfig config() {
      return ReplicaConfig.of("test", 0, List.of(new Member(0, "127.0.0.1", 7000)));
    }

    @Override
    public void refuse(String reason) {
      refused.add(reason);
    }

    @Override
    public void halt(String reason) {
      throw new AssertionError(reason);
    }

    @Override
    public MachineView machines() {
      return new MachineView(config(), () -> true);
    }

    @Override
    public boolean stopped() {
      return !refused.isEmpty();
    }

    @Override
    public long nonce() {
      return 1;
    }

    @Override
    public void send(int[] targets, PeerNote note) {}

    @Override
    public void machinesInstalled() {}

    @Override
    public void phase(Phase now) {}

    @Override
    public void keepClients() {}

    @Override
    public void ticked(long nowMillis) {}

    @Override
    public void watchLoop() {}

    @Override
    public void toSelf(PeerNote note) {}
  }

  /** An empty replica would fetch the same state after each start. */
  @Test
  void fetchedStateOfANewerVersionEndsTheReplicaAsRefused() throws Exception {
    StoreStateMachine newer = new StoreStateMachine(List.of());
    newer.adopt(new Rules(2, 64));
    byte[] state = SnapshotBytes.rest(newer.snapshot(), 100);
    try (SnapshotSink sink =
        log.startOver(new Decision(7, 0, new byte[Decision.CHAIN_BYTES], new byte[0]))) {
      sink.write(state, 0, state.length);
      sink.commit();
    }
    ReplicaMemory memory =
        new ReplicaMemory(
            host,
            new OlderStore(),
            log,
            new LeaderClock(() -> 0, () -> 0),
            (decision, regency, requests, replies) -> {},
            new BackgroundJobs(Runnable::run, host::halt));
    memory.replaced();
    assertThat(host.refused)
        .containsExactly(
            "the cluster is at version 2, this release of Lockstep knows versions up to 1: run the"
                + " release that the other nodes run, or a newer one");
  }
}
