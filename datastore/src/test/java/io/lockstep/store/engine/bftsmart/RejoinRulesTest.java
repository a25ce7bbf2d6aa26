package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.bftsmart.PeerNote.Beat;
import io.lockstep.store.engine.bftsmart.RejoinRules.AskFor;
import io.lockstep.store.engine.bftsmart.RejoinRules.DropDecisions;
import io.lockstep.store.engine.bftsmart.RejoinRules.Fetch;
import io.lockstep.store.engine.bftsmart.RejoinRules.Join;
import io.lockstep.store.engine.bftsmart.RejoinRules.Member;
import io.lockstep.store.engine.bftsmart.RejoinRules.Relation;
import io.lockstep.store.engine.bftsmart.RejoinRules.Step;
import io.lockstep.store.engine.bftsmart.RejoinRules.Wait;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The scenarios of docs/adr/0005. This replica is 1 of three where not said otherwise. */
class RejoinRulesTest {
  private static final Relation BEGINNING = new Relation(false, true, true);
  private static final Relation UNKNOWN = new Relation(false, false, false);
  private static final Relation OTHER = new Relation(true, false, false);

  /** Without a memory. */
  private static Member empty(int id) {
    return new Member(
        id, new Beat(-1, false, -1, false, false, 0, -1, -1, 0, new byte[32], Willingness.WILLING));
  }

  /** With a memory, but not taking part. */
  private static Member back(int id, int promised, int lastRegency, long last) {
    return new Member(
        id,
        new Beat(
            -1,
            false,
            -1,
            false,
            true,
            promised,
            -1,
            last,
            lastRegency,
            new byte[32],
            Willingness.WILLING));
  }

  private static Member asking(int id, int regency, int lastRegency, long last) {
    return new Member(
        id,
        new Beat(
            -1,
            false,
            -1,
            false,
            true,
            regency,
            regency,
            last,
            lastRegency,
            new byte[32],
            Willingness.WILLING));
  }

  /** Taking part. */
  private static Member up(int id, int regency, int lastRegency, long last) {
    return new Member(
        id,
        new Beat(
            regency,
            true,
            -1,
            true,
            true,
            regency,
            -1,
            last,
            lastRegency,
            new byte[32],
            Willingness.WILLING));
  }

  private static Step decide(Member self, Relation relation, Member... others) {
    return RejoinRules.decide(3, self, List.of(others), peer -> relation);
  }

  // ---------------------------------------------------------------- without a memory

  @Test
  void emptyClusterBeginsWhenAllAreThere() {
    assertThat(decide(empty(1), BEGINNING, empty(0))).isInstanceOf(Wait.class);
    assertThat(decide(empty(1), BEGINNING, empty(0), empty(2))).isEqualTo(new Join(0));
    assertThat(decide(empty(0), BEGINNING, up(1, 0, 0, -1), empty(2)))
        .as("as its first leader, of whom nobody has heard")
        .isInstanceOf(Step.class);
  }

  @Test
  void wipedReplicaNeedsAllOthers() {
    assertThat(decide(empty(1), BEGINNING, up(0, 3, 3, 100))).isInstanceOf(Wait.class);
    assertThat(decide(empty(1), UNKNOWN, up(0, 3, 3, 100), up(2, 3, 3, 101)))
        .isEqualTo(new Fetch(2, true));
  }

  @Test
  void wipedReplicaWaitsForOneThatHasMoreAndDoesNotTakePartYet() {
    Member fetched = new Member(1, empty(1).beat());
    assertThat(decide(fetched, BEGINNING, up(0, 0, 0, -1), back(2, 0, 0, 5)))
        .isInstanceOf(Wait.class);
  }

  @Test
  void wipedReplicaDoesNotFollowOneThatDoesNotKnowOfALaterPromise() {
    assertThat(decide(empty(1), BEGINNING, up(0, 0, 0, 9), back(2, 1, 1, 10)))
        .isInstanceOf(Wait.class);
  }

  @Test
  void twoWipedBesideASurvivor() {
    assertThat(decide(empty(1), UNKNOWN, up(0, 0, 0, 9), empty(2))).isEqualTo(new Fetch(0, true));
    assertThat(decide(empty(1), UNKNOWN, back(0, 0, 0, 9), empty(2)))
        .as("all were stopped")
        .isEqualTo(new Fetch(0, true));
    assertThat(decide(back(1, 2, 0, 9), UNKNOWN, empty(0), empty(2))).isEqualTo(new AskFor(3));
    assertThat(decide(back(1, 2, 0, 9), UNKNOWN, empty(0))).isInstanceOf(Wait.class);
  }

