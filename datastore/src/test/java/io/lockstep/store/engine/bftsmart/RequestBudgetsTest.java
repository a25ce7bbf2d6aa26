package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestBudgetsTest {
  private static final int LARGE = 1 << 20;
  private static final int MOST = 32 << 20;

  private final ArrayDeque<Runnable> loop = new ArrayDeque<>();
  private long nowMillis;
  private final RequestBudgets budgets =
      new RequestBudgets(MOST, loop::add, () -> TimeUnit.MILLISECONDS.toNanos(nowMillis));
  private final List<String> resumed = new ArrayList<>();

  /** A connection that asks for one request after the other. */
  private final class Connection implements RequestBudgets.Reader {
    final String name;
    final RequestBudgets.Share share = budgets.share(this);
    final int bytes;
    final ArrayDeque<Integer> taken = new ArrayDeque<>();
    @Nullable String givenUp;

    Connection(String name, int bytes) {
      this.name = name;
      this.bytes = bytes;
    }

    boolean ask() {
      boolean room = share.take(bytes);
      if (room) {
        taken.add(bytes);
      }
      return room;
    }

    void askForAllItGets() {
      while (ask()) {
        assertThat(taken.size()).isLessThan(100_000);
      }
    }

    void releaseOne() {
      share.release(taken.remove());
      runLoop();
    }

    @Override
    public void resume() {
      if (ask()) {
        resumed.add(name);
      }
    }

    @Override
    public void giveUp(String why) {
      givenUp = why;
      share.close();
      while (!taken.isEmpty()) {
        share.release(taken.remove());
      }
    }
  }

  private void runLoop() {
    while (!loop.isEmpty()) {
      loop.remove().run();
    }
  }

  @Test
  void oneClientLeavesRoomForOthers() {
    new Connection("greedy", LARGE).askForAllItGets();
    assertThat(budgets.taken()).isLessThan(MOST / 2);
    Connection other = new Connection("other", LARGE);
    other.askForAllItGets();
    assertThat(other.taken.size()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void aHundredClientsWithLargeRequestsTakeNoMoreThanThereIsAndLeaveSmallOnesTheirs() {
    for (int i = 0; i < 100; i++) {
      new Connection("large" + i, LARGE).askForAllItGets();
    }
    assertThat(budgets.taken()).isLessThanOrEqualTo(MOST);
    assertThat(budgets.waiting()).isEqualTo(100);
    Connection small = new Connection("small", 600);
    small.askForAllItGets();
    assertThat(small.taken.size()).isGreaterThan(1000);
  }

  @Test
  void halfASmallRequestOfEveryConnectionLeavesRoom() {
    for (int i = 0; i < 1023; i++) {
      assertThat(new Connection("half" + i, RequestBudgets.SMALL_BYTES).ask()).isTrue();
    }
    assertThat(new Connection("other", RequestBudgets.SMALL_BYTES).ask()).isTrue();
  }

  @Test
  void whoWaitsIsAskedInTurn() {
    Connection greedy = new Connection("greedy", LARGE);
    greedy.askForAllItGets();
    List<Connection> filling = new ArrayList<>();
    while (budgets.taken() + LARGE <= MOST - MOST / 4) {
      Connection one = new Connection("f" + filling.size(), LARGE);
      assertThat(one.ask()).isTrue();
      filling.add(one);
    }
    Connection first = new Connection("first", LARGE);
    Connection second = new Connection("second", LARGE);
    assertThat(first.ask()).isFalse();
    assertThat(second.ask()).isFalse();
    filling.get(0).releaseOne();
    assertThat(resumed).containsExactly("first");
    filling.get(1).releaseOne();
    assertThat(resumed).containsExactly("first", "second");
    assertThat(greedy.taken).as("it had its share before").isNotEmpty();
  }

  /** Else those whose requests are smaller would always find the room that has just become free. */
  @Test
  void whoHasNothingGetsTheNextRoomAfterAWhile() {
    List<Connection> medium = new ArrayList<>();
    while (MOST - MOST / 4 - budgets.taken() >= LARGE) {
      Connection one = new Connection("m" + medium.size(), 100_000);
      assertThat(one.ask()).isTrue();
      medium.add(one);
    }
    Connection large = new Connection("large", LARGE);
    assertThat(large.ask()).isFalse();
    for (Connection one : medium) {
      one.share.release(one.taken.remove());
      assertThat(one.ask()).as("the room is taken again at once").isTrue();
      runLoop();
    }
    assertThat(resumed).isEmpty();
    nowMillis += RequestBudgets.OWED_MILLIS;
    for (Connection one : medium.subList(0, 11)) {
      one.share.release(one.taken.remove());
      one.ask();
      runLoop();
    }
    assertThat(resumed).startsWith("large");
  }

  @Test
  void frameThatStandsStillIsGivenUpOnceOthersWait() {
    List<Connection> halves = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Connection half = new Connection("half" + i, LARGE);
      if (half.ask()) {
        half.share.begun();
      }
      halves.add(half);
    }
    Connection moving = halves.get(1);
    for (nowMillis = 0; nowMillis < RequestBudgets.STALLED_MILLIS; nowMillis += 100) {
      moving.share.moved();
      budgets.tick();
      assertThat(halves).allMatch(half -> half.givenUp == null);
    }
    budgets.tick();
    runLoop();
    assertThat(halves.get(0).givenUp).contains("others wait for the room");
    assertThat(moving.givenUp).isNull();
    assertThat(resumed).as("they find the room").isNotEmpty();
    for (; nowMillis < RequestBudgets.MOST_MILLIS; nowMillis += 100) {
      moving.share.moved();
    }
    budgets.tick();
    assertThat(moving.givenUp).as("a byte now and then is not enough").isNotNull();
  }

  @Test
  void whoHasCompletedARequestBeforeComesBeforeStrangers() {
    Connection known = new Connection("known", LARGE);
    known.ask();
    known.share.completed();
    known.releaseOne();
    List<Connection> halves = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      halves.add(new Connection("half" + i, LARGE));
      halves.get(i).ask();
    }
    assertThat(known.ask()).isFalse();
    nowMillis += RequestBudgets.OWED_MILLIS;
    halves.get(0).giveUp("the first that stands still");
    runLoop();
    assertThat(resumed).startsWith("known");
  }

  @Test
  void frameThatStandsStillHarmsNobodyWhileNobodyWaits() {
    Connection half = new Connection("half", LARGE);
    half.ask();
    half.share.begun();
    nowMillis += 10 * RequestBudgets.MOST_MILLIS;
    budgets.tick();
    assertThat(half.givenUp).isNull();
  }

  @Test
  void everythingIsGivenBack() {
    Connection one = new Connection("one", LARGE);
    Connection two = new Connection("two", 600);
    one.askForAllItGets();
    two.askForAllItGets();
    one.share.close();
    two.share.close();
    one.taken.forEach(one.share::release);
    two.taken.forEach(two.share::release);
    runLoop();
    assertThat(budgets.taken()).isZero();
    assertThat(budgets.waiting()).isZero();
    assertThat(resumed).as("closed connections are not resumed").isEmpty();
  }
}
