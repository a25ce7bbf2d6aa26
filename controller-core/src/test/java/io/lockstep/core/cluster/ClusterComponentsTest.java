package io.lockstep.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.cluster.PublishConnections.Connected;
import io.lockstep.core.mastership.PureStore;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The cluster's micro components, on the store's own state machine. */
class ClusterComponentsTest {
  private static final ConnectionTable CONNECTIONS = new ConnectionTable();

  private final PureStore store = new PureStore(ClusterComponents.all());
  private final long n1 = store.open("n1");
  private final long n10 = store.open("n10");

  @Test
  void aNodeJoinsUnderTheSessionOfTheCaller() {
    JoinCluster.Joined joined = join(n1);
    assertThat(joined.otherSession()).isZero();
    Reply reply = store.run(n1, new Command.Get(NodeTable.NAME, new NodeTable().encodeKey("n1")));
    Reply.Found found = (Reply.Found) reply;
    NodeRecord record = new NodeTable().decodeValue(found.value());
    assertThat(record.sessionId()).isEqualTo(n1);
    assertThat(record.ready()).isTrue();
    assertThat(record.host()).isEqualTo("host");
    assertThat(found.version()).isEqualTo(joined.index());
  }

  @Test
  void aSecondLivingProcessUnderOneNodeIdIsNoticed() {
    join(n1);
    long other = store.open("n1");
    assertThat(join(other).otherSession()).isEqualTo(n1);
    store.close(other);
    assertThat(join(n1).otherSession()).isZero();
  }

  @Test
  void connectionsAreReplacedAndUnchangedOnesKeepTheirVersion() {
    publish(n1, "n1", 1, -1);
    publish(n10, "n10", 5);
    List<Entry> before = connections();
    assertThat(before).hasSize(3);
    publish(n1, "n1", 1, 2);
    List<Entry> after = connections();
    assertThat(after.stream().map(entry -> CONNECTIONS.decodeKey(entry.key())))
        .containsExactlyInAnyOrder(
            new ConnectionTable.Key("n1", 1),
            new ConnectionTable.Key("n1", 2),
            new ConnectionTable.Key("n10", 5));
    Bytes kept = CONNECTIONS.encodeKey(new ConnectionTable.Key("n1", 1));
    assertThat(version(after, kept)).isEqualTo(version(before, kept));
    publish(n1, "n1");
    assertThat(connections()).hasSize(1);
  }

  @Test
  void aNewSessionSaysItsConnectionsAnew() {
    publish(n1, "n1", 1);
    store.close(n1);
    long again = store.open("n1");
    publish(again, "n1", 1);
    assertThat(CONNECTIONS.decodeValue(connections().get(0).value())).isEqualTo(again);
  }

  @Test
  void anApplicationKeepsItsNumber() {
    assertThat(register("fwd")).isEqualTo((short) 1);
    assertThat(register("acl")).isEqualTo((short) 2);
    assertThat(register("fwd")).isEqualTo((short) 1);
    assertThat(store.run(n1, RegisterApplication.COMPONENT, "")).isInstanceOf(Reply.Rejected.class);
  }

  private JoinCluster.Joined join(long session) {
    Reply reply =
        store.run(
            session,
            JoinCluster.COMPONENT,
            JoinCluster.Join.of(new Member("n1", "host", 9), "0.1.0", true));
    return JoinCluster.COMPONENT.result().decode(((Reply.Returned) reply).result());
  }

  private void publish(long session, String node, long... dpids) {
    Reply reply =
        store.run(
            session,
            PublishConnections.COMPONENT,
            new Connected(node, Arrays.stream(dpids).boxed().toList()));
    assertThat(reply).isInstanceOf(Reply.Returned.class);
  }

  private List<Entry> connections() {
    Reply reply = store.run(n10, new Command.Scan(ConnectionTable.NAME, Bytes.empty(), null, 100));
    return ((Reply.Entries) reply).entries();
  }

  private static long version(List<Entry> entries, Bytes key) {
    return entries.stream()
        .filter(entry -> entry.key().equals(key))
        .findFirst()
        .orElseThrow()
        .version();
  }

  private short register(String name) {
    Reply reply = store.run(n10, RegisterApplication.COMPONENT, name);
    return RegisterApplication.COMPONENT.result().decode(((Reply.Returned) reply).result());
  }
}
