package io.lockstep.core.state;

import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * All table views of a node, and the one feed that keeps them current. The rooms declare their
 * tables while the node is assembled; then it starts. The views change on the control loop only.
 */
public final class NodeState implements AutoCloseable {

  /** Deliveries of the feed that may wait for the control loop before the node gives up. */
  private static final int MAX_WAITING_DELIVERIES = 1 << 12;

  private final ControlLoop loop;
  private final Map<String, TableView<?, ?>> views = new LinkedHashMap<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final CompletableFuture<Void> current = new CompletableFuture<>();
  private final PriorityQueue<Waiter> waiters = new PriorityQueue<>();
  private volatile long index;
  private volatile @Nullable TableFeed feed;

  /** State that follows nothing yet. */
  public NodeState(ControlLoop loop) {
    this.loop = loop;
  }

  /** The loop on which views change and listeners are called. */
  public ControlLoop loop() {
    return loop;
  }

  /**
   * Declares a table before the node starts. The view is empty until the feed has read the store.
   *
   * @throws IllegalStateException after {@link #start}, or where the table is declared already: it
   *     has one owner room, which hands its view to others
   */
  public <K, V> TableView<K, V> declare(String table, RecordCodec<K, V> codec) {
    if (feed != null) {
      throw new IllegalStateException("table " + table + " is declared after the start");
    }
    TableView<K, V> view = new TableView<>(table, codec);
    if (views.putIfAbsent(table, view) != null) {
      throw new IllegalStateException("table " + table + " is declared twice");
    }
    return view;
  }

  /** Begins to follow the store; called once, after all tables are declared. */
  public void start(TableFeed tableFeed) {
    if (feed != null) {
      throw new IllegalStateException("the node's state was started before");
    }
    feed = tableFeed;
    tableFeed.start(List.copyOf(views.keySet()), new Deliveries());
  }

  /** Completes, on the control loop, when the views have shown the store for the first time. */
  public CompletableFuture<Void> current() {
    return current;
  }

  /** Every change of the declared tables up to this index is visible. Thread-safe. */
  public long index() {
    return index;
  }

  /**
   * Runs a task on the control loop as soon as the views show everything up to {@code wanted}: to
   * go on after a write of one's own. Waits for as long as the store cannot be reached.
   */
  public void whenVisible(long wanted, Runnable task) {
    loop.execute(
        () -> {
          if (current.isDone() && index >= wanted) {
            task.run();
          } else {
            waiters.add(new Waiter(wanted, task));
            poke();
          }
        });
  }

  /**
   * This node knows that the store changed: the feed asks now, not at its next turn. Any thread.
   */
  public void poke() {
    TableFeed following = feed;
    if (following != null) {
      following.poke();
    }
  }

  /** Stops following the store; the views stay as they are. */
  @Override
  public void close() {
    TableFeed following = feed;
    if (following != null) {
      following.close();
    }
  }

  private void visible(long upToIndex) {
    index = upToIndex;
    current.complete(null);
    while (!waiters.isEmpty() && waiters.peek().index() <= upToIndex) {
      waiters.remove().task().run();
    }
  }

  private TableView<?, ?> view(String table) {
    TableView<?, ?> view = views.get(table);
    if (view == null) {
      throw new IllegalStateException("the feed delivered table " + table + ", never asked for");
    }
    return view;
  }

  private record Waiter(long index, Runnable task) implements Comparable<Waiter> {
    @Override
    public int compareTo(Waiter other) {
      return Long.compare(index, other.index);
    }
  }

  /** Hands what the feed delivers to the control loop. */
  private final class Deliveries implements TableFeed.Sink {

    @Override
    public void replace(Map<String, List<Entry>> tables, long upToIndex) {
      Map<String, List<Entry>> delivered = Map.copyOf(tables);
      handOver(
          () -> {
            List<Runnable> tellings = new ArrayList<>();
            // In the order of declaration, so that what others refer to is told before them.
            views.forEach(
                (table, view) -> view.replace(delivered.getOrDefault(table, List.of()), tellings));
            index = upToIndex;
            tellings.forEach(Runnable::run);
            visible(upToIndex);
          });
    }

    @Override
    public void changes(List<Change> changes, long upToIndex) {
      List<Change> delivered = List.copyOf(changes);
      handOver(
          () -> {
            applyByOperation(delivered);
            visible(upToIndex);
          });
    }

    private void handOver(Runnable task) {
      if (waiting.incrementAndGet() > MAX_WAITING_DELIVERIES) {
        IllegalStateException behind =
            new IllegalStateException(
                MAX_WAITING_DELIVERIES + " deliveries of the store's changes wait for the node");
        loop.report(behind);
        throw behind;
      }
      loop.execute(
          () -> {
            waiting.decrementAndGet();
            task.run();
          });
    }

    /** The listeners of one operation's changes see all of them, and none of a later operation. */
    private void applyByOperation(List<Change> changes) {
      int next = 0;
      while (next < changes.size()) {
        long operation = changes.get(next).index();
        List<Runnable> tellings = new ArrayList<>();
        while (next < changes.size() && changes.get(next).index() == operation) {
          Change change = changes.get(next++);
          view(change.table()).apply(change.key(), change.value(), change.index(), tellings);
        }
        index = operation;
        tellings.forEach(Runnable::run);
      }
    }
  }
}
