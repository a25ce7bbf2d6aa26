package io.lockstep.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.core.node.TestCluster.TestNode;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** One domain of more than a hundred switches, of which a node loses some or all. */
class ManySwitchesTest {
  private static final int HOUR_MILLIS = 3_600_000;
  private static final int SWITCHES = 120;

  /** What n1 saw of switches with epochs of their own, for example {@code 17 n2 2}. */
  private final List<String> assigned = new CopyOnWriteArrayList<>();

  /** Epochs of the domain as n1 saw them. */
  private final List<Long> epochs = new CopyOnWriteArrayList<>();

  private final List<FakeSwitch> switches = new ArrayList<>();

  private TestCluster cluster(int handBackDelayMillis) {
    TestCluster cluster = new TestCluster(handBackDelayMillis);
    cluster.domains =
        List.of(new DomainConfig("all", List.of(DpidRange.all()), List.of("n1", "n2", "n3")));
    for (int i = 1; i <= SWITCHES; i++) {
      switches.add(cluster.newSwitch(i));
    }
    return cluster;
  }

  private TestNode first(TestCluster cluster) throws IOException {
    TestNode n1 = cluster.start("n1");
    n1.context
        .state()
        .loop()
        .execute(
            () -> {
              n1.context
                  .ownership()
                  .delegations()
                  .addListener(
                      (dpid, old, now) ->
                          assigned.add(
                              dpid + (now == null ? "" : " " + now.node() + " " + now.epoch())));
              n1.context
                  .ownership()
                  .domains()
                  .addListener((name, old, now) -> epochs.add(now == null ? 0 : now.epoch()));
            });
    return n1;
  }

  private static void connect(TestNode node, List<FakeSwitch> some) {
    some.forEach(one -> one.connect(node.name, node.node.switches()));
  }

  private static boolean mastersAll(TestNode node, List<FakeSwitch> some) {
    return some.stream().allMatch(node::masters);
  }

  private static void pass(TestCluster cluster, long millis) {
    long until = cluster.clock.millis() + millis;
    cluster.await(millis + " ms", () -> cluster.clock.millis() >= until);
  }

  /** One of the switches comes and goes all the time, and one that the master never sees. */
  @Test
  void switchesThatAreStillConnectingToTheirMasterAreNotHandedToOthers() throws Exception {
    try (TestCluster cluster = cluster(HOUR_MILLIS)) {
      TestNode n1 = first(cluster);
      TestNode n2 = cluster.start("n2");
      FakeSwitch unreachable = cluster.newSwitch(1_000);
      connect(n2, switches);
      unreachable.connect("n2", n2.node.switches());
      FakeSwitch flapping = switches.get(0);
      // 20 steps of 300 ms: far longer than a switch may be out of reach otherwise.
      for (int next = 1; next < SWITCHES; next += 6) {
        connect(n1, switches.subList(next, Math.min(SWITCHES, next + 6)));
        flapping.connect("n1", n1.node.switches());
        pass(cluster, 300);
        flapping.disconnect("n1");
      }
      assertThat(assigned).isEmpty();
      List<FakeSwitch> steady = switches.subList(1, SWITCHES);
      cluster.await("n1 masters all others", () -> mastersAll(n1, steady));
      while (!n2.masters(unreachable)) {
        flapping.connect("n1", n1.node.switches());
        pass(cluster, 300);
        flapping.disconnect("n1");
        pass(cluster, 50);
      }
      flapping.connect("n1", n1.node.switches());
      cluster.await("n1 masters it", () -> n1.masters(flapping));
      assertThat(assigned).containsExactly("1000 n2 2");
      assertThat(epochs).isEmpty();
      assertThat(n1.mastery.epoch(flapping.deviceId())).isEqualTo(1);
    }
  }

