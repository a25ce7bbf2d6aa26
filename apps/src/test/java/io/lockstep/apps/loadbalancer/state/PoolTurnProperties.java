package io.lockstep.apps.loadbalancer.state;

import static io.lockstep.apps.loadbalancer.state.BalancerStore.connection;
import static io.lockstep.apps.loadbalancer.state.BalancerStore.member;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.loadbalancer.state.ConnectionAnswer.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * The order of takes: sorted by place, and between two changes of members, states or weights, each
 * window of the sum of weights holds each member exactly its weight times.
 */
class PoolTurnProperties {

  @Property(tries = 200)
  void eachWindowHoldsEachMemberItsWeightTimes(
      @ForAll @Size(min = 1, max = 8) List<@IntRange(min = 1, max = 9) Integer> weights) {
    BalancerStore store =
        new BalancerStore().withWeb(weights.stream().mapToInt(Integer::intValue).toArray());
    int sum = weights.stream().mapToInt(Integer::intValue).sum();
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 3 * sum; i++) {
      order.add(BalancerStore.memberOf(store.take(i / 60_000, 1 + i)));
    }
    for (int from = 0; from + sum <= order.size(); from++) {
      int[] times = new int[weights.size() + 1];
      order.subList(from, from + sum).forEach(member -> times[member]++);
      for (int i = 0; i < weights.size(); i++) {
        assertThat(times[i + 1]).as("window from %d", from).isEqualTo(weights.get(i));
      }
    }
  }

  /** A smooth order never gives a member more than its share and one, from the start on. */
  @Property(tries = 100)
  void theOrderIsSmooth(
      @ForAll @Size(min = 2, max = 6) List<@IntRange(min = 1, max = 5) Integer> weights) {
    BalancerStore store =
        new BalancerStore().withWeb(weights.stream().mapToInt(Integer::intValue).toArray());
    int sum = weights.stream().mapToInt(Integer::intValue).sum();
    int[] times = new int[weights.size()];
    for (int i = 1; i <= sum; i++) {
      times[BalancerStore.memberOf(store.take(1, i)) - 1]++;
      for (int each = 0; each < times.length; each++) {
        double share = (double) i * weights.get(each) / sum;
        assertThat(times[each]).isBetween((int) Math.floor(share) - 1, (int) Math.ceil(share) + 1);
      }
    }
  }

  /** Random takes, repeats, changes and reports; then the records alone show the order. */
  @Property(tries = 150)
  void whateverChangesTheOrderIsExactBetweenChanges(@ForAll long seed) {
    Random random = new Random(seed);
    BalancerStore store = new BalancerStore().withWeb(2, 1, 3);
    Map<Long, Map<Integer, Integer>> weightsOf = new HashMap<>();
    Map<Long, Connection> byPlace = new HashMap<>();
    Map<ConnectionKey, Connection> owners = new HashMap<>();
    int[] weights = {0, 2, 1, 3, 0, 0};
    boolean[] down = new boolean[weights.length];
    for (int step = 0; step < 300; step++) {
      int number = 1 + random.nextInt(weights.length - 1);
      int what = random.nextInt(40);
      if (what == 0) {
        weights[number] = 1 + random.nextInt(4);
        store.done(BalancerCommands.put(member(number, weights[number], Member.State.ENABLED), -1));
      } else if (what == 1 && weights[number] > 0) {
        weights[number] = 0;
        down[number] = false;
        store.done(BalancerCommands.removeMember("m" + number, -1));
      } else if (what == 2 && weights[number] > 0) {
        down[number] = random.nextBoolean();
        store.run(ReportHealth.command(member(number, 1, Member.State.ENABLED), down[number]));
      } else {
        ConnectionKey key = connection(random.nextInt(4), 1 + random.nextInt(200));
        ConnectionAnswer answer = store.take(key, true);
        if (answer.status() == ConnectionAnswer.Status.TAKEN) {
          Connection taken = Objects.requireNonNull(answer.connection());
          assertThat(byPlace.put(taken.place(), taken)).as("one place, one take").isNull();
          owners.put(key, taken);
          weightsOf.putIfAbsent(taken.epoch(), present(weights, down));
        } else if (answer.status() == ConnectionAnswer.Status.KEPT) {
          assertThat(answer.connection()).isEqualTo(owners.get(key));
        }
      }
    }
    assertThat(byPlace.keySet()).as("places without gaps").hasSize(largest(byPlace.keySet()));
    checkEpochs(byPlace, weightsOf);
  }

  private static Map<Integer, Integer> present(int[] weights, boolean[] down) {
    Map<Integer, Integer> present = new HashMap<>();
    for (int i = 1; i < weights.length; i++) {
      if (weights[i] > 0 && !down[i]) {
        present.put(i, weights[i]);
      }
    }
    return present;
  }

  private static int largest(Set<Long> places) {
    return (int) places.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  private static void checkEpochs(
      Map<Long, Connection> byPlace, Map<Long, Map<Integer, Integer>> weightsOf) {
    Map<Long, List<Integer>> orders = new HashMap<>();
    byPlace.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            each ->
                orders
                    .computeIfAbsent(each.getValue().epoch(), epoch -> new ArrayList<>())
                    .add(each.getValue().ip() & 0xff));
    Set<Long> seen = new HashSet<>();
    orders.forEach(
        (epoch, order) -> {
          seen.add(epoch);
          Map<Integer, Integer> weights = Objects.requireNonNull(weightsOf.get(epoch));
          int sum = weights.values().stream().mapToInt(Integer::intValue).sum();
          for (int from = 0; from + sum <= order.size(); from++) {
            Map<Integer, Integer> times = new HashMap<>();
            order.subList(from, from + sum).forEach(m -> times.merge(m, 1, Integer::sum));
            assertThat(times).as("epoch %d", epoch).isEqualTo(weights);
          }
        });
    assertThat(seen).isNotEmpty();
  }
}
