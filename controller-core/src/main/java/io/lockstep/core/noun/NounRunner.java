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
import io.lockstep.core.state.ErrorLine;
import io.lockstep.core.state.ReplyWords;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.logging.LogLimit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers questions to nouns, one at a time, since each holds what it read and what it shows in
 * memory. What the application brings runs on a thread beside the node's own. A question without an
 * answer after {@link #DEADLINE_MILLIS} is answered as late, and the next one may be asked. Its
 * application is asked nothing until that thread has come back; where it never does, only the
 * application's own nouns are lost. Thread-safe.
 */
public final class NounRunner {
  /** From the question to the answer, reads of the store included. */
  public static final int DEADLINE_MILLIS = 10_000;

  /** The store's part of it. */
  static final int STORE_MILLIS = 5_000;

  private static final Logger log = LoggerFactory.getLogger(NounRunner.class);

  private final Map<String, AskedApplication> applications = new HashMap<>();
  private final StoreClient store;
  private final Supplier<? extends NetworkView> network;
  private final ApplicationFailures failures;
  private final Parts parts;
  private final LogLimit failureLog;

  /** The questions whose threads have not come back, by application. Guarded by itself. */
  private final Map<String, Question> running = new HashMap<>();

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
    this.store = store;
    this.network = network;
    this.failures = failures;
    this.parts = parts;
    this.failureLog = new LogLimit(parts.nanoTime());
  }

  /** A question on its way. */
  private static final class Question {
    final AskedApplication application;
    final Noun noun;
    final Map<String, String> arguments;
    final CompletableFuture<NounAnswer> answer = new CompletableFuture<>();

    /** Whoever sets it counts what is to be counted, and then answers. */
    final AtomicBoolean isSettled = new AtomicBoolean();

    /** Null until the thread runs, and when it has come back. */
    volatile @Nullable Thread thread;

    Question(AskedApplication application, Noun noun, Map<String, String> arguments) {
      this.application = application;
      this.noun = noun;
      this.arguments = Map.copyOf(arguments);
    }
  }

  /** The store did not answer, which is no failure of the application. */
  private static final class NoAnswer extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Refused refused;

    NoAnswer(String why) {
      super(why);
      refused = new Refused(Reason.STORE, why, "see ./lockstep status");
    }
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
          Reason.UNKNOWN,
          "this node has no application '" + NounArguments.shown(application) + "'",
          "see ./lockstep app");
    }
    Noun found =
        asked.nouns().stream().filter(one -> one.name().equals(noun)).findFirst().orElse(null);
    if (found == null) {
      return refused(
          Reason.UNKNOWN,
          "application " + application + " has no noun '" + NounArguments.shown(noun) + "'",
          asked.nouns().isEmpty() ? "it has none" : "one of " + names(asked.nouns()));
    }
    Question question = new Question(asked, found, arguments);
    Refused busy = busy(question);
    if (busy != null) {
      return CompletableFuture.completedFuture(busy);
    }
    try {
      parts.threads().execute(() -> run(question));
      parts.alarm().after(DEADLINE_MILLIS, () -> late(question));
    } catch (RuntimeException | OutOfMemoryError e) {
      notBegun(question, e);
    }
    return question.answer;
  }

  /** Begins the question, or says why it has to wait. */
  private @Nullable Refused busy(Question question) {
    synchronized (running) {
      for (Question other : running.values()) {
        boolean isLate = other.isSettled.get();
        if (isLate && other.application.equals(question.application)) {
          return new Refused(
              Reason.BUSY,
              "application " + other.application.name() + " has not ended " + other.noun.name(),
              "ask another node; where it never ends, start this node anew");
        } else if (!isLate) {
          return new Refused(Reason.BUSY, "the node answers another question", "try again");
        }
      }
      running.put(question.application.name(), question);
      return null;
    }
  }

  /**
   * The process stops, or has no room for another thread; where one runs, its answer is dropped.
   */
  private void notBegun(Question question, Throwable cause) {
    if (question.isSettled.compareAndSet(false, true)) {
      synchronized (running) {
        running.remove(question.application.name());
      }
      question.answer.complete(
          new Refused(Reason.BUSY, "no thread for it: " + ErrorLine.of(cause), "try again"));
    }
  }

  private static String names(List<Noun> nouns) {
    return String.join(", ", nouns.stream().map(Noun::name).toList());
  }

  private static CompletableFuture<NounAnswer> refused(Reason why, String error, String remedy) {
    return CompletableFuture.completedFuture(new Refused(why, error, remedy));
  }

  private void late(Question question) {
    if (!question.isSettled.compareAndSet(false, true)) {
      return;
    }
    failed(question, "did not answer in time to " + question.noun.name(), null);
    question.answer.complete(
        new Refused(
            Reason.LATE,
            question.noun.name() + " did not answer within " + DEADLINE_MILLIS + " ms",
            "see ./lockstep status and the node's log; another node may answer"));
    Thread thread = question.thread;
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** On the question's own thread. */
  private void run(Question question) {
    question.thread = Thread.currentThread();
    NounAnswer answer;
    Throwable thrown = null;
    try {
      answer = answer(question);
    } catch (NoAnswer e) {
      answer = e.refused;
    } catch (Throwable e) {
      // Also where memory ran out: all that this thread filled is free again, and nothing of the
      // node runs on it.
      thrown = e;
      answer =
          new Refused(
              Reason.FAILED,
              question.noun.name() + " failed: " + ErrorLine.of(e),
              "pass the trace in the node's log on to the author of the application");
    }
    boolean isLate = !question.isSettled.compareAndSet(false, true);
    // Whoever has the answer may ask the next question.
    synchronized (running) {
      question.thread = null;
      running.remove(question.application.name());
    }
    if (isLate) {
      return;
    }
    if (thrown != null) {
      failed(question, "failed on the noun " + question.noun.name(), thrown);
    }
    question.answer.complete(answer);
  }

  private void failed(Question question, String what, @Nullable Throwable thrown) {
    String name = question.application.name();
    failures.count(name, what, thrown);
    String more = failureLog.admit(name);
    if (more != null) {
      log.error("application {} {}{}", name, what, more, thrown);
    }
  }

  private NounAnswer answer(Question question) throws NoAnswer, InterruptedException {
    Noun noun = question.noun;
    Refused wrong = NounArguments.check(noun, question.arguments);
    if (wrong != null) {
      return wrong;
    }
    List<TableSnapshot> tables = read(ranges(question));
    Rows rows =
        noun.answer()
            .apply(
                new NounInput(
                    question.arguments,
                    question.application.configuration(),
                    network.get(),
                    tables,
                    parts.wallMillis().getAsLong()));
    if (rows == null) {
      throw new IllegalStateException("shows nothing, not even no rows");
    }
    boolean isComplete = !rows.isCut() && tables.stream().allMatch(TableSnapshot::isComplete);
    return new NounAnswer.Shown(rows, isComplete);
  }

  private static List<TableRange> ranges(Question question) {
    List<TableRange> ranges = List.copyOf(question.noun.reads().apply(question.arguments));
    if (ranges.size() > Noun.MAX_RANGES) {
      throw new IllegalStateException("reads more than " + Noun.MAX_RANGES + " ranges");
    }
    for (TableRange range : ranges) {
      if (!question.application.tables().contains(range.table())) {
        throw new IllegalStateException("reads the table '" + range.table() + "', not its own");
      }
    }
    return ranges;
  }

  private List<TableSnapshot> read(List<TableRange> ranges) throws NoAnswer, InterruptedException {
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (TableRange range : ranges) {
      replies.add(
          store.submit(
              new Command.Scan(
                  range.table(), range.from(), range.to(), TableSnapshot.MAX_ENTRIES)));
    }
    try {
      CompletableFuture.allOf(replies.toArray(CompletableFuture<?>[]::new))
          .get(STORE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new NoAnswer("the store did not answer within " + STORE_MILLIS + " ms");
    } catch (ExecutionException e) {
      throw new IllegalStateException("a reply is a value, never a failure", e);
    }
    List<TableSnapshot> tables = new ArrayList<>();
    for (int i = 0; i < replies.size(); i++) {
      Reply reply = replies.get(i).join();
      if (!(reply instanceof Reply.Entries entries)) {
        String table = ranges.get(i).table();
        throw new NoAnswer("table " + table + " was not read: " + words(reply));
      }
      tables.add(new TableSnapshot(ranges.get(i), entries.entries(), !entries.more()));
    }
    return tables;
  }

  /** A read has no effect, so what the store says of one is all that matters. */
  private static String words(Reply reply) {
    return reply instanceof Reply.Unknown unknown ? unknown.message() : ReplyWords.of(reply);
  }
}
