package io.lockstep.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.mastership.Fence;
import io.lockstep.core.mastership.GatheredCalls;
import io.lockstep.core.mastership.WriteBounds;
import io.lockstep.core.state.InputCounters;
import io.lockstep.core.testing.ScriptedStore;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class HostWriterTest {
  private static final SwitchPort PLACE = new SwitchPort(1, 1);

  private final ScriptedStore store = new ScriptedStore();
  private final HostWriter writer =
      HostWriter.through(
          store,
          device -> device.equals(PLACE.deviceId()) ? new Fence("east", 1) : null,
          new WriteBounds(new InputCounters()));

  private CompletableFuture<HostOutcome> see(long host) {
    return writer.change(
        PLACE.deviceId(), new HostChange.See(HostSighting.of(new HostKey(host, -1), PLACE)));
  }

  private static Reply returned(HostOutcome... outcomes) {
    return new Reply.Returned(ChangeHosts.COMPONENT.result().encode(List.of(outcomes)));
  }

  /** How many changes each operation on its way has. */
  private List<Integer> sent() {
    return store.asked.stream()
        .map(
            asked ->
                ChangeHosts.COMPONENT
                    .argument()
                    .decode(((Command.Call) asked.command()).argument())
                    .size())
        .toList();
  }

  @Test
  void newHostTakesOneOperationAndManyShareOne() {
    List<CompletableFuture<HostOutcome>> outcomes = new ArrayList<>();
    for (int i = 0; i < 14; i++) {
      outcomes.add(see(i + 1));
    }
    assertThat(sent()).containsExactly(1, 1, 1, 1);
    store.answer(returned(HostOutcome.DONE));
    assertThat(sent()).containsExactly(1, 1, 1, 10);
    HostOutcome[] each = Collections.nCopies(10, HostOutcome.DONE).toArray(HostOutcome[]::new);
    each[3] = HostOutcome.FULL;
    store.asked.get(3).reply().complete(returned(each));
    assertThat(outcomes.get(4).join()).isEqualTo(HostOutcome.DONE);
    assertThat(outcomes.get(7).join()).isEqualTo(HostOutcome.FULL);
  }

  @Test
  void operationIsBoundedByTheHostsThatItsChangesConcern() {
    CompletableFuture<HostOutcome> unused = see(1);
    for (int i = 1; i < GatheredCalls.MAX_ON_THEIR_WAY; i++) {
      unused = see(i + 1);
    }
    List<HostKey> most = new ArrayList<>();
    for (int i = 0; i < HostChange.MAX_HOSTS; i++) {
      most.add(new HostKey(i, -1));
    }
    unused = see(7);
    unused = writer.change(PLACE.deviceId(), new HostChange.Expire(PLACE, most));
    unused = see(8);
    assertThat(unused).isNotDone();
    for (int i = 0; i < 3; i++) {
      store.answer(returned(HostOutcome.DONE));
    }
    assertThat(sent()).containsExactly(1, 1, 1, 1);
    assertThat(((Command.Call) store.asked.get(2).command()).argument().length())
        .isGreaterThan(HostChange.MAX_HOSTS * HostEntityTable.KEY_BYTES);
  }

  @Test
  void outcomesThatTheStoreDoesNotSayAreTold() {
    CompletableFuture<HostOutcome> rejected = see(1);
    store.answer(new Reply.Rejected(Reply.Reason.NO_ROOM, "full"));
    assertThat(rejected.join()).isEqualTo(HostOutcome.REJECTED);
    CompletableFuture<HostOutcome> unknown = see(1);
    store.answer(new Reply.Unknown("late"));
    assertThat(unknown.join()).isEqualTo(HostOutcome.UNKNOWN);
    CompletableFuture<HostOutcome> failed = see(1);
    store.asked.remove(0).reply().completeExceptionally(new IllegalStateException("closed"));
    assertThat(failed.join()).isEqualTo(HostOutcome.UNKNOWN);
    SwitchPort elsewhere = new SwitchPort(2, 1);
    HostChange there = new HostChange.See(HostSighting.of(new HostKey(1, -1), elsewhere));
    assertThat(writer.change(elsewhere.deviceId(), there).join()).isEqualTo(HostOutcome.FENCED);
    assertThat(store.asked).isEmpty();
  }

  @Test
  void changesOfAnOperationWithoutRoomGoOneByOne() {
    List<CompletableFuture<HostOutcome>> outcomes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      outcomes.add(see(i + 1));
    }
    store.answer(returned(HostOutcome.DONE));
    store.asked.get(3).reply().complete(new Reply.Rejected(Reply.Reason.NO_ROOM, "full"));
    assertThat(sent().subList(4, 6)).containsExactly(1, 1);
    store.asked.get(4).reply().complete(returned(HostOutcome.DONE));
    assertThat(outcomes.get(4).join()).isEqualTo(HostOutcome.DONE);
    assertThat(outcomes.get(5)).isNotDone();
  }
}
