package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.ReplicaStatus.Phase;
import io.lockstep.store.engine.bftsmart.PeerNote.Beat;
import io.lockstep.store.engine.bftsmart.PeerNote.Known;
import io.lockstep.store.engine.bftsmart.PeerNote.Starts;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.log.MemoryLog;
import io.lockstep.store.log.OwnStart;
import io.lockstep.store.log.Progress;
import io.lockstep.store.log.Start;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What replica 0 of three makes of the others' notes about starts, one note after the other. */
class StartRegisterTest {
  private static final Beat BEAT =
      new Beat(
          0,
          true,
          -1,
          true,
          true,
          0,
          -1,
          7,
          0,
          new byte[PeerNote.CHAIN_BYTES],
          Willingness.WILLING);

  private final MemoryLog log = new MemoryLog(MemoryLog.Bounds.STANDARD);
  private final Host host = new Host();

  private static final class Host implements ReplicaHost {
    private final List<String> sent = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private long nonces = 100;
    private int members = 3;

    @Override
    public ReplicaConfig config() {
      List<Member> all =
          IntStream.range(0, members)
              .mapToObj(id -> new Member(id, "127.0.0.1", 7000 + id * 10))
              .toList();
      return ReplicaConfig.of("test", 0, all);
    }

    @Override
    public void send(int[] targets, PeerNote note) {
      Starts starts = (Starts) note;
      sent.add(
          Arrays.toString(targets)
              + (targets.length == 1
                  ? " of its " + starts.of(targets[0]).kept()
                  : " of itself " + starts.of(0).kept()));
    }

    @Override
    public MachineView machines() {
      return new MachineView(config(), () -> true);
    }

    @Override
    public void machinesInstalled() {}

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

  /** A replica that remembers, before it has heard of anyone. */
  private StartRegister begin() {
    log.markJoined();
    return new StartRegister(host, log);
  }

  /** One that has taken its number, since it has heard replica 1 and replica 2 does not run. */
  private StartRegister begun() throws IOException {
    StartRegister register = begin();
    register.handle(2, new PeerNote.Refused());
    register.handle(1, says(known(5, 55), known(0, 0)));
    register.confirmed(0);
    host.sent.clear();
    return register;
  }

  private static Known known(long number, long nonce) {
    Start start = number == 0 ? Start.NONE : new Start(number, nonce);
    return new Known(start, start, Progress.NONE);
  }

  /** What replica 1 says of itself and of replica 0. */
  private static Starts says(Known self, Known ofZero) {
    return new Starts(new Start(4, 44), List.of(ofZero, self, known(0, 0)));
  }

  private Known own(StartRegister register) {
    return register.own().of(0);
  }

  private Start newest() {
    return StartRules.newest(log.ownStarts());
  }

  @Test
  void takesANumberOnceAMajorityHasSpokenWhichIsOnDiskBeforeItIsSaid() throws IOException {
    StartRegister register = begin();
    assertThat(register.confirmed(0)).isFalse();
    assertThat(register.confirmed(60_000)).as("however long it waits").isFalse();
    assertThat(own(register).kept()).isEqualTo(newest()).isEqualTo(Start.NONE);
    register.handle(1, says(known(0, 0), known(0, 0)));
    assertThat(register.confirmed(60_001)).as("nobody keeps it yet").isFalse();
    assertThat(own(register).kept()).isEqualTo(newest()).isEqualTo(new Start(1, 100));
    assertThat(host.sent).as("to all, at once").contains("[1, 2] of itself 1");
  }

  @Test
  void eachStartHasANumberOfItsOwnAndTheNewestAreKept() throws IOException {
    for (int i = 0; i < 40; i++) {
      begun();
    }
    assertThat(newest().number()).isEqualTo(40);
    assertThat(log.ownStarts()).hasSize(OwnStart.MOST_KEPT);
    assertThat(log.ownStarts().get(0).start().number()).isEqualTo(9);
  }

  @Test
  void startThatHeardOfNobodyHasNoNumber() throws IOException {
    begun();
    assertThat(begin().confirmed(60_000)).isFalse();
    assertThat(newest()).isEqualTo(new Start(1, 100));
  }

  @Test
  void singleReplicaTakesPartAtOnce() throws IOException {
    host.members = 1;
    StartRegister register = begin();
    assertThat(register.confirmed(0)).isTrue();
    assertThat(newest()).isEqualTo(new Start(1, 100));
  }

