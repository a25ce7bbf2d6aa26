package io.lockstep.core.noun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.ConfigurationKey;
import io.lockstep.core.app.Noun;
import io.lockstep.core.app.NounArgument;
import io.lockstep.core.app.NounInput;
import io.lockstep.core.app.Rows;
import io.lockstep.core.app.TableRange;
import io.lockstep.core.noun.NounAnswer.Reason;
import io.lockstep.core.noun.NounAnswer.Refused;
import io.lockstep.core.noun.NounAnswer.Shown;
import io.lockstep.core.packet.ApplicationFailures;
import io.lockstep.core.testing.ManualTime;
import io.lockstep.core.topology.NetworkPicture;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class NounRunnerTest {
  private static final NounArgument PORT = NounArgument.whole("port", 1, 9);
  private static final Entry ENTRY = new Entry(Bytes.utf8("k"), Bytes.utf8("v"), 1);

  private final ManualTime time = new ManualTime();

  private final AnsweringStore store = new AnsweringStore();
  private final ApplicationFailures failures = new ApplicationFailures(time::millis);
  private final List<Noun> nouns = new ArrayList<>();

  /** Tasks that no thread has begun. */
  private final Queue<Runnable> held = new ArrayDeque<>();

  private boolean hasNoThreads;

  /** Whether tasks are held; else each runs at once. */
  private boolean holds;

  /** Gives every command the same reply at once. */
  private static final class AnsweringStore implements StoreClient {
    final List<Command> asked = new ArrayList<>();
    Reply reply = new Reply.Entries(List.of(ENTRY), false);

    @Override
    public CompletableFuture<Reply> submit(Command command) {
      asked.add(command);
      return CompletableFuture.completedFuture(reply);
    }

    @Override
    public SessionState session() {
      return new SessionState(1, Long.MAX_VALUE);
    }

    @Override
    public void onSessionChange(SessionListener listener) {}

    @Override
    public void close() {}
  }

  private NounRunner runner(String... others) {
    List<AskedApplication> all = new ArrayList<>();
    ApplicationConfiguration configuration =
        ApplicationConfiguration.usual(
            List.of(new ConfigurationKey.Whole("quota", 5, 1, 9, "packets")));
    all.add(new AskedApplication("app", configuration, Set.of("apps.app"), nouns));
    for (String other : others) {
      all.add(new AskedApplication(other, configuration, Set.of(), nouns));
    }
    return new NounRunner(
        all,
        store,
        () -> NetworkPicture.UNKNOWN,
        failures,
        new NounRunner.Parts(this::execute, time, time::nanos, time::millis));
  }

  private void execute(Runnable task) {
    if (hasNoThreads) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    if (holds) {
      held.add(task);
    } else {
      task.run();
    }
  }

  private void noun(Function<NounInput, Rows> answer, NounArgument... arguments) {
    nouns.add(new Noun("noun", "a noun", List.of(arguments), given -> List.of(), answer));
  }

  private void reading(TableRange... ranges) {
    nouns.add(
        new Noun(
            "noun", "a noun", List.of(), given -> List.of(ranges), input -> Rows.of("a").build()));
  }

  private static NounAnswer ask(NounRunner runner, Map<String, String> arguments) {
    CompletableFuture<NounAnswer> answer = runner.ask("app", "noun", arguments);
    assertThat(answer).isDone();
    return answer.join();
  }

  private static Refused refused(NounAnswer answer, Reason reason) {
    assertThat(answer).isInstanceOf(Refused.class);
    Refused refused = (Refused) answer;
    assertThat(refused.reason()).as(refused.error()).isEqualTo(reason);
    assertThat(refused.remedy()).isNotBlank();
    return refused;
  }

  @Test
  void aNounSeesItsArgumentsConfigurationNetworkTablesAndTheTime() {
    List<NounInput> seen = new ArrayList<>();
    nouns.add(
        new Noun(
            "noun",
            "a noun",
            List.of(PORT),
            given ->
                List.of(TableRange.prefix("apps.app", Bytes.utf8(given.getOrDefault("port", "")))),
            input -> {
              seen.add(input);
              return Rows.of("a").add("b").build();
            }));
    NounAnswer answer = ask(runner(), Map.of("port", "7"));
    assertThat(answer)
        .isInstanceOfSatisfying(
            Shown.class,
            shown -> {
              assertThat(shown.rows().rows()).containsExactly(List.of("b"));
              assertThat(shown.isComplete()).isTrue();
            });
    assertThat(store.asked)
        .containsExactly(new Command.Scan("apps.app", Bytes.utf8("7"), Bytes.utf8("8"), 10_000));
    NounInput input = seen.get(0);
    assertThat(input.arguments()).isEqualTo(Map.of("port", "7"));
    assertThat(input.configuration().whole("quota")).isEqualTo(5);
    assertThat(input.network()).isSameAs(NetworkPicture.UNKNOWN);
    assertThat(input.wallMillis()).isEqualTo(time.millis());
    assertThat(input.tables().get(0).entries()).containsExactly(ENTRY);
    assertThat(failures.all()).isEmpty();
  }

  @Test
  void wrongInputIsRefusedWithItsRemedyAndIsNoFailure() {
    noun(input -> Rows.of("a").build(), PORT);
    NounRunner runner = runner();
    assertThat(refused(ask(runner, Map.of()), Reason.WRONG_ARGUMENTS))
        .extracting(Refused::error, Refused::remedy)
        .containsExactly("port is missing", "give a whole number from 1 to 9");
    assertThat(refused(ask(runner, Map.of("port", "10")), Reason.WRONG_ARGUMENTS).error())
        .isEqualTo("port: '10' is not allowed");
    assertThat(
            refused(ask(runner, Map.of("port", "1", "prt\u001b", "2")), Reason.WRONG_ARGUMENTS)
                .error())
        .isEqualTo("noun has no argument 'prt?'");
    assertThat(
            refused(ask(runner, Map.of("port", "1".repeat(5_000))), Reason.WRONG_ARGUMENTS).error())
        .hasSizeLessThan(120);
    assertThat(refused(runner.ask("other", "noun", Map.of()).join(), Reason.UNKNOWN).error())
        .isEqualTo("this node has no application 'other'");
    assertThat(refused(runner.ask("app", "nuon", Map.of()).join(), Reason.UNKNOWN).remedy())
        .isEqualTo("one of noun");
    assertThat(failures.all()).isEmpty();
  }

  @Test
  void aNounThatFailsIsCountedAndTheNextQuestionIsAnswered() {
    List<Throwable> thrown =
        List.of(
            new IllegalStateException("no luck"),
            new NoSuchMethodError("built for another version"),
            new StackOverflowError(),
            new OutOfMemoryError("Java heap space"));
    Queue<Throwable> next = new ArrayDeque<>(thrown);
    noun(input -> next.isEmpty() ? null : sneaky(next.remove()));
    NounRunner runner = runner();
    for (Throwable each : thrown) {
      assertThat(refused(ask(runner, Map.of()), Reason.FAILED).error())
          .startsWith("noun failed: " + each.getClass().getName());
    }
    assertThat(refused(ask(runner, Map.of()), Reason.FAILED).error()).contains("shows nothing");
    assertThat(failures.all())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.application()).isEqualTo("app");
              assertThat(one.count()).isEqualTo(5);
              assertThat(one.lastError()).startsWith("failed on the noun noun: ");
            });
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> Rows sneaky(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Test
  void aCheckOfAnArgumentThatFailsIsAFailureToo() {
    noun(
        input -> Rows.of("a").build(),
        new NounArgument(
            "x", "anything", text -> sneaky(new AssertionError("check")) == null, true));
    assertThat(refused(ask(runner(), Map.of("x", "1")), Reason.FAILED).error()).contains("check");
    assertThat(failures.all()).hasSize(1);
  }

  @Test
  void onlyTablesOfItsOwnAreReadAndNotMoreThanAllowed() {
    reading(TableRange.all("net.links"));
    assertThat(refused(ask(runner(), Map.of()), Reason.FAILED).error()).contains("'net.links'");
    nouns.clear();
    TableRange own = TableRange.all("apps.app");
    reading(own, own, own);
    assertThat(refused(ask(runner(), Map.of()), Reason.FAILED).error()).contains("2 ranges");
    assertThat(store.asked).isEmpty();
  }

  @Test
  void aStoreThatDoesNotAnswerIsNoFailureOfTheApplication() {
    reading(TableRange.all("apps.app"));
    store.reply = new Reply.Unknown("no quorum");
    assertThat(refused(ask(runner(), Map.of()), Reason.STORE).error())
        .startsWith("table apps.app was not read: ")
        .endsWith("no quorum");
    assertThat(failures.all()).isEmpty();
  }

  @Test
  void anAnswerFromATableThatIsTooLongSaysSo() {
    reading(TableRange.all("apps.app"));
    store.reply = new Reply.Entries(List.of(ENTRY), true);
    assertThat(ask(runner(), Map.of()))
        .isInstanceOfSatisfying(Shown.class, shown -> assertThat(shown.isComplete()).isFalse());
  }

  @Test
  void aNounThatShowsMoreThanMayBeIsCut() {
    noun(
        input -> {
          Rows.Builder rows = Rows.of("a");
          while (!rows.isFull()) {
            rows.add("x".repeat(100_000));
          }
          return rows.build();
        });
    assertThat(ask(runner(), Map.of()))
        .isInstanceOfSatisfying(
            Shown.class,
            shown -> {
              assertThat(shown.isComplete()).isFalse();
              assertThat(shown.rows().rows()).hasSizeBetween(1_000, 1_100);
            });
  }

  @Test
  void aLateNounIsCountedOnceAndHoldsUpOnlyItsOwnApplication() {
    holds = true;
    noun(input -> Rows.of("a").build());
    NounRunner runner = runner("other");
    CompletableFuture<NounAnswer> slow = runner.ask("app", "noun", Map.of());
    assertThat(refused(runner.ask("other", "noun", Map.of()).join(), Reason.BUSY).error())
        .isEqualTo("the node answers another question");
    time.pass(NounRunner.DEADLINE_MILLIS);
    assertThat(refused(slow.join(), Reason.LATE).error()).contains("within 10000 ms");
    assertThat(failures.all()).singleElement().satisfies(one -> assertThat(one.count()).isOne());
    assertThat(refused(runner.ask("app", "noun", Map.of()).join(), Reason.BUSY).error())
        .isEqualTo("application app has not ended noun");
    CompletableFuture<NounAnswer> other = runner.ask("other", "noun", Map.of());
    assertThat(other).isNotDone();
    held.forEach(Runnable::run);
    holds = false;
    assertThat(other.join()).isInstanceOf(Shown.class);
    assertThat(slow.join()).as("it stays late").isInstanceOf(Refused.class);
    assertThat(ask(runner, Map.of())).as("its thread came back").isInstanceOf(Shown.class);
    time.pass(2L * NounRunner.DEADLINE_MILLIS);
    assertThat(failures.all()).singleElement().satisfies(one -> assertThat(one.count()).isOne());
  }

  @Test
  void aLateNounIsInterrupted() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    noun(
        input -> {
          begun.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.countDown();
          }
          return Rows.of("a").build();
        });
    holds = true;
    NounRunner runner = runner();
    CompletableFuture<NounAnswer> slow = runner.ask("app", "noun", Map.of());
    Thread thread = new Thread(held.remove(), "noun");
    thread.start();
    begun.await();
    time.pass(NounRunner.DEADLINE_MILLIS);
    assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
    thread.join();
    refused(slow.join(), Reason.LATE);
  }

  @Test
  void aNodeWithoutAThreadRefusesTheQuestionAndAnswersTheNextOne() {
    noun(input -> Rows.of("a").build());
    NounRunner runner = runner();
    hasNoThreads = true;
    assertThat(refused(ask(runner, Map.of()), Reason.BUSY).error()).contains("native thread");
    hasNoThreads = false;
    assertThat(ask(runner, Map.of())).isInstanceOf(Shown.class);
    time.pass(2L * NounRunner.DEADLINE_MILLIS);
    assertThat(failures.all()).isEmpty();
  }

  @Test
  void nounsOfOneApplicationHaveNamesOfTheirOwn() {
    noun(input -> Rows.of("a").build());
    noun(input -> Rows.of("a").build());
    assertThatThrownBy(() -> AskedApplication.requireDistinct(nouns))
        .hasMessage("the noun 'noun' is declared twice");
  }
}
