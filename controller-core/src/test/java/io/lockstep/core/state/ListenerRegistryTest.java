package io.lockstep.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.onosproject.event.AbstractEvent;
import org.onosproject.event.EventListener;

/** What the listeners of a service hear, fast and slow ones. */
class ListenerRegistryTest {
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final List<String> heard = new ArrayList<>();
  private boolean rejects;
  private final ListenerRegistry<Numbered, NumberedListener> registry =
      new ListenerRegistry<>(this::execute);

  private enum Kind {
    NUMBER
  }

  /** An event that is told from others by its number. */
  private static final class Numbered extends AbstractEvent<Kind, Integer> {
    Numbered(int number) {
      super(Kind.NUMBER, number);
    }
  }

  private interface NumberedListener extends EventListener<Numbered> {}

  /** Writes down what it hears. */
  private class Plain implements NumberedListener {
    @Override
    public void event(Numbered event) {
      heard.add("" + event.subject());
    }
  }

  /** Hears of dropped events as well. */
  private final class Resyncing extends Plain implements ResyncListener {
    @Override
    public void resync() {
      heard.add("resync");
    }
  }

  private void execute(Runnable task) {
    if (rejects) {
      throw new RejectedExecutionException("full");
    }
    tasks.add(task);
  }

  private void post(int first, int count) {
    for (int i = first; i < first + count; i++) {
      registry.post(new Numbered(i));
    }
  }

  private void run(int count) {
    for (int i = 0; i < count; i++) {
      tasks.remove().run();
    }
  }

  private void runAll() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  @Test
  void eventsWaitAsOneTaskAndComeInOrder() {
    registry.addListener(new Plain());
    post(0, 3);
    assertThat(tasks).hasSize(1);
    run(1);
    assertThat(tasks).hasSize(1);
    post(3, 1);
    assertThat(tasks).hasSize(1);
    runAll();
    assertThat(heard).containsExactly("0", "1", "2", "3");
    post(4, 1);
    runAll();
    assertThat(heard).hasSize(5);
  }

  @Test
  void listenerIsToldInThePlaceOfTheEventsThatWereDropped() {
    registry.addListener(new Resyncing());
    post(0, ListenerRegistry.MAX_WAITING + 100);
    assertThat(registry.failures()).isEqualTo(100);
    run(10);
    post(1_000_000, 2);
    runAll();
    assertThat(heard).hasSize(ListenerRegistry.MAX_WAITING + 3);
    assertThat(heard.subList(ListenerRegistry.MAX_WAITING - 1, heard.size()))
        .containsExactly("" + (ListenerRegistry.MAX_WAITING - 1), "resync", "1000000", "1000001");
  }

  @Test
  void listenerIsToldAgainWhereEventsAreDroppedAgain() {
    registry.addListener(new Resyncing());
    post(0, ListenerRegistry.MAX_WAITING + 1);
    run(5);
    post(1_000_000, 100);
    runAll();
    assertThat(heard.get(heard.size() - 1)).as("behind the last event dropped").isEqualTo("resync");
    assertThat(heard.stream().filter("resync"::equals)).hasSize(2);
    assertThat(registry.failures()).isEqualTo(1 + 96);
    assertThat(heard).hasSizeLessThanOrEqualTo(ListenerRegistry.MAX_WAITING + 1 + 5 + 1);
  }

  @Test
  void listenerWithoutResyncHearsTheOtherEvents() {
    registry.addListener(new Plain());
    post(0, ListenerRegistry.MAX_WAITING + 1);
    runAll();
    assertThat(heard).hasSize(ListenerRegistry.MAX_WAITING);
  }

  @Test
  void listenerThatThrowsKeepsNothingFromTheOthers() {
    registry.addListener(
        event -> {
          throw new IllegalStateException("test");
        });
    registry.addListener(new Plain());
    post(0, 2);
    runAll();
    assertThat(heard).containsExactly("0", "1");
    assertThat(registry.failures()).isEqualTo(2);
  }

  @Test
  void eventsOfARejectedTaskComeWithTheNextOne() {
    registry.addListener(new Plain());
    rejects = true;
    post(0, 2);
    rejects = false;
    post(2, 1);
    runAll();
    assertThat(heard).containsExactly("0", "1", "2");
  }
}
