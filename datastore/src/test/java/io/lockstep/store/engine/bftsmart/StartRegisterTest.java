package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.ReplicaStatus.Phase;
import io.lockstep.store.engine.bftsmart.PeerNote.Beat;
import io.lockstep.store.engine.bftsmart.PeerNote.Known;
import io.lockstep.store.engine.bftsmart.PeerNote.Starts;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.log.MemoryLog;
import io.lockstep.store.log.Progress;
import io.lockstep.store.log.Start;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What replica 0 of three makes of the others' notes about starts, one note after the other. */
class StartRegisterTest {
  private static final Beat BEAT =
      new Beat(0, true, -1, true, true, 0, -1, 7, 0, new byte[PeerNote.CHAIN_BYTES]);

  private final MemoryLog log = new MemoryLog(MemoryLog.Bounds.STANDARD);
  private final Home home = new Home();

  private static final class Home implements ReplicaHome {
    private final List<String> sent = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private long nonces = 100;

    @Override
    public ReplicaConfig config() {
      List<Member> members =
          IntStream.range(0, 3)
              .mapToObj(id -> new Member(id, "127.0.0.1", 7000 + id * 10))
              .toList();
      return ReplicaConfig.of("test", 0, members);
    }

    @Override
    public void send(int[] targets, PeerNote note) {
      sent.add(targets[0] + " " + ((Starts) note).of(targets[0]).start());
    }

    @Override
    public void refuse(String reason) {
      refused.add(reason);
    }

    @Override
    public long nonce() {
      return nonces++;
    }

    @Override
    public boolean stopped() {
      return false;
    }

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

    @Override
    public void halt(String reason) {
      throw new AssertionError(reason);
    }
  }

  private StartRegister begin() {
    log.markJoined();
    return new StartRegister(home, log);
  }

  private static Known known(long number, long nonce) {
    return new Known(number == 0 ? Start.NONE : new Start(number, nonce), Progress.NONE);
  }

  /** What replica 1 says of itself and of replica 0. */
  private static Starts says(Known self, Known ofZero) {
    return new Starts(true, List.of(ofZero, self, known(0, 0)));
  }

  private Known kept(StartRegister register) {
    return register.own().of(0);
  }

  @Test
  void startIsOnDiskBeforeItIsSaidAndEachHasANumberOfItsOwn() {
    assertThat(begin().own().of(0).start()).isEqualTo(new Start(1, 100)).isEqualTo(log.start(0));
    assertThat(begin().own().of(0).start()).isEqualTo(new Start(2, 101)).isEqualTo(log.start(0));
  }

  @Test
  void beatCountsOnlyBehindTheNewestStartOfItsSender() throws IOException {
    StartRegister register = begin();
    assertThat(register.handle(1, BEAT)).as("nothing is known").isTrue();
    register.handle(1, says(known(5, 55), known(0, 0)));
    assertThat(register.handle(1, BEAT)).isFalse();
    assertThat(log.start(1)).isEqualTo(new Start(5, 55));
    assertThat(register.handle(2, BEAT)).as("of another").isTrue();
    register.handle(1, new PeerNote.LinkDown());
    assertThat(register.handle(1, BEAT)).as("it may be another process").isTrue();
    register.handle(1, says(known(5, 56), known(0, 0)));
    assertThat(register.handle(1, BEAT)).as("a copy").isTrue();
    register.handle(1, says(known(4, 44), known(0, 0)));
    assertThat(register.handle(1, BEAT)).as("an older copy").isTrue();
    register.handle(1, says(known(6, 66), known(0, 0)));
    assertThat(register.handle(1, BEAT)).isFalse();
  }

  @Test
  void whoStartsIsAnsweredAtOnceAndOnlyOnce() throws IOException {
    StartRegister register = begin();
    register.handle(1, says(known(5, 55), known(0, 0)));
    register.handle(1, says(known(5, 55), known(0, 0)));
    assertThat(home.sent).containsExactly("1 5");
    register.handle(1, says(known(4, 44), known(0, 0)));
    register.handle(1, says(known(4, 44), known(0, 0)));
    assertThat(home.sent).as("so that an old copy hears of it").containsExactly("1 5", "1 5");
  }

  @Test
  void takesPartWhenAMajorityKeepsItsStartAndTheOthersHaveSpoken() throws IOException {
    StartRegister register = begin();
    assertThat(register.confirmed(0)).isFalse();
    register.handle(2, new PeerNote.Refused());
    register.handle(1, says(known(5, 55), known(0, 0)));
    assertThat(register.confirmed(10)).as("replica 1 does not keep it yet").isFalse();
    register.handle(1, says(known(5, 55), kept(register)));
    assertThat(register.confirmed(20)).as("replica 2 does not run").isTrue();
    register.handle(2, new PeerNote.LinkUp());
    assertThat(register.confirmed(30)).as("replica 2 may know better").isFalse();
    assertThat(register.confirmed(StartRules.PATIENCE_MILLIS)).as("it is silent").isTrue();
  }

  @Test
  void refusalNamesDirectoryPeerNumbersAndRemedy() throws IOException {
    StartRegister register = begin();
    register.handle(1, says(known(5, 55), known(3, 33)));
    assertThat(home.refused).hasSize(1);
    assertThat(home.refused.get(0))
        .startsWith("memory is an old copy of this replica's directory")
        .contains("this would be its start 1, and replica 1 knows of start 3 already")
        .contains("Move the directory away and start this replica again");
  }

  @Test
  void replicaWithoutAMemoryTakesAHigherNumberThanOthersKeep() throws IOException {
    StartRegister register = new StartRegister(home, log);
    register.handle(1, says(known(5, 55), known(8, 88)));
    assertThat(home.refused).isEmpty();
    assertThat(kept(register).start()).isEqualTo(log.start(0)).isEqualTo(new Start(9, 101));
  }
}
