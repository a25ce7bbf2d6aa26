package io.lockstep.core.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.cluster.ClusterComponents;
import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DomainMap;
import io.lockstep.core.cluster.DomainsTable;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.core.cluster.JoinCluster;
import io.lockstep.core.cluster.Member;
import io.lockstep.core.cluster.NodeRecord;
import io.lockstep.core.cluster.NodeTable;
import io.lockstep.core.cluster.StoredDomains;
import io.lockstep.core.mastership.ClaimDomain.Claim;
import io.lockstep.core.mastership.DelegateSwitch.Change;
import io.lockstep.core.mastership.FollowDomains.Ready;
import io.lockstep.core.mastership.ProposeDomains.Proposal;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How versions of the domains replace each other, on the store's own state machine. */
class DomainVersionsTest {
  private static final DomainTable RECORDS = new DomainTable();
  private static final DomainsTable DOMAINS = new DomainsTable();
  private static final DelegationTable DELEGATIONS = new DelegationTable();
  private static final DomainMap FIRST = map(1, 8, 16, 24);
  private static final DomainMap MOVED = FIRST.with(new DpidRange(4, 4), "east");

  private final PureStore store = new PureStore(components());
  private final long n1 = join("n1");
  private final long n2 = join("n2");

  private static List<MicroComponent> components() {
    List<MicroComponent> all = new ArrayList<>(ClusterComponents.all());
    all.addAll(MastershipComponents.all());
    return all;
  }

  private static DomainMap map(long west, long westEnd, long east, long eastEnd) {
    return DomainMap.of(
        List.of(
            new DomainConfig("west", List.of(new DpidRange(west, westEnd)), List.of("n1")),
            new DomainConfig("east", List.of(new DpidRange(east, eastEnd)), List.of("n2"))));
  }

  private long join(String node) {
    long session = store.open(node);
    store.run(
        session, JoinCluster.COMPONENT, JoinCluster.Join.of(new Member(node, "h", 1), "v", true));
    return session;
  }

  private ProposeDomains.Answer propose(long session, long decidedOn, DomainMap map) {
    return store.call(session, ProposeDomains.COMPONENT, new Proposal(decidedOn, map));
  }

  private void follow(long session, String node, long version) {
    assertThat(store.run(session, FollowDomains.COMPONENT, new Ready(node, version)))
        .isInstanceOf(Reply.Returned.class);
  }

  private @Nullable StoredDomains stored(String key) {
    Reply reply = store.run(n2, new Command.Get(DomainsTable.NAME, DOMAINS.encodeKey(key)));
    return reply instanceof Reply.Found found ? DOMAINS.decodeValue(found.value()) : null;
  }

  /** Renews the lease of n2, too. */
  private void inForceAsN2Sees() {
    assertThat(inForce()).isEqualTo(1);
  }

  private long inForce() {
    StoredDomains current = stored(DomainsTable.CURRENT);
    return current == null ? 0 : current.version();
  }

  private Reply claim(long session, String domain, String node, long minimum, long version) {
    return store.run(session, ClaimDomain.COMPONENT, Claim.of(domain, node, minimum, version));
  }

  private DomainRecord claimed(long session, String domain, String node, long minimum) {
    return store.call(session, ClaimDomain.COMPONENT, Claim.of(domain, node, minimum, inForce()));
  }

  private @Nullable DomainRecord record(String domain) {
    Reply reply = store.run(n2, new Command.Get(DomainTable.NAME, RECORDS.encodeKey(domain)));
    return reply instanceof Reply.Found found ? RECORDS.decodeValue(found.value()) : null;
  }

  private Reply write(long session, String scope, long epoch) {
    return store.run(
        session,
        FencedWrite.command(
            new Fence(scope, epoch),
            List.of(new FencedWrite.Write.Put("net.test", Bytes.utf8("k"), Bytes.utf8("v")))));
  }

  private static String refusal(Reply reply) {
    return ((Reply.Rejected) reply).message();
  }

