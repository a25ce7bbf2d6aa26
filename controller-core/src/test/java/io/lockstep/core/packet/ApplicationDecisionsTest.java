package io.lockstep.core.packet;

import static io.lockstep.core.packet.Frames.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ApplicationDecisionsTest extends PacketDispatcherFixture {

  @Test
  void whatAnApplicationDecidesIsCountedUnderItsName() {
    new App("passes", packet -> Decision.PASS);
    new App("watches", packet -> Decision.act().thenPass());
    new App("asks", packet -> new Decision.Ask(ASKED, reply -> forward(2)));
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(dispatcher.decisions().all())
        .containsExactly(entry("asks", 0L), entry("passes", 0L), entry("watches", 1L));
    store.answer(FOUND);
    assertThat(dispatcher.decisions().all()).containsEntry("asks", 1L);
  }

  @Test
  void whatBreaksTheContractIsAFailureAndNoDecision() {
    new App("sends", packet -> Decision.act(new Instruction.Flood()).thenPass());
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(failures.all()).extracting(one -> one.application()).containsExactly("sends");
    assertThat(dispatcher.decisions().all()).containsExactly(entry("sends", 0L));
  }

  @Test
  void oneThatThrowsDecidesNothing() {
    new App("throws", packet -> explode());
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(failures.all()).extracting(one -> one.application()).containsExactly("throws");
    assertThat(dispatcher.decisions().all()).containsExactly(entry("throws", 0L));
  }

  private static Decision explode() {
    throw new IllegalStateException("broken");
  }

  @Test
  void namesBeyondTheBoundShareOneEntry() {
    List<String> names =
        IntStream.range(0, ApplicationDecisions.MAX_NAMES + 2).mapToObj(i -> "app-" + i).toList();
    ApplicationDecisions decisions = new ApplicationDecisions(names);
    names.forEach(name -> decisions.count(name, List.of()));
    assertThat(decisions.all())
        .hasSize(ApplicationDecisions.MAX_NAMES + 1)
        .containsEntry("app-0", 1L)
        .containsEntry(ApplicationFailures.OTHERS, 2L);
  }

  @Test
  void whatAnApplicationCountsIsBounded() {
    ApplicationDecisions decisions = new ApplicationDecisions(List.of("one", "two"));
    decisions.count("one", List.of("taken", "taken", "kept"));
    decisions.count("stranger", List.of("taken"));
    assertThat(decisions.events())
        .containsOnlyKeys("one")
        .containsEntry("one", Map.of("taken", 2L, "kept", 1L));
    for (int i = 0; i < 2 * Instruction.Count.MOST; i++) {
      decisions.count("two", List.of("event_" + i));
    }
    assertThat(decisions.events().get("two"))
        .hasSize(Instruction.Count.MOST + 1)
        .containsEntry("other", (long) Instruction.Count.MOST);
  }
}