  /** The others of whom it asked for that regency have forgotten it, and it waits for them. */
  @Test
  void twoWipedBesideASurvivorThatHasPromisedMoreThanItTakesPartIn() {
    Member survivor = promising(0, 0, 1, 9);
    assertThat(decide(empty(1), UNKNOWN, survivor, empty(2))).isEqualTo(new Fetch(0, true));
    Member fetched = new Member(1, withLast(empty(1).beat(), 0, 9));
    assertThat(decide(fetched, BEGINNING, survivor, empty(2))).isEqualTo(new AskFor(2));
    assertThat(decide(empty(1), UNKNOWN, survivor, back(2, 1, 1, 10)))
        .as("one that remembers may have begun it")
        .isInstanceOf(Wait.class);
    assertThat(decide(empty(1), UNKNOWN, survivor)).isInstanceOf(Wait.class);
  }

  /** With the first of them that asks there are two of five that remember: still no majority. */
  @Test
  void fourWipedBesideASurvivorThatHasPromisedMoreThanItTakesPartIn() {
    Member survivor = promising(0, 0, 1, 9);
    Member first = asking(1, 2, 0, 9);
    List<Member> others = List.of(survivor, first, empty(3), empty(4));
    assertThat(RejoinRules.decide(5, empty(2), others, peer -> UNKNOWN))
        .isEqualTo(new Fetch(0, true));
    Member fetched = new Member(2, withLast(empty(2).beat(), 0, 9));
    assertThat(RejoinRules.decide(5, fetched, others, peer -> BEGINNING))
        .as("the regency that the first one asks for")
        .isEqualTo(new AskFor(2));
    List<Member> three = List.of(survivor, first, asking(3, 2, 0, 9), empty(4));
    assertThat(RejoinRules.decide(5, fetched, three, peer -> BEGINNING))
        .as("a majority remembers, and can begin it")
        .isInstanceOf(Wait.class);
  }

  /** Two of five remember, and cannot begin the regency that one of them has promised. */
  @Test
  void threeWipedBesideTwoSurvivors() {
    List<Member> others = List.of(promising(0, 0, 1, 9), up(1, 0, 0, 11), empty(3), empty(4));
    assertThat(RejoinRules.decide(5, empty(2), others, peer -> UNKNOWN))
        .as("the one that has more")
        .isEqualTo(new Fetch(1, true));
    Member fetched = new Member(2, withLast(empty(2).beat(), 0, 11));
    assertThat(RejoinRules.decide(5, fetched, others, peer -> BEGINNING)).isEqualTo(new AskFor(2));
  }

  private static Member promising(int id, int regency, int promised, long last) {
    return new Member(
        id,
        new Beat(
            regency,
            true,
            -1,
            true,
            true,
            promised,
            -1,
            last,
            regency,
            new byte[32],
            Willingness.WILLING));
  }

  private static Beat withLast(Beat beat, int lastRegency, long last) {
    return new Beat(
        beat.regency(),
        beat.operational(),
        -1,
        beat.leaderSeen(),
        beat.joined(),
        beat.promised(),
        beat.asking(),
        last,
        lastRegency,
        new byte[32],
        beat.willingness());
  }

  // ---------------------------------------------------------------- rule 1

  @Test
  void replicaWithItsDiskJoinsBesideOneThatTakesPart() {
    assertThat(decide(back(1, 3, 3, 90), UNKNOWN, up(0, 3, 3, 100))).isEqualTo(new Fetch(0, true));
    assertThat(decide(back(1, 3, 3, 100), BEGINNING, up(0, 3, 3, 100))).isEqualTo(new Join(3));
    assertThat(decide(back(1, 3, 3, 99), BEGINNING, up(0, 3, 3, 100)))
        .as("what follows is on its way")
        .isEqualTo(new Join(3));
  }

  @Test
  void followsTheHighestRegencyNotTheLongestHistory() {
    assertThat(decide(back(1, 0, 0, 9), UNKNOWN, up(0, 0, 0, 50), up(2, 2, 2, 11)))
        .isEqualTo(new Fetch(2, true));
  }

  @Test
  void leaderThatComesBackAsksForTheNextRegency() {
    assertThat(decide(back(1, 4, 4, 100), BEGINNING, up(0, 4, 4, 100))).isEqualTo(new AskFor(6));
    assertThat(decide(back(1, 3, 3, 100), BEGINNING, up(0, 4, 4, 100)))
        .as("it never took part in the regency that others gave it")
        .isEqualTo(new Join(4));
  }

