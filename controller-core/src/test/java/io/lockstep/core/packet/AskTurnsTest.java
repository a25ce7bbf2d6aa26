package io.lockstep.core.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Freshness;
import io.lockstep.core.packet.AskTurns.Kind;
import io.lockstep.core.recording.StoreTraffic;
import io.lockstep.core.testing.ScriptedStore;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AskTurnsTest {
  private static final Reply DONE = new Reply.Found(Bytes.empty(), 1);

  private final ScriptedStore store = new ScriptedStore();
  private final AskTurns turns = turns(store);
  private final List<String> answered = new ArrayList<>();

  private static AskTurns turns(StoreClient store) {
    return new AskTurns(store, new CachedQuestions(store, () -> 1, Map.of()), new StoreTraffic());
  }

  private static Decision.Ask question(String key) {
    return new Decision.Ask(new Command.Get("t", Bytes.utf8(key)), reply -> Decision.DROP);
  }

  private AskTurns.Line line() {
    return turns.line(Runnable::run);
  }

  private void ask(AskTurns.Line line, Kind kind, String name) {
    turns.ask(
        line,
        kind,
        question(name),
        null,
        0,
        reply -> {
          turns.forget(line, 0);
          answered.add(name);
        });
  }

  private void fill(AskTurns.Line line, int questions) {
    for (int i = 0; i < questions; i++) {
      ask(line, Kind.UNICAST, "flood");
    }
  }

  /** Answers all that was asked; the first answers are those of the flood. */
  private List<String> answers(int count) {
    for (int i = 0; i < count; i++) {
      store.answer(DONE);
    }
    return answered;
  }

  @Test
  void theStoreHasABoundedNumberAtOnce() {
    AskTurns.Line greedy = line();
    fill(greedy, 3 * AskTurns.AT_STORE);
    assertThat(store.asked).hasSize(AskTurns.AT_STORE);
    answers(10);
    assertThat(store.asked).hasSize(AskTurns.AT_STORE);
    answers(3 * AskTurns.AT_STORE - 10);
    assertThat(store.asked).isEmpty();
    assertThat(answered).hasSize(3 * AskTurns.AT_STORE);
  }

  @Test
  void switchThatAsksLittleHasTheNextTurn() {
    fill(line(), 2 * AskTurns.AT_STORE);
    fill(line(), 2 * AskTurns.AT_STORE);
    ask(line(), Kind.UNICAST, "quiet");
    Command quiet = new Command.Get("t", Bytes.utf8("quiet"));
    answers(2 * AskTurns.IN_A_TURN);
    assertThat(store.asked).noneMatch(asked -> asked.command().equals(quiet));
    answers(1);
    assertThat(store.asked).anyMatch(asked -> asked.command().equals(quiet));
  }

  @Test
  void eventsComeFirstAndGroupsHaveEveryFourthTurn() {
    AskTurns.Line line = line();
    fill(line, AskTurns.AT_STORE);
    for (int i = 0; i < 6; i++) {
      ask(line, Kind.UNICAST, "flow");
      ask(line, Kind.GROUP, "group");
    }
    ask(line, Kind.EVENT, "event");
    answers(AskTurns.AT_STORE);
    answered.clear();
    assertThat(answers(13))
        .containsExactly(
            "event", "flow", "flow", "flow", "group", "flow", "flow", "flow", "group", "group",
            "group", "group", "group");
  }

  @Test
  void bytesAreBoundedAndASwitchHasAsManyAsItLeavesFree() {
    AskTurns.Line greedy = line();
    int frame = 60_000;
    int held = 0;
    while (!turns.isFull(greedy, frame)) {
      turns.ask(greedy, Kind.UNICAST, question("k"), null, frame, reply -> {});
      held++;
    }
    long each = (long) frame + AskTurns.OVERHEAD_BYTES;
    assertThat(held * each).isBetween(AskTurns.MAX_BYTES / 2 - each, AskTurns.MAX_BYTES / 2 + each);
    assertThat(turns.isFull(line(), frame)).isFalse();
    for (int i = 0; i < held; i++) {
      turns.forget(greedy, frame);
    }
    assertThat(turns.isFull(greedy, frame)).isFalse();
  }

  @Test
  void whatALostSwitchStillWantedIsNotAsked() {
    AskTurns.Line lost = line();
    fill(line(), AskTurns.AT_STORE);
    fill(lost, 5);
    assertThat(turns.drop(lost)).isEqualTo(5);
    answers(AskTurns.AT_STORE);
    assertThat(store.asked).isEmpty();
    assertThat(answered).hasSize(AskTurns.AT_STORE);
    assertThat(turns.drop(lost)).isZero();
  }

  private void askFresh(AskTurns.Line line, Command command, Freshness freshness) {
    turns.ask(
        line,
        Kind.UNICAST,
        new Decision.Ask(command, freshness, reply -> Decision.DROP),
        null,
        0,
        reply -> {
          turns.forget(line, 0);
          answered.add(reply.getClass().getSimpleName());
        });
  }

  @Test
  void whatIsFreshEnoughIsNotAskedAgain() {
    AskTurns.Line line = line();
    Command read = new Command.Get("t", Bytes.utf8("k"));
    askFresh(line, read, Freshness.within(100));
    store.answer(DONE);
    askFresh(line(), read, Freshness.within(100));
    assertThat(store.asked).as("any switch may have it from the cache").isEmpty();
    askFresh(line, read, Freshness.EXACT);
    assertThat(store.asked).as("the usual question goes to the store").hasSize(1);
    store.answer(DONE);
    askFresh(line, read, Freshness.within(0));
    assertThat(store.asked).hasSize(1);
    store.answer(DONE);
    assertThat(answered).containsExactly("Found", "Found", "Found", "Found");
  }

  /** A line stands for one mastership: what another one learned is not exact in it. */
  @Test
  void whatTheMasterAloneWritesIsExactInItsOwnLine() {
    AskTurns.Line line = line();
    Command.Put put = new Command.Put("t", Bytes.utf8("k"), Bytes.utf8("port"));
    Command get = new Command.Get("t", Bytes.utf8("k"));
    askFresh(line, put, Freshness.OWN);
    store.answer(new Reply.Applied(5));
    askFresh(line, put, Freshness.OWN);
    askFresh(line, get, Freshness.OWN);
    assertThat(store.asked).isEmpty();
    assertThat(answered).containsExactly("Applied", "Applied", "Found");
    askFresh(line(), get, Freshness.OWN);
    assertThat(store.asked).as("another mastership").hasSize(1);
  }

  @Test
  void onlyWhatACacheCanAnswerMayBeOld() {
    Command call = new Command.Call("c", Bytes.empty());
    assertThatThrownBy(() -> new Decision.Ask(call, Freshness.OWN, reply -> Decision.DROP))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Decision.Ask(call, Freshness.within(1), reply -> Decision.DROP))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Freshness.within(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(new Decision.Ask(call, reply -> Decision.DROP).freshness().isExact()).isTrue();
  }

  /** The client rejects at once where its queue is full: no recursion, however many wait. */
  @Test
  void answersThatComeAtOnceNeedNoStack() {
    AskTurns rejecting =
        turns(
            new Rejecting() {
              @Override
              public CompletableFuture<Reply> submit(Command command) {
                return CompletableFuture.completedFuture(
                    new Reply.Rejected(Reply.Reason.NOT_SENT, "full"));
              }
            });
    AskTurns.Line line = rejecting.line(Runnable::run);
    int[] left = {100_000};
    askAgain(rejecting, line, left);
    assertThat(left[0]).isZero();
  }

  private static void askAgain(AskTurns rejecting, AskTurns.Line line, int[] left) {
    rejecting.ask(
        line,
        Kind.UNICAST,
        question("k"),
        null,
        0,
        reply -> {
          if (--left[0] > 0) {
            askAgain(rejecting, line, left);
          }
        });
  }

  private abstract static class Rejecting implements StoreClient {
    @Override
    public SessionState session() {
      return new SessionState(1, Long.MAX_VALUE);
    }

    @Override
    public void onSessionChange(SessionListener listener) {}

    @Override
    public void close() {}
  }
}
