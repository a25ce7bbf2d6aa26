package io.lockstep.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.topology.ConfirmedLinks;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Three nodes over one store say how far they follow the links. */
class ConfirmedLinksTest {
  private final TestCluster cluster =
      new TestCluster(0, TestCluster.domain("east", 1, "n1", "n2", "n3"));
  private final Map<String, ConfirmedLinks> links = new ConcurrentHashMap<>();
  private final AtomicInteger heard = new AtomicInteger();

  ConfirmedLinksTest() throws Exception {
    cluster.assembled =
        made ->
            links.put(
                made.config().nodeId(),
                new ConfirmedLinks(
                    made.config().nodeId(),
                    made.state(),
                    made.membership(),
                    made.typed(),
                    heard::incrementAndGet));
    for (String node : new String[] {"n1", "n2", "n3"}) {
      cluster.start(node);
    }
    cluster.await(
        "all know all",
        () ->
            cluster.nodes.values().stream()
                .allMatch(node -> node.context.membership().liveNodes().size() == 3));
    // Who has nothing to compute follows the others at once.
    for (String node : links.keySet()) {
      assertThat(changed(node)).isPositive();
    }
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private <T> T at(String node, Function<ConfirmedLinks, T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    cluster
        .node(node)
        .context
        .state()
        .loop()
        .execute(() -> answer.complete(question.apply(Objects.requireNonNull(links.get(node)))));
    return answer.join();
  }

  /** A link changes in the node's views, and it does not heed that yet; gives the index. */
  private long changed(String node) {
    return at(
        node,
        own -> {
          own.linkChanged();
          return own.lastChange();
        });
  }

  /** A link changes in the node's views, and it floods accordingly; gives the index. */
  private long follow(String node) {
    return at(
        node,
        own -> {
          own.linkChanged();
          own.followed(own.lastChange());
          return own.lastChange();
        });
  }

  private boolean followedByAll(String asked, long index) {
    return at(asked, own -> own.areFollowedByAll(index));
  }

  @Test
  void allFollowWhereEveryOtherNodeSaidSo() {
    long index = Math.max(follow("n1"), follow("n2"));
    cluster.await("n1 has heard of n2", () -> heard.get() > 0);
    assertThat(followedByAll("n1", index)).as("n3 said nothing").isFalse();
    long last = Math.max(index, follow("n3"));
    // Their views had different indexes when they followed; they agree on the last of them.
    for (String node : links.keySet()) {
      cluster.await(node + " hears it of all", () -> followedByAll(node, last));
    }
  }

  @Test
  void nodeThatHasMoreToComputeDoesNotFollowOthers() {
    follow("n1");
    follow("n2");
    long followed = follow("n3");
    cluster.await("n3 sees a later change", () -> changed("n3") > followed);
    long change = at("n3", ConfirmedLinks::lastChange);
    // Each confirmation is a change of the store, so an index behind that of n3's change comes.
    cluster.await("n1 follows what comes behind it", () -> follow("n1") > change);
    long next = at("n1", ConfirmedLinks::lastChange);
    cluster.await("n2 says what n1 does", () -> followedByAll("n3", next));
    assertThat(followedByAll("n1", next)).as("n3 has a change before it").isFalse();
    long last = Math.max(next, follow("n3"));
    cluster.await("now it does", () -> followedByAll("n1", last));
  }

  @Test
  void nodeWhoseSessionEndsIsWaitedForNoLonger() {
    long index = Math.max(follow("n1"), follow("n2"));
    cluster.node("n3").gate.open = false;
    assertThat(followedByAll("n1", index)).isFalse();
    cluster.await("its session has ended", () -> followedByAll("n1", index));
    cluster.node("n3").gate.open = true;
    cluster.await(
        "it takes part again", () -> cluster.node("n1").context.membership().sessionOf("n3") != 0);
    long last = Math.max(index, follow("n3"));
    cluster.await("it says so in its new session", () -> followedByAll("n1", last));
  }
}
