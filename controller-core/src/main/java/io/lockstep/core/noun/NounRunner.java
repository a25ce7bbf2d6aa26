package io.lockstep.core.noun;

import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.Noun;
import io.lockstep.core.app.NounInput;
import io.lockstep.core.app.Rows;
import io.lockstep.core.app.TableRange;
import io.lockstep.core.app.TableSnapshot;
import io.lockstep.core.noun.NounAnswer.Reason;
import io.lockstep.core.noun.NounAnswer.Refused;
import io.lockstep.core.packet.ApplicationFailures;
import io.lockstep.core.state.Alarm;
import io.lockstep.store.StoreClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Answers questions to nouns: checks what was asked, reads the store, and calls the application
 * ({@link ApplicationCalls}). Thread-safe.
 */
public final class NounRunner {
  /** From the question to the answer, reads of the store included. */
  public static final int DEADLINE_MILLIS = 10_000;

  private final Map<String, AskedApplication> applications = new HashMap<>();
  private final StoreAnswers store;
  private final Supplier<? extends NetworkView> network;
  private final Parts parts;
  private final ApplicationCalls calls;

  /**
   * What moves.
   *
   * @param threads runs each task at once, on a thread of its own
   * @param alarm ends questions that are late; any thread
   * @param nanoTime a monotone clock
   * @param wallMillis milliseconds since 1970
   */
  public record Parts(
      Executor threads, Alarm alarm, LongSupplier nanoTime, LongSupplier wallMillis) {}

  /**
   * A runner for the nouns of these applications.
   *
   * @param failures counts nouns that throw, are late or break their contract
   */
  public NounRunner(
      List<AskedApplication> applications,
      StoreClient store,
      Supplier<? extends NetworkView> network,
      ApplicationFailures failures,
      Parts parts) {
    applications.forEach(one -> this.applications.put(one.name(), one));
    this.store = new StoreAnswers(store);
    this.network = network;
    this.parts = parts;
    this.calls = new ApplicationCalls("noun", 0, failures, parts);
  }

  /**
   * Asks a noun. Does not block.
   *
   * @param arguments by name
   * @return completes within {@link #DEADLINE_MILLIS}, on any thread, and always normally
   */
  public CompletableFuture<NounAnswer> ask(
      String application, String noun, Map<String, String> arguments) {
    AskedApplication asked = applications.get(application);
    if (asked == null) {
      return refused(
          "this node has no application '" + NounArguments.shown(application) + "'",
          "see ./lockstep app");
    }
    Noun found =
        asked.nouns().stream().filter(one -> one.name().equals(noun)).findFirst().orElse(null);
    if (found == null) {
      return refused(
          "application " + application + " has no noun '" + NounArguments.shown(noun) + "'",
          asked.nouns().isEmpty() ? "it has none" : "one of " + names(asked.nouns()));
    }
    Map<String, String> given = Map.copyOf(arguments);
    return calls.call(application, noun, () -> answer(asked, found, given), refused -> refused);
  }

  private static String names(List<Noun> nouns) {
    return String.join(", ", nouns.stream().map(Noun::name).toList());
  }

  private static CompletableFuture<NounAnswer> refused(String error, String remedy) {
    return CompletableFuture.completedFuture(new Refused(Reason.UNKNOWN, error, remedy));
  }

  private NounAnswer answer(AskedApplication asked, Noun noun, Map<String, String> arguments)
      throws NoAnswer, InterruptedException {
    Refused wrong = NounArguments.check(noun, arguments);
    if (wrong != null) {
      return wrong;
    }
    List<TableRange> ranges = List.copyOf(noun.reads().apply(arguments));
    List<TableSnapshot> tables = store.read(asked, ranges, Noun.MAX_RANGES);
    Rows rows =
        noun.answer()
            .apply(
                new NounInput(
                    arguments,
                    asked.configuration(),
                    network.get(),
                    tables,
                    parts.wallMillis().getAsLong()));
    if (rows == null) {
      throw new IllegalStateException("shows nothing, not even no rows");
    }
    boolean isComplete = !rows.isCut() && tables.stream().allMatch(TableSnapshot::isComplete);
    return new NounAnswer.Shown(rows, isComplete);
  }
}
