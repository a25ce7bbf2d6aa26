package io.lockstep.core.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.cluster.ClusterComponents;
import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DomainMap;
import io.lockstep.core.cluster.DomainsTable;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.core.cluster.JoinCluster;
import io.lockstep.core.cluster.Member;
import io.lockstep.core.cluster.PublishConnections;
import io.lockstep.core.cluster.PublishConnections.Connected;
import io.lockstep.core.cluster.RegisterApplication;
import io.lockstep.core.cluster.StoredDomains;
import io.lockstep.core.mastership.ClaimDomain.Claim;
import io.lockstep.core.mastership.FollowDomains.Ready;
import io.lockstep.core.mastership.ProposeDomains.Proposal;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.engine.Rules;
import io.lockstep.store.machine.ReplacedMachines;
import io.lockstep.store.typed.Component;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store that clients have filled still changes members, masters and domains. */
class FullStoreTest {
  private static final String TABLE = "net.test";
  private static final DomainsTable DOMAINS = new DomainsTable();

  private final PureStore store = new PureStore(components());

  private static List<MicroComponent> components() {
    List<MicroComponent> all = new ArrayList<>(ClusterComponents.all());
    all.addAll(MastershipComponents.all());
    return all;
  }

  /** The smallest limit that a configuration may have. */
  @BeforeEach
  void fillTheStore() {
    store.adopt(new Rules(2, 64));
    long session = store.open("filler");
    int number = 0;
    for (int length : new int[] {1 << 20, 1 << 14, 1 << 8, 0}) {
      boolean full = false;
      while (!full) {
        Bytes key = Bytes.utf8("k" + number++);
        Command put = new Command.Put(TABLE, key, Bytes.wrap(new byte[length]));
        full = !(store.run(session, put) instanceof Reply.Applied);
      }
    }
    // Those that are there may grow by what is kept from new ones.
    for (int i = 0; i < 64; i++) {
      Bytes longer = Bytes.wrap(new byte[1 << 20]);
      store.run(session, new Command.Put(TABLE, Bytes.utf8("k" + (number - 2 - i)), longer));
    }
    store.close(session);
  }

  private long join(String node) {
    long session = store.open(node);
    returned(
        session, JoinCluster.COMPONENT, JoinCluster.Join.of(new Member(node, "h", 1), "v", true));
    return session;
  }

  private <A> void returned(long session, Component<A, ?> component, A argument) {
    assertThat(store.run(session, component, argument)).isInstanceOf(Reply.Returned.class);
  }

  private static DomainMap map(int ranges) {
    List<DpidRange> west =
        LongStream.range(0, ranges).mapToObj(i -> new DpidRange(4 * i + 1, 4 * i + 2)).toList();
    return DomainMap.of(
        List.of(
            new DomainConfig("west", west, List.of("n1")),
            new DomainConfig("east", List.of(new DpidRange(1L << 40, 1L << 41)), List.of("n2"))));
  }

  private StoredDomains inForce(long session) {
    Bytes key = DOMAINS.encodeKey(DomainsTable.CURRENT);
    Reply reply = store.run(session, new Command.Get(DomainsTable.NAME, key));
    assertThat(reply).isInstanceOf(Reply.Found.class);
    return DOMAINS.decodeValue(((Reply.Found) reply).value());
  }

  private DomainRecord claim(long session, String node) {
    return store.call(
        session, ClaimDomain.COMPONENT, Claim.of("west", node, 0, inForce(session).version()));
  }

  @Test
  void storeIsFull() {
    Command put = new Command.Put(TABLE, Bytes.utf8("new"), Bytes.empty());
    assertThat(store.run(store.open("client"), put))
        .isInstanceOfSatisfying(
            Reply.Rejected.class,
            refused -> assertThat(refused.reason()).isEqualTo(Reply.Reason.NO_ROOM));
  }

  @Test
  void nodesJoinTakeDomainsOverAndDelegateSwitches() {
    long n1 = join("n1");
    long n2 = join("n2");
    returned(n1, ProposeDomains.COMPONENT, new Proposal(0, map(2)));
    returned(n1, RegisterApplication.COMPONENT, "org.test");
    List<Long> dpids = LongStream.rangeClosed(1, PublishConnections.MAX_SWITCHES).boxed().toList();
    returned(n1, PublishConnections.COMPONENT, new Connected("n1", dpids));
    returned(n2, PublishConnections.COMPONENT, new Connected("n2", dpids));
    DomainRecord first = claim(n1, "n1");
    assertThat(first.node()).isEqualTo("n1");
    returned(
        n1,
        AssignSwitches.COMPONENT,
        new AssignSwitches.Request(
            new Fence("west", first.epoch()), List.of(new AssignSwitches.Assignment(1, "n2", n2))));
    store.close(n1);
    DomainRecord second = claim(n2, "n2");
    assertThat(second.node()).isEqualTo("n2");
    assertThat(second.epoch()).isGreaterThan(first.epoch());
  }

  @Test
  void aVersionOfTheDomainsIsProposedFollowedAndInForce() {
    long n1 = join("n1");
    long n2 = join("n2");
    int largest = 32_000;
    returned(n1, ProposeDomains.COMPONENT, new Proposal(0, map(largest)));
    claim(n1, "n1");
    returned(n1, ProposeDomains.COMPONENT, new Proposal(1, map(largest + 1)));
    returned(n1, FollowDomains.COMPONENT, new Ready("n1", 2));
    returned(n2, FollowDomains.COMPONENT, new Ready("n2", 2));
    assertThat(inForce(n2).version()).isEqualTo(2);
    assertThat(inForce(n2).map()).isEqualTo(map(largest + 1));
  }

  /** A new table whose name begins otherwise has no reserve. */
  @Test
  void everyTableOfClusterAndMastershipHasRoom() throws Exception {
    Bytes machines = ReplacedMachines.NONE.replace(3, 0, "h".repeat(200), 7100, 1).encode();
    long session = store.open("n1");
    Set<String> tables = new HashSet<>(ClusterComponents.tables().keySet());
    tables.addAll(MastershipComponents.tables().keySet());
    for (String table : tables) {
      boolean lists = table.equals(ReplacedMachines.TABLE);
      Bytes value = lists ? machines : Bytes.wrap(new byte[1_000]);
      Command put = new Command.Put(table, Bytes.utf8("k"), value);
      assertThat(store.run(session, put)).as(table).isInstanceOf(Reply.Applied.class);
    }
  }
}