  @Test
  void theFirstProposalIsInForceAtOnceAndASecondFirstIsOutdated() {
    assertThat(propose(n1, 0, FIRST)).isEqualTo(new ProposeDomains.Answer(true, 1));
    assertThat(inForce()).isEqualTo(1);
    assertThat(propose(n2, 0, MOVED)).isEqualTo(new ProposeDomains.Answer(false, 1));
    assertThat(stored(DomainsTable.CURRENT)).isEqualTo(StoredDomains.of(1, 0, FIRST));
    assertThat(stored(DomainsTable.NEXT)).isNull();
  }

  @Test
  void aLaterVersionWaitsForEveryLivingNodeAndForNoDeadOne() {
    long n3 = join("n3");
    propose(n1, 0, FIRST);
    assertThat(propose(n1, 1, MOVED)).isEqualTo(new ProposeDomains.Answer(true, 2));
    follow(n1, "n1", 2);
    follow(n3, "n3", 1);
    assertThat(inForce()).isEqualTo(1);
    follow(n2, "n2", 2);
    assertThat(inForce()).as("n3 follows version 1 only").isEqualTo(1);
    store.close(n3);
    follow(n1, "n1", 2);
    assertThat(inForce()).isEqualTo(2);
    assertThat(stored(DomainsTable.NEXT)).isNull();
  }

  /** More than one scan reads: nodes that are gone leave their records behind. */
  @Test
  void noLivingNodeIsMissedBehindTheRecordsOfManyDeadOnes() {
    propose(n1, 0, FIRST);
    NodeTable nodes = new NodeTable();
    Bytes dead = nodes.encodeValue(new NodeRecord(1L << 40, "h", 1, "v", true, 1));
    for (int i = 0; i <= 10_000; i++) {
      Bytes key = nodes.encodeKey("dead" + i);
      store.run(i % 2 == 0 ? n1 : n2, new Command.Put(NodeTable.NAME, key, dead));
    }
    propose(n1, 1, MOVED);
    follow(n1, "n1", 2);
    assertThat(inForce()).as("n2 has not followed").isEqualTo(1);
    follow(n2, "n2", 2);
    assertThat(inForce()).isEqualTo(2);
  }

  @Test
  void whatANodeSaidUnderAnEarlierSessionDoesNotCount() {
    propose(n1, 0, FIRST);
    propose(n1, 1, MOVED);
    follow(n1, "n1", 2);
    store.close(n1);
    long again = join("n1");
    follow(n2, "n2", 2);
    assertThat(inForce()).isEqualTo(1);
    follow(again, "n1", 2);
    assertThat(inForce()).isEqualTo(2);
  }

  @Test
  void aProposalOnAnOutdatedVersionIsRefusedAlsoWhileOneWaits() {
    propose(n1, 0, FIRST);
    propose(n1, 1, MOVED);
    assertThat(propose(n2, 1, map(1, 9, 16, 24))).isEqualTo(new ProposeDomains.Answer(false, 2));
    assertThat(propose(n2, 2, FIRST))
        .as("it replaces the one that waits")
        .isEqualTo(new ProposeDomains.Answer(true, 3));
    follow(n1, "n1", 2);
    follow(n2, "n2", 3);
    assertThat(inForce()).isEqualTo(1);
    follow(n1, "n1", 3);
    StoredDomains current = stored(DomainsTable.CURRENT);
    assertThat(current).isEqualTo(StoredDomains.of(3, 0, FIRST));
    assertThat(propose(n1, 3, FIRST))
        .as("nothing to change")
        .isEqualTo(new ProposeDomains.Answer(true, 3));
  }