  @Test
  void whatTheClusterHasDecidedOtherwiseIsTakenBack() {
    assertThat(decide(back(1, 0, 0, 10), OTHER, up(0, 1, 1, 12))).isEqualTo(new DropDecisions(0));
    assertThat(decide(back(1, 0, 0, 10), BEGINNING, up(0, 1, 1, 9)))
        .as("more than there, but of an earlier regency")
        .isEqualTo(new DropDecisions(0));
    assertThat(decide(back(2, 1, 1, 10), BEGINNING, up(0, 1, 1, 9)))
        .as("more than there, of the same regency")
        .isEqualTo(new Join(1));
  }

  @Test
  void promiseIsKeptTowardsOneThatDoesNotKnowOfIt() {
    // Replica 0 was cut off in regency 0 and has decided 10 there alone; 1 and 2 went on in
    // regency 1 and decided 10 otherwise. 2 is away: 0 must not win.
    assertThat(decide(back(1, 1, 1, 10), OTHER, up(0, 0, 0, 10))).isEqualTo(new AskFor(3));
    assertThat(decide(back(1, 1, 0, 9), UNKNOWN, up(0, 0, 0, 10)))
        .as("it may fetch, but takes nothing back")
        .isEqualTo(new Fetch(0, false));
    assertThat(decide(back(1, 1, 0, 9), OTHER, up(0, 0, 0, 10))).isEqualTo(new AskFor(3));
  }

  // ---------------------------------------------------------------- rule 2

  @Test
  void allStoppedAMajorityGoesOnWithTheHighestPlace() {
    assertThat(decide(back(1, 3, 2, 90), UNKNOWN, back(2, 5, 3, 80))).isEqualTo(new Fetch(2, true));
    assertThat(decide(back(1, 3, 3, 80), UNKNOWN, back(2, 5, 2, 90)))
        .as("a regency above every promise, with a leader who is there")
        .isEqualTo(new AskFor(7));
    assertThat(decide(back(1, 3, 3, 80), UNKNOWN)).isInstanceOf(Wait.class);
  }

  /** Only replica 2 decided the last instance again in regency 5: there is nothing to fetch. */
  @Test
  void sameHistoryThatEndsInALaterRegencyElsewhereIsNotFetched() {
    assertThat(decide(back(1, 5, 3, 80), BEGINNING, back(2, 5, 5, 80))).isEqualTo(new AskFor(7));
    assertThat(decide(back(1, 5, 3, 79), BEGINNING, back(2, 5, 5, 80)))
        .isEqualTo(new Fetch(2, true));
    assertThat(decide(back(1, 5, 3, 80), OTHER, back(2, 5, 5, 80))).isEqualTo(new Fetch(2, true));
  }

  @Test
  void replicasThatComeBackTogetherAskForTheSameRegency() {
    assertThat(decide(back(1, 3, 3, 80), UNKNOWN, asking(2, 7, 3, 80))).isEqualTo(new AskFor(7));
    assertThat(decide(back(1, 7, 3, 80), UNKNOWN, asking(2, 7, 3, 80)))
        .as("one that has promised it before may have forgotten what it said in it")
        .isEqualTo(new AskFor(8));
    assertThat(decide(back(1, 9, 3, 80), UNKNOWN, asking(2, 7, 3, 80))).isEqualTo(new AskFor(10));
  }

  @Test
  void emptyOneAmongThoseThatRemember() {
    assertThat(decide(empty(1), UNKNOWN, back(0, 2, 2, 9), back(2, 2, 2, 9)))
        .isInstanceOf(Fetch.class);
    assertThat(decide(back(1, 2, 2, 9), UNKNOWN, empty(0)))
        .as("an empty one does not count towards the majority")
        .isInstanceOf(Wait.class);
  }

  @Test
  void oneReplicaGoesOnAlone() {
    assertThat(RejoinRules.decide(1, empty(0), List.of(), peer -> UNKNOWN)).isEqualTo(new Join(0));
    assertThat(RejoinRules.decide(1, back(0, 2, 1, 5), List.of(), peer -> UNKNOWN))
        .isEqualTo(new Join(2));
  }

  @Test
  void fiveNeedThreeThatRemember() {
    List<Member> two = List.of(back(1, 1, 1, 9), empty(2));
    assertThat(RejoinRules.decide(5, back(0, 1, 1, 9), two, peer -> UNKNOWN))
        .isInstanceOf(Wait.class);
    List<Member> three = List.of(back(1, 1, 1, 9), back(2, 1, 1, 9));
    assertThat(RejoinRules.decide(5, back(0, 1, 1, 9), three, peer -> UNKNOWN))
        .isEqualTo(new AskFor(2));
  }
}