  @Test
  void beatCountsOnlyBehindTheNewestStartOfItsSender() throws IOException {
    StartRegister register = begin();
    assertThat(register.handle(1, BEAT)).as("nothing is known").isTrue();
    register.handle(1, says(known(0, 0), known(0, 0)));
    assertThat(register.handle(1, BEAT)).as("it has no number yet").isTrue();
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
  void whoSaysSomethingNewIsAnsweredAtOnceAndOnlyOnce() throws IOException {
    StartRegister register = begin();
    register.handle(1, says(known(0, 0), known(0, 0)));
    register.handle(1, says(known(0, 0), known(0, 0)));
    assertThat(host.sent).containsExactly("[1] of its 0");
    register.handle(1, says(known(5, 55), known(0, 0)));
    register.handle(1, says(known(5, 55), known(0, 0)));
    assertThat(host.sent).containsExactly("[1] of its 0", "[1] of its 5");
    register.handle(1, new PeerNote.LinkUp());
    register.handle(1, says(known(4, 44), known(0, 0)));
    assertThat(host.sent.get(2)).as("so that an old copy hears of it").isEqualTo("[1] of its 5");
  }

  @Test
  void takesPartWhenAMajorityKeepsItsStartAndTheOthersHaveSpoken() throws IOException {
    StartRegister register = begun();
    register.handle(1, says(known(5, 55), known(0, 0)));
    assertThat(register.confirmed(10)).as("replica 1 does not keep it yet").isFalse();
    register.handle(1, says(known(5, 55), own(register)));
    assertThat(register.confirmed(20)).as("replica 2 does not run").isTrue();
    register.handle(2, new PeerNote.LinkUp());
    assertThat(register.confirmed(30)).as("replica 2 may know better").isFalse();
    assertThat(register.confirmed(StartRules.PATIENCE_MILLIS)).as("it is silent").isTrue();
  }

  @Test
  void saysForWhatItWaits() throws IOException {
    StartRegister register = begin();
    register.confirmed(0);
    assertThat(register.waitsFor(StartRules.PATIENCE_MILLIS - 1)).isNull();
    assertThat(register.waitsFor(StartRules.PATIENCE_MILLIS))
        .isEqualTo(
            "it needs answers from a majority first; these have not answered: replica 1 at"
                + " 127.0.0.1, replica 2 at"
                + " 127.0.0.1");
    register.handle(1, says(known(5, 55), known(0, 0)));
    register.confirmed(StartRules.PATIENCE_MILLIS);
    assertThat(register.waitsFor(StartRules.PATIENCE_MILLIS))
        .startsWith("a majority must store its start first; these have not: replica 1");
  }

  /** Replica 1 was linked with replica 2, but not with replica 0, while that was in its start 8. */
  @Test
  void startOfAPeerThatWasHeardBeforeIsLearnedFromAnother() throws IOException {
    StartRegister register = begin();
    register.handle(1, says(known(7, 77), known(0, 0)));
    assertThat(register.handle(1, BEAT)).isFalse();
    register.handle(2, new Starts(Start.NONE, List.of(known(0, 0), known(8, 88), known(3, 33))));
    assertThat(log.start(1)).isEqualTo(new Start(8, 88));
    assertThat(register.handle(1, BEAT)).as("it does not count as long as it says 7").isTrue();
    assertThat(register.own().of(1).seen()).as("what was heard itself").isEqualTo(new Start(7, 77));
  }

  @Test
  void oldCopyTakesNoNumberHoweverOftenItIsStarted() throws IOException {
    begun();
    for (int i = 0; i < 3; i++) {
      host.refused.clear();
      StartRegister register = begin();
      assertThat(register.confirmed(60_000)).as("nobody is there").isFalse();
      register.handle(1, says(known(5, 55), known(2, 22)));
      assertThat(host.refused).hasSize(1);
    }
    assertThat(newest()).isEqualTo(new Start(1, 100));
  }

  @Test
  void refusalNamesDirectoryPeerNumbersAndRemedy() throws IOException {
    begun();
    StartRegister register = begin();
    register.handle(1, says(known(5, 55), known(3, 33)));
    assertThat(host.refused).hasSize(1);
    assertThat(host.refused.get(0))
        .startsWith("memory is an old copy of this replica's directory")
        .contains("its last start was 1, and replica 1 knows of a start 3 on another copy")
        .contains("Move the directory away and start this replica again");
  }

  @Test
  void replicaWithoutAMemoryTakesAHigherNumberThanOthersKeep() throws IOException {
    StartRegister register = new StartRegister(host, log);
    register.handle(2, new PeerNote.Refused());
    register.handle(1, says(known(5, 55), known(8, 88)));
    register.confirmed(0);
    assertThat(own(register).kept()).isEqualTo(newest()).isEqualTo(new Start(9, 100));
    register.handle(2, new Starts(Start.NONE, List.of(known(11, 99), known(0, 0), known(3, 33))));
    assertThat(own(register).kept()).isEqualTo(newest()).isEqualTo(new Start(12, 101));
    assertThat(host.refused).isEmpty();
  }
}