  @Test
  void domainsThatLoseOrGainASwitchBeginAnEpochAboveAllThatItHasSeen() {
    propose(n1, 0, FIRST);
    claimed(n1, "west", "n1", 41);
    claimed(n2, "east", "n2", 0);
    propose(n1, 1, MOVED);
    assertThat(write(n1, "west", 41)).as("until then").isInstanceOf(Reply.Returned.class);
    follow(n1, "n1", 2);
    follow(n2, "n2", 2);
    DomainRecord west = record("west");
    DomainRecord east = record("east");
    assertThat(west).extracting("node", "sessionId", "epoch").containsExactly("n1", n1, 42L);
    assertThat(east).extracting("node", "sessionId", "epoch").containsExactly("n2", n2, 42L);
    assertThat(refusal(write(n1, "west", 41))).contains("west is in epoch 42, not 41");
    assertThat(write(n2, "east", 42)).isInstanceOf(Reply.Returned.class);
  }

  @Test
  void domainsThatKeepTheirSwitchesKeepTheirEpoch() {
    propose(n1, 0, FIRST);
    claimed(n1, "west", "n1", 41);
    claimed(n2, "east", "n2", 7);
    DomainMap wider = map(1, 9, 16, 24);
    propose(n1, 1, wider);
    follow(n1, "n1", 2);
    follow(n2, "n2", 2);
    assertThat(record("west")).extracting("epoch").isEqualTo(42L);
    assertThat(record("east")).extracting("epoch").isEqualTo(7L);
  }

  @Test
  void theEpochsOfADomainThatWentAwayAreNeverUsedAgain() {
    propose(n1, 0, FIRST);
    claimed(n1, "west", "n1", 41);
    claimed(n2, "east", "n2", 0);
    propose(n1, 1, DomainMap.of(List.of(FIRST.domains().get(1))));
    follow(n1, "n1", 2);
    follow(n2, "n2", 2);
    assertThat(record("west")).isNull();
    assertThat(refusal(write(n1, "west", 41))).contains("nobody masters domain west");
    assertThat(record("east")).extracting("epoch").isEqualTo(1L);

    propose(n1, 2, FIRST);
    follow(n1, "n1", 3);
    follow(n2, "n2", 3);
    assertThat(claimed(n2, "west", "n2", 0).epoch()).isGreaterThan(41);
    assertThat(record("east")).extracting("epoch").isEqualTo(1L);
  }

  @Test
  void aDelegationOfASwitchThatMovesEndsAndItsEpochIsPassed() {
    propose(n1, 0, FIRST);
    claimed(n1, "west", "n1", 0);
    claimed(n2, "east", "n2", 0);
    store.run(n1, DelegateSwitch.COMPONENT, Change.delegate(new Fence("west", 1), 4, "n2", n2));
    store.run(n1, DelegateSwitch.COMPONENT, Change.delegate(new Fence("west", 1), 5, "n2", n2));
    Fence delegated = new Fence("of:0000000000000004", 2);
    store.run(n2, DelegateSwitch.COMPONENT, Change.raise(delegated, 70));
    propose(n1, 1, MOVED);
    follow(n1, "n1", 2);
    follow(n2, "n2", 2);
    assertThat(store.run(n1, new Command.Get(DelegationTable.NAME, DELEGATIONS.encodeKey(4L))))
        .isEqualTo(new Reply.Absent());
    assertThat(store.run(n1, new Command.Get(DelegationTable.NAME, DELEGATIONS.encodeKey(5L))))
        .isInstanceOf(Reply.Found.class);
    assertThat(refusal(write(n2, "of:0000000000000004", 70))).contains("is not delegated");
    assertThat(record("east")).extracting("epoch").isEqualTo(71L);
  }

  @Test
  void aClaimDecidedOnAnotherVersionIsRefused() {
    propose(n1, 0, FIRST);
    assertThat(refusal(claim(n1, "west", "n1", 0, 0)))
        .isEqualTo("decided on version 0 of the domains, in force is version 1");
    assertThat(claim(n1, "west", "n1", 0, 1)).isInstanceOf(Reply.Returned.class);
    propose(n1, 1, MOVED);
    assertThat(claim(n1, "west", "n1", 5, 1)).isInstanceOf(Reply.Returned.class);
    follow(n1, "n1", 2);
    follow(n2, "n2", 2);
    assertThat(refusal(claim(n2, "gone", "n2", 0, 1))).contains("in force is version 2");
  }

