package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Ticks every 50 ms, silence of 1200 ms. */
class FailureDetectorTest {
  private static final int PEER = 1;
  private static final int OTHER = 2;

  private final FailureDetector detector = new FailureDetector(3, 50, 1200, 0);
  private long now;

  private void run(long millis) {
    for (long end = now + millis; now < end; ) {
      now += 50;
      detector.tick(now);
    }
  }

  @Test
  void refusalWithoutALinkIsDeathAtOnce() {
    detector.heard(PEER);
    detector.refused(PEER);
    assertThat(detector.dead(PEER)).isTrue();
    assertThat(detector.suspects(PEER)).isTrue();
    assertThat(detector.suspects(OTHER)).isFalse();
  }

  @Test
  void newLinkOrWordEndsDeath() {
    detector.refused(PEER);
    detector.linkUp(PEER);
    assertThat(detector.suspects(PEER)).isFalse();
    detector.refused(PEER);
    detector.heard(PEER);
    assertThat(detector.suspects(PEER)).isFalse();
  }

  @Test
  void silenceIsBorneForTheTimeout() {
    detector.heard(PEER);
    run(1200);
    assertThat(detector.suspects(PEER)).isFalse();
    run(50);
    assertThat(detector.suspects(PEER)).isTrue();
    assertThat(detector.dead(PEER)).isFalse();
    detector.heard(PEER);
    assertThat(detector.suspects(PEER)).isFalse();
  }

  @Test
  void ownDelayIsNoEvidenceAgainstOthers() {
    detector.heard(PEER);
    now += 20_000;
    detector.tick(now);
    assertThat(detector.suspects(PEER)).isFalse();
  }

  @Test
  void replicaThatIsHeldUpAgainAndAgainTrustsOthersLonger() {
    detector.heard(PEER);
    for (int i = 0; i < 12; i++) {
      now += 400;
      detector.tick(now);
    }
    assertThat(now).isEqualTo(4_800);
    assertThat(detector.patienceMillis()).isGreaterThan(1_500);
    assertThat(detector.suspects(PEER)).isFalse();
  }

  /** At rest ticks and beats are four times as far apart. */
  @Test
  void silenceIsBorneForTheSameTimeWhereTicksAreFarApart() {
    detector.ticksAfter(200);
    detector.heard(PEER);
    detector.heard(OTHER);
    for (int i = 0; i < 6; i++) {
      now += 200;
      detector.tick(now);
      detector.heard(OTHER);
    }
    assertThat(detector.patienceMillis()).as("these ticks are not late").isEqualTo(1_200);
    assertThat(detector.suspects(PEER)).isFalse();
    assertThat(detector.misses(0, 1_199)).isTrue();
    assertThat(detector.misses(PEER, 1_199)).as("of itself").isTrue();
    detector.heard(0);
    assertThat(detector.misses(PEER, 1_199)).isFalse();
    now += 200;
    detector.tick(now);
    assertThat(detector.suspects(PEER)).isTrue();
    assertThat(detector.suspects(OTHER)).isFalse();
  }

  @Test
  void patienceIsBoundedAndComesBackToTheTimeout() {
    now += 60_000;
    detector.tick(now);
    assertThat(detector.patienceMillis()).isEqualTo(4_800);
    run(600_000);
    assertThat(detector.patienceMillis()).isEqualTo(1_200);
  }

  @Test
  void pausedPeerIsGivenUpEvenByAReplicaThatIsHeldUpEveryTime() {
    detector.heard(PEER);
    for (int i = 0; i < 60; i++) {
      now += 200;
      detector.tick(now);
    }
    assertThat(detector.suspects(PEER)).isTrue();
  }
}
