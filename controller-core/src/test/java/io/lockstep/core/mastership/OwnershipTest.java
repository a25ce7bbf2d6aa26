package io.lockstep.core.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DomainMap;
import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.DomainsTable;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.core.cluster.Lease;
import io.lockstep.core.cluster.Member;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.cluster.SessionTable;
import io.lockstep.core.cluster.StoredDomains;
import io.lockstep.core.mastership.Ownership.Owner;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableFeed;
import io.lockstep.core.testing.ScriptedStore;
import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who masters a switch of domain east, which n1 masters in session 1, while sessions end. */
class OwnershipTest {
  private static final long FAR = 0x11;
  private static final DomainConfig EAST =
      new DomainConfig("east", List.of(new DpidRange(0x10, 0x1f)), List.of("n1"));
  private static final SessionTable SESSIONS = new SessionTable();

  private final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  private final ControlLoop loop = new ControlLoop("control-test", (where, e) -> fatal.add(e));
  private final NodeState state = new NodeState(loop);
  private final ScriptedStore store = new ScriptedStore();
  private final NodeConfig config =
      new NodeConfig(
          "test",
          "n3",
          List.of(
              new Member("n1", "127.0.0.1", 0),
              new Member("n2", "127.0.0.1", 0),
              new Member("n3", "127.0.0.1", 0)),
          List.of(EAST),
          1_000);
  private final Membership membership =
      new Membership(config, "0", store, store.typed(), state, new Lease(store, () -> 0));
  private final Ownership ownership =
      new Ownership(new Domains(config, state, membership), state, membership);
  private final HeldFeed feed = new HeldFeed();
  private long index = 10;

  OwnershipTest() throws Exception {
    loop.start();
    state.start(feed);
    DomainsTable versions = new DomainsTable();
    Entry map =
        new Entry(
            versions.encodeKey(DomainsTable.CURRENT),
            versions.encodeValue(StoredDomains.of(1, 0, DomainMap.of(List.of(EAST)))),
            1);
    feed.sink()
        .replace(
            Map.of(
                DomainsTable.NAME,
                List.of(map),
                DomainTable.NAME,
                List.of(east(5)),
                DelegationTable.NAME,
                List.of(far("n2", 2, 7)),
                SessionTable.NAME,
                List.of(session(1, "n1"), session(2, "n2"))),
            index);
    settle();
  }

  @AfterEach
  void close() {
    state.close();
    loop.close();
    assertThat(fatal).isEmpty();
  }

  private static Entry session(long id, String owner) {
    return new Entry(SESSIONS.encodeKey(id), SESSIONS.encodeValue(owner), 3);
  }

  private static Entry east(long epoch) {
    DomainTable domains = new DomainTable();
    return new Entry(
        domains.encodeKey("east"), domains.encodeValue(new DomainRecord("n1", 1, epoch, 0)), 1);
  }

  private static Entry far(String node, long session, long epoch) {
    DelegationTable delegations = new DelegationTable();
    DelegationRecord record = new DelegationRecord("east", node, session, epoch);
    return new Entry(delegations.encodeKey(FAR), delegations.encodeValue(record), 2);
  }

  private void change(String table, Entry now) throws Exception {
    index++;
    feed.sink().changes(List.of(new Change(index, table, now.key(), now.value())), index);
    settle();
  }

  private void settle() throws Exception {
    CompletableFuture<Void> done = new CompletableFuture<>();
    loop.execute(() -> done.complete(null));
    done.get(60, TimeUnit.SECONDS);
  }

  private void end(long session) throws Exception {
    index++;
    feed.sink()
        .changes(
            List.of(new Change(index, SessionTable.NAME, SESSIONS.encodeKey(session), null)),
            index);
    settle();
  }

  @Test
  void delegatedSwitchIsMasteredUnderAFenceOfItsOwn() {
    assertThat(ownership.owner(FAR))
        .isEqualTo(new Owner("n2", 2, new Fence(SwitchScope.name(FAR), 7)));
    assertThat(ownership.owner(0x10)).isEqualTo(new Owner("n1", 1, new Fence("east", 5)));
    assertThat(ownership.owner(0x20)).as("in no domain").isNull();
  }

  /** The domain's epoch is below the one that the switch has seen. */
  @Test
  void switchWhoseNodeHasEndedHasNoMasterBeforeItIsTakenBack() throws Exception {
    end(2);
    assertThat(ownership.owner(FAR)).isNull();
    assertThat(ownership.leastEpoch(EAST)).isEqualTo(8);
    change(DomainTable.NAME, east(7));
    assertThat(ownership.owner(FAR)).isNull();
    change(DomainTable.NAME, east(8));
    assertThat(ownership.owner(FAR)).isEqualTo(new Owner("n1", 1, new Fence("east", 8)));
    end(1);
    assertThat(ownership.owner(FAR)).isNull();
    assertThat(ownership.owner(0x10)).isNull();
  }

  @Test
  void switchThatWasTakenBackIsMasteredUnderAFenceOfItsOwn() throws Exception {
    assertThat(ownership.delegated(FAR)).isTrue();
    assertThat(ownership.leastEpoch(EAST)).as("n2 lives").isZero();
    change(DelegationTable.NAME, far("n1", 1, 8));
    assertThat(ownership.owner(FAR))
        .isEqualTo(new Owner("n1", 1, new Fence(SwitchScope.name(FAR), 8)));
    assertThat(ownership.delegated(FAR)).isFalse();
    end(1);
    assertThat(ownership.leastEpoch(EAST)).isEqualTo(9);
  }

  @Test
  void delegationOutlivesTheMasterOfItsDomain() throws Exception {
    end(1);
    assertThat(Objects.requireNonNull(ownership.owner(FAR)).node()).isEqualTo("n2");
    assertThat(ownership.owner(0x10)).isNull();
  }

  @Test
  void masterOfADomainRemovesWhatIsLeftOfASwitchInNone() throws Exception {
    assertThat(ownership.heir(0x20)).isEqualTo(new Owner("n1", 1, new Fence("east", 5)));
    assertThat(ownership.heir(0x10)).as("in a domain").isNull();
    assertThat(ownership.ownLeftovers(0x20)).as("another node's").isNull();
    end(1);
    assertThat(ownership.heir(0x20)).isNull();
    assertThat(ownership.heir(0x10)).as("without a master, in a domain").isNull();
  }

  /** A feed that the test drives. */
  private static final class HeldFeed implements TableFeed {
    private @Nullable Sink sink;

    @Override
    public void start(List<String> wanted, Sink to) {
      sink = to;
    }

    Sink sink() {
      return Objects.requireNonNull(sink);
    }

    @Override
    public void close() {}
  }
}
