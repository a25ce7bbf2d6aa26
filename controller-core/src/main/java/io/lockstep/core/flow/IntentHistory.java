package io.lockstep.core.flow;

import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Looks for intentions in the history of their table. All that is asked while one walk is under way
 * shares the next, so many lost answers cost one walk. Thread-safe.
 */
final class IntentHistory {
  /** Changes that are read at a time. */
  private static final int PAGE = 1_000;

  private final StoreClient store;

  // Guarded by this.
  private List<Asked> waiting = new ArrayList<>();
  private boolean walking;

  IntentHistory(StoreClient store) {
    this.store = store;
  }

  /**
   * What is looked for.
   *
   * @param after the index behind which it may be
   */
  record Search(Bytes key, Bytes value, long after) {}

  /** What is known of an intention. */
  enum Outcome {
    /** It took effect. */
    FOUND,
    /** It did not take effect. */
    ABSENT,
    /** The history does not reach back so far. */
    FORGOTTEN,
    /** The store gave no answer. */
    NO_ANSWER
  }

  /**
   * The end of a search.
   *
   * @param index where it took effect; of {@link Outcome#ABSENT}, the version of the entry that is
   *     there now, 0 for none
   */
  record Found(Outcome outcome, long index) {}

  private static final class Asked {
    private final Search search;
    private final CompletableFuture<Found> answer = new CompletableFuture<>();

    private Asked(Search search) {
      this.search = search;
    }

    private void end(Outcome outcome) {
      answer.complete(new Found(outcome, 0));
    }
  }

  /** Looks for an intention; the answer comes on the loop of the store's client. */
  CompletableFuture<Found> find(Search search) {
    Asked asked = new Asked(search);
    synchronized (this) {
      waiting.add(asked);
      if (walking) {
        return asked.answer;
      }
      walking = true;
    }
    walkNext();
    return asked.answer;
  }

  private void walkNext() {
    List<Asked> all;
    synchronized (this) {
      all = waiting;
      waiting = new ArrayList<>();
      walking = !all.isEmpty();
    }
    if (!all.isEmpty()) {
      new Walk(all).read(all.stream().mapToLong(asked -> asked.search.after()).min().orElse(0));
    }
  }

  /** One walk through the history. Its steps follow each other. */
  private final class Walk {
    private final Map<Bytes, List<Asked>> open = new HashMap<>();

    Walk(List<Asked> all) {
      all.forEach(
          asked -> open.computeIfAbsent(asked.search.key(), key -> new ArrayList<>()).add(asked));
    }

    void read(long after) {
      logFailure(
          "reading the history of intended rules",
          store
              .submit(new Command.ReadChanges(List.of(IntentTable.NAME), after, PAGE))
              .thenAccept(
                  reply -> {
                    if (reply instanceof Reply.Compacted) {
                      end(Outcome.FORGOTTEN);
                    } else if (!(reply instanceof Reply.Changes page)) {
                      end(Outcome.NO_ANSWER);
                    } else if (page.changes().isEmpty()) {
                      end(Outcome.ABSENT);
                    } else {
                      page.changes().forEach(this::meet);
                      read(page.upToIndex());
                    }
                  }));
    }

    private void meet(Change change) {
      List<Asked> here = open.get(change.key());
      if (here == null) {
        return;
      }
      here.removeIf(
          asked ->
              change.index() > asked.search.after()
                  && Objects.equals(change.value(), asked.search.value())
                  && asked.answer.complete(new Found(Outcome.FOUND, change.index())));
    }

    /** The end of the history, or of what is known of it. */
    private void end(Outcome outcome) {
      walkNext();
      open.values()
          .forEach(
              here ->
                  here.forEach(
                      asked -> {
                        if (outcome == Outcome.ABSENT) {
                          readEntry(asked);
                        } else {
                          asked.end(outcome);
                        }
                      }));
    }
  }

  private void readEntry(Asked asked) {
    logFailure(
        "reading an intended rule",
        store
            .submit(new Command.Get(IntentTable.NAME, asked.search.key()))
            .thenAccept(
                reply -> {
                  if (reply instanceof Reply.Found found) {
                    asked.answer.complete(new Found(Outcome.ABSENT, found.version()));
                  } else {
                    asked.end(reply instanceof Reply.Absent ? Outcome.ABSENT : Outcome.NO_ANSWER);
                  }
                }));
  }
}