  @Test
  void switchesGoToAnotherNodeAndComeBackTogetherAndTheOthersKeepTheirEpoch() throws Exception {
    try (TestCluster cluster = cluster(HOUR_MILLIS)) {
      TestNode n1 = first(cluster);
      TestNode n2 = cluster.start("n2");
      connect(n1, switches);
      connect(n2, switches);
      cluster.await("n1 masters all", () -> mastersAll(n1, switches));
      List<FakeSwitch> near = switches.subList(0, 10);
      List<FakeSwitch> far = switches.subList(10, SWITCHES);
      far.forEach(one -> one.disconnect("n1"));
      cluster.await("n2 masters the far ones", () -> mastersAll(n2, far));
      connect(n1, far);
      cluster.await("n1 masters the far ones", () -> mastersAll(n1, far));
      pass(cluster, 1_000);

      Map<Long, List<String>> bySwitch = new TreeMap<>();
      assigned.forEach(
          line -> {
            String[] words = line.split(" ", 2);
            bySwitch
                .computeIfAbsent(Long.parseLong(words[0]), dpid -> new ArrayList<>())
                .add(words[1]);
          });
      assertThat(bySwitch).hasSize(far.size());
      assertThat(bySwitch.values()).containsOnly(List.of("n2 2", "n1 3"));
      assertThat(epochs).as("of the domain").isEmpty();
      for (FakeSwitch one : near) {
        assertThat(one.requests).containsOnlyOnce("n1 MASTER 1");
        assertThat(n1.told.heard).doesNotContain("lost " + one.deviceId());
      }
      assertGenerationsGrow();
      assertThat(n1.status().switches()).noneMatch(NodeStatus.SwitchInfo::delegated);

      n1.stop();
      cluster.await("n2 masters all", () -> mastersAll(n2, switches));
      assertThat(n2.mastery.epoch(far.get(0).deviceId())).as("above 3").isEqualTo(4);
      for (FakeSwitch one : switches) {
        assertThat(one.requests.stream().filter(line -> line.equals("n2 MASTER 4"))).hasSize(1);
      }
      cluster.await(
          "the epochs of their own are forgotten",
          () -> n2.context.ownership().delegations().size() == 0);
      assertGenerationsGrow();
    }
  }

  @Test
  void nodeThatDiesWithTheSwitchesThatItWasJustGivenIsReplaced() throws Exception {
    try (TestCluster cluster = cluster(HOUR_MILLIS)) {
      TestNode n1 = first(cluster);
      TestNode n2 = cluster.start("n2");
      TestNode n3 = cluster.start("n3");
      connect(n1, switches);
      connect(n2, switches);
      connect(n3, switches);
      cluster.await("n1 masters all", () -> mastersAll(n1, switches));
      List<FakeSwitch> far = switches.subList(10, SWITCHES);
      far.forEach(one -> one.disconnect("n1"));
      cluster.await("they are on their way to n2", () -> !assigned.isEmpty());
      n2.stop();
      switches.forEach(one -> one.disconnect("n2"));
      cluster.await("n3 masters them", () -> mastersAll(n3, far));
      assertThat(mastersAll(n1, switches.subList(0, 10))).isTrue();
      assertThat(epochs).as("of the domain").isEmpty();
      assertGenerationsGrow();
    }
  }

  @Test
  void domainGoesBackWithTheSwitchesThatWereTakenBack() throws Exception {
    try (TestCluster cluster = cluster(300)) {
      TestNode n2 = cluster.start("n2");
      TestNode n3 = cluster.start("n3");
      connect(n2, switches);
      connect(n3, switches);
      cluster.await("n2 masters all", () -> mastersAll(n2, switches));
      List<FakeSwitch> far = switches.subList(60, SWITCHES);
      far.forEach(one -> one.disconnect("n2"));
      cluster.await("n3 masters the far ones", () -> mastersAll(n3, far));
      connect(n2, far);
      cluster.await("n2 masters all again", () -> mastersAll(n2, switches));

      TestNode n1 = first(cluster);
      connect(n1, switches);
      cluster.await("n1 masters all", () -> mastersAll(n1, switches));
      Map<Long, Integer> byEpoch = new ConcurrentHashMap<>();
      switches.forEach(one -> byEpoch.merge(n1.mastery.epoch(one.deviceId()), 1, Integer::sum));
      assertThat(byEpoch).containsExactly(Map.entry(4L, SWITCHES));
      assertThat(n1.context.ownership().delegations().size()).isZero();
      cluster.await(
          "n2 is a slave",
          () -> switches.stream().allMatch(one -> one.role("n2") == SwitchRole.SLAVE));
      assertGenerationsGrow();
    }
  }

  /** No switch was asked with a generation id below one that it had granted. */
  private void assertGenerationsGrow() {
    for (FakeSwitch one : switches) {
      long highest = 0;
      for (String request : one.requests) {
        String[] words = request.split(" ", 3);
        if (words[1].equals("MASTER")) {
          long generation = Long.parseLong(words[2]);
          assertThat(generation).as("%s", one.requests).isGreaterThanOrEqualTo(highest);
          highest = generation;
        }
      }
    }
  }
}
