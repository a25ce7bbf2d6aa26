package io.lockstep.apps.loadbalancer.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OrderCheckTest {
  private static final Map<String, Integer> WEIGHTS = Map.of("m1", 2, "m2", 1);
  private static final IngressPort INGRESS = new IngressPort(1, 1);

  private static ConnectionRecord at(long place, String member) {
    return new ConnectionRecord(member, 1, 1, 1, 7, place, 0, INGRESS);
  }

  private static OrderCheck check(ConnectionRecord... records) {
    return OrderCheck.of(List.of(records), WEIGHTS);
  }

  @Test
  void whatTheStoreTookIsExactInEachEpoch() {
    BalancerStore store = new BalancerStore().withWeb(2, 1);
    for (int port = 1; port <= 31; port++) {
      store.take(1, port);
      if (port == 17) {
        store.done(BalancerCommands.put(BalancerStore.member(3, 3, Member.State.ENABLED), -1));
      }
    }
    List<ConnectionRecord> records = new ArrayList<>();
    for (Entry entry : store.entries(BalancerTables.CONNECTIONS)) {
      records.add(ConnectionRecord.of(entry.value()));
    }
    assertThat(OrderCheck.of(records, Map.of("m1", 2, "m2", 1, "m3", 3)))
        .isEqualTo(new OrderCheck(2, 0, List.of()));
  }

  @Test
  void aMemberThatHasMoreThanItsShareIsNamed() {
    assertThat(check(at(1, "m1"), at(2, "m2"), at(3, "m1")).wrong()).isEmpty();
    assertThat(check(at(1, "m1"), at(2, "m2"), at(3, "m2")).wrong())
        .containsExactly("m2 has 2 of the 3 places up to 3 of epoch 7");
    assertThat(check(at(1, "m2"), at(2, "m1"), at(3, "m1"), at(4, "m1")).wrong()).hasSize(1);
  }

  @Test
  void missingAndDoubledPlacesAreSeen() {
    OrderCheck missing = check(at(1, "m1"), at(4, "m1"), at(5, "m2"));
    assertThat(missing.missing()).isEqualTo(2);
    assertThat(missing.wrong()).isEmpty();
    assertThat(check(at(1, "m1"), at(1, "m2")).wrong())
        .contains("place 1 of epoch 7 is there twice");
    ConnectionRecord later = new ConnectionRecord("m1", 1, 1, 1, 8, 2, 0, INGRESS);
    assertThat(check(at(1, "m1"), at(2, "m2"), later).wrong())
        .containsExactly("epoch 8 begins before the end of the one before");
  }
}
