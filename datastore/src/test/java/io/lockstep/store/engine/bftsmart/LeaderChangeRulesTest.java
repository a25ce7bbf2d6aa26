package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import bftsmart.consensus.TimestampValuePair;
import bftsmart.reconfiguration.ServerViewController;
import bftsmart.reconfiguration.views.MemoryBasedViewStorage;
import bftsmart.tom.leaderchange.CertifiedDecision;
import bftsmart.tom.leaderchange.CollectData;
import io.lockstep.store.engine.bftsmart.PeerNote.ReportedHistory;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.log.MemoryLog;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Reports are made by hand; a value's hash is the value with a leading 9. */
@SuppressWarnings("NonApiType") // the library's signatures
@ExtendWith(IsolatedLibrary.class)
class LeaderChangeRulesTest {
  private static final byte[] FIRST = {1};
  private static final byte[] SECOND = {2};

  static ReplicaConfig config() {
    return ReplicaConfig.of(
        "test",
        0,
        List.of(
            new Member(0, "127.0.0.1", 7000),
            new Member(1, "127.0.0.1", 7010),
            new Member(2, "127.0.0.1", 7020)));
  }

  private final AtomicInteger installed = new AtomicInteger();
  private final MemoryLog log = new MemoryLog(MemoryLog.Bounds.STANDARD);
  private final ReportedHistories histories = new ReportedHistories(log);
  private final LeaderChangeRules rules;

  LeaderChangeRulesTest() throws Exception {
    rules =
        new LeaderChangeRules(
            null,
            new ServerViewController(
                EngineViewController.configuration(config()), new MemoryBasedViewStorage()),
            MessageDigest.getInstance("MD5"),
            histories,
            () -> {},
            installed::set);
  }

  private static byte[] hash(byte[] value) {
    return new byte[] {9, value[0]};
  }

  private static CollectData nothing(int replica) {
    return new CollectData(replica, 7, 3, new TimestampValuePair(0, new byte[0]), new HashSet<>());
  }

  private static CollectData accepted(int replica, int timestamp, byte[] value) {
    TimestampValuePair written = new TimestampValuePair(timestamp, value);
    written.setHashedValue(hash(value));
    return new CollectData(
        replica,
        7,
        3,
        new TimestampValuePair(timestamp, hash(value)),
        new HashSet<>(List.of(written)));
  }

  private static HashSet<CollectData> reports(CollectData... reports) {
    return new HashSet<>(List.of(reports));
  }

  @Test
  void hazard14ValueAcceptedAtTimestampZeroByOneSurvivorIsAdopted() {
    HashSet<CollectData> reports = reports(accepted(0, 0, FIRST), nothing(1));
    assertThat(rules.unbound(reports)).isFalse();
    assertThat(rules.getBindValue(reports)).isEqualTo(FIRST);
    assertThat(rules.sound(reports)).isTrue();
  }

  @Test
  void hazard14HighestTimestampWins() {
    HashSet<CollectData> reports = reports(accepted(0, 4, FIRST), accepted(1, 2, SECOND));
    assertThat(rules.getBindValue(reports)).isEqualTo(FIRST);
  }

  @Test
  void nothingAcceptedLeavesTheChoiceFree() {
    HashSet<CollectData> reports = reports(nothing(1), nothing(2));
    assertThat(rules.unbound(reports)).isTrue();
    assertThat(rules.getBindValue(reports)).isNull();
    assertThat(rules.sound(reports)).isTrue();
  }

  @Test
  void fewerThanAMajorityOfReportsSayNothing() {
    HashSet<CollectData> reports = reports(nothing(1));
    assertThat(rules.unbound(reports)).isFalse();
    assertThat(rules.sound(reports)).isFalse();
    assertThat(rules.getBindValue(reports)).isNull();
  }

  @Test
  void acceptedHashWithoutItsValueIsNotSound() {
    CollectData lost =
        new CollectData(0, 7, 3, new TimestampValuePair(2, hash(FIRST)), new HashSet<>());
    HashSet<CollectData> reports = reports(lost, nothing(1));
    assertThat(rules.sound(reports)).isFalse();
    assertThat(rules.unbound(reports)).isFalse();
  }

  private static CertifiedDecision last(int replica, int instance) {
    return new CertifiedDecision(replica, instance, new byte[] {(byte) instance}, null);
  }

  @Test
  void regencyBeginsWithTheHistoryOfTheHighestPlaceNotWithTheLongest() throws Exception {
    LoggedDecision.append(log, 0, FIRST);
    LoggedDecision.append(log, 0, FIRST);
    histories.heard(1, new ReportedHistory(2, 0, 1, new byte[32], new byte[32]));
    rules.addLastCID(2, last(0, 1));
    rules.addLastCID(2, last(1, 0));
    assertThat(Objects.requireNonNull(rules.getHighestLastCID(2)).getCID()).isZero();
    ReportedHistory chosen = Objects.requireNonNull(histories.chosen(2));
    assertThat(chosen.lastRegency()).isEqualTo(1);
    assertThat(histories.losesAsLeader(chosen)).isTrue();
  }

  @Test
  void reportWithoutItsHistoryDoesNotCount() throws Exception {
    LoggedDecision.append(log, 0, FIRST);
    rules.addLastCID(2, last(0, 0));
    rules.addLastCID(2, last(1, 7));
    assertThat(Objects.requireNonNull(rules.getHighestLastCID(2)).getCID()).isZero();
  }

  @Test
  void hazard16StopWithoutRequestsIsHarmless() {
    rules.addRequestsFromSTOP(null);
    assertThat(rules.getRequestsFromSTOP()).isNull();
  }

  @Test
  void leaderFollowsFromTheRegencyAloneWhateverAReplicaBelievedBefore() {
    rules.setNewLeader(-1);
    rules.setLastReg(5);
    assertThat(rules.getNewLeader()).isEqualTo(2);
    rules.setLastReg(6);
    assertThat(rules.getNewLeader()).isEqualTo(0);
  }

  @Test
  void afterTheAnswerNoReportCountsAnyMore() {
    rules.addLastCID(2, last(1, 7));
    assertThat(rules.getLastCIDsSize(2)).isEqualTo(1);
    histories.answered(2);
    assertThat(rules.getLastCIDsSize(2)).isZero();
  }

  @Test
  void reportsAreForgottenOnceTheirRegencyHasBegun() {
    rules.addLastCID(2, last(1, 7));
    rules.removeCollects(2);
    assertThat(rules.getLastCIDs(2)).isNull();
  }

  @Test
  void ownReportStandsOnTheHistoryThatItWasMadeWith() throws Exception {
    LoggedDecision.append(log, 0, FIRST);
    rules.addLastCID(2, last(0, 0));
    LoggedDecision.append(log, 0, FIRST);
    histories.heard(1, new ReportedHistory(2, 1, 0, new byte[32], new byte[32]));
    rules.addLastCID(2, last(1, 1));
    assertThat(Objects.requireNonNull(rules.getHighestLastCID(2)).getPID()).isEqualTo(1);
  }

  @Test
  void settledLeaderChangeIsReported() {
    rules.removeCollects(3);
    assertThat(installed).hasValue(3);
  }
}