  private static String argument(Command command) {
    return ((Command.Call) command).argument().toString();
  }

  /** Logs hold these commands, so replicas of later releases read them. */
  @Test
  void theBytesOfTheCommandsStayAsTheyAre() {
    assertThat(argument(ProposeDomains.COMPONENT.command(new Proposal(3, FIRST))))
        .isEqualTo(
            ("01" + "0000000000000003" + "02")
                + ("0477657374" + "01026e31" + "01" + "0000000000000001" + "0000000000000008")
                + ("0465617374" + "01026e32" + "01" + "0000000000000010" + "0000000000000018"));
    assertThat(argument(FollowDomains.COMPONENT.command(new Ready("n1", 4))))
        .isEqualTo("01" + "026e31" + "0000000000000004");
    assertThat(argument(ClaimDomain.COMPONENT.command(Claim.of("west", "n1", 5, 4))))
        .isEqualTo("02" + "0477657374" + "026e31" + "0000000000000005" + "0000000000000004");
  }

  /** Logs of earlier releases hold claims without a version; replicas replay them as before. */
  @Test
  void aClaimOfTheFirstFormatIsCarriedOutAsEver() {
    propose(n1, 0, FIRST);
    Bytes old = new ByteWriter().int8(1).utf8("west").utf8("n1").int64(3).toBytes();
    Reply reply = store.run(n1, new Command.Call(ClaimDomain.COMPONENT.name(), old));
    assertThat(ClaimDomain.COMPONENT.result().decode(((Reply.Returned) reply).result()).epoch())
        .isEqualTo(3);
  }

  @Test
  void domainsOfANewerFormatAreRefusedAndStayAsTheyAre() {
    Bytes newer = Bytes.wrap(new byte[] {2, 1, 2, 3});
    Bytes key = DOMAINS.encodeKey(DomainsTable.CURRENT);
    store.run(n1, new Command.Put(DomainsTable.NAME, key, newer));
    assertThat(refusal(store.run(n1, ProposeDomains.COMPONENT, new Proposal(0, FIRST))))
        .contains("format 2");
    assertThat(refusal(store.run(n1, FollowDomains.COMPONENT, new Ready("n1", 1))))
        .contains("format 2");
    assertThat(claim(n1, "west", "n1", 0, 0)).isInstanceOf(Reply.Rejected.class);
    assertThat(((Reply.Found) store.run(n1, new Command.Get(DomainsTable.NAME, key))).value())
        .isEqualTo(newer);
  }

  @Test
  void moreDelegatedSwitchesThanOneStepMayMoveAreRefused() {
    propose(n1, 0, map(1, 10_000, 16_000, 16_000));
    claimed(n1, "west", "n1", 0);
    for (long dpid = 1; dpid <= DomainVersions.MAX_MOVED + 1; dpid++) {
      store.run(
          n1, DelegateSwitch.COMPONENT, Change.delegate(new Fence("west", 1), dpid, "n2", n2));
      inForceAsN2Sees();
    }
    DomainMap tooMany = map(9_999, 10_000, 1, 9_998);
    assertThat(refusal(store.run(n1, ProposeDomains.COMPONENT, new Proposal(1, tooMany))))
        .contains("move fewer at once");
    assertThat(propose(n1, 1, map(2, 10_000, 16_000, 16_000)).accepted()).isTrue();
    DomainMap most = map(DomainVersions.MAX_MOVED + 1, 10_000, 1, DomainVersions.MAX_MOVED);
    assertThat(propose(n1, 2, most).accepted()).isTrue();
    follow(n1, "n1", 3);
    follow(n2, "n2", 3);
    assertThat(inForce()).isEqualTo(3);
  }
}
