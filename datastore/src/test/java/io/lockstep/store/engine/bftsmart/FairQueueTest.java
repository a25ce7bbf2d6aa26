package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** RFC 8290 section 4.2, as far as it concerns who comes next. */
class FairQueueTest {
  private static final int LARGE = 1 << 20;
  private static final int ALL = Integer.MAX_VALUE;

  private record Item(String client, int number, int bytes) {}

  private final FairQueue<Item> queue = new FairQueue<>(Item::bytes);
  private int numbers;

  private Item add(String client, int bytes) {
    Item item = new Item(client, numbers++, bytes);
    queue.add(client, item);
    return item;
  }

  private List<String> pollClients(int count) {
    List<String> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Item next = queue.poll(ALL, ALL);
      clients.add(next == null ? "-" : next.client());
    }
    return clients;
  }

  @Test
  void oneClientsRequestsComeInTheirOrder() {
    List<Item> added = List.of(add("a", LARGE), add("a", 10), add("a", LARGE), add("a", 0));
    for (Item expected : added) {
      assertThat(queue.poll(ALL, ALL)).isEqualTo(expected);
    }
    assertThat(queue.poll(ALL, ALL)).isNull();
    assertThat(queue.has(ALL)).isFalse();
  }

  @Test
  void smallRequestComesBeforeAllLargeOnesThatWait() {
    for (int client = 0; client < 100; client++) {
      for (int i = 0; i < 4; i++) {
        add("large" + client, LARGE);
      }
    }
    assertThat(queue.poll(ALL, ALL)).isNotNull();
    add("small", 100);
    assertThat(pollClients(1)).containsExactly("small");
  }

  @Test
  void clientWithSmallRequestsAgainAndAgainWaitsForOneLargeAtMost() {
    for (int i = 0; i < 50; i++) {
      add("large", LARGE);
    }
    for (int i = 0; i < 50; i++) {
      add("small", 100);
      assertThat(pollClients(2)).contains("small");
    }
  }

  @Test
  void largeRequestIsNotTakenForASmallOneWhereItsClientIsNew() {
    add("first", LARGE);
    add("second", LARGE);
    add("disguised", 100);
    add("disguised", LARGE);
    assertThat(pollClients(4)).containsExactly("disguised", "first", "second", "disguised");
  }

  @Test
  void clientsThatHaveMuchShareByBytes() {
    for (int i = 0; i < 1000; i++) {
      add("large", LARGE);
      for (int k = 0; k < 16; k++) {
        add("medium", LARGE / 16);
      }
    }
    long large = 0;
    long medium = 0;
    for (int i = 0; i < 1000; i++) {
      Item next = queue.poll(ALL, ALL);
      assertThat(next).isNotNull();
      if (next != null && next.client().equals("large")) {
        large += next.bytes();
      } else if (next != null) {
        medium += next.bytes();
      }
    }
    assertThat((double) large / medium).isBetween(0.9, 1.1);
  }

  @Test
  void floodOfSmallRequestsDoesNotStarveALargeOne() {
    add("large", LARGE);
    int before = 0;
    while (true) {
      for (int client = 0; client < 10; client++) {
        add("flood" + client, 1000);
      }
      List<String> next = pollClients(10);
      if (next.contains("large")) {
        break;
      }
      before += next.size();
      assertThat(before).as("served before it").isLessThan(1_000);
    }
  }

  @Test
  void whatDoesNotFitWaitsForTheNextBatch() {
    add("a", 100);
    add("b", LARGE);
    assertThat(queue.poll(100, ALL)).isNotNull();
    assertThat(queue.poll(LARGE - 1, ALL)).isNull();
    assertThat(pollClients(2)).containsExactly("b", "-");
  }

  @Test
  void withABoundLargerRequestsArePassedOverAndKeepTheirPlaces() {
    add("first", LARGE);
    add("second", LARGE);
    add("small", 100);
    add("small", LARGE);
    add("third", 200);
    assertThat(queue.has(100)).isTrue();
    assertThat(queue.poll(ALL, 1_000)).extracting(Item::bytes).isEqualTo(100);
    assertThat(queue.poll(ALL, 1_000)).extracting(Item::bytes).isEqualTo(200);
    assertThat(queue.has(LARGE - 1)).isFalse();
    assertThat(queue.poll(ALL, LARGE - 1)).isNull();
    assertThat(queue.has(LARGE)).isTrue();
    assertThat(pollClients(4)).containsExactly("first", "second", "small", "-");
  }

  /** Its client has something queued all the time, so it is among the old ones. */
  @Test
  void withABoundABusyClientWithSmallRequestsDoesNotWaitBehindLargeOnes() {
    for (int i = 0; i < 200; i++) {
      add("busy", 1_000);
    }
    for (int client = 0; client < 10; client++) {
      add("large" + client, LARGE);
    }
    for (int i = 0; i < 200; i++) {
      assertThat(queue.poll(ALL, 1_000)).extracting(Item::client).isEqualTo("busy");
    }
    assertThat(queue.poll(ALL, 1_000)).isNull();
  }

  @Test
  void whatIsRemovedDoesNotCome() {
    Item gone = add("a", 10);
    add("a", 20);
    queue.remove("a", gone);
    queue.remove("a", gone);
    queue.remove("nobody", gone);
    assertThat(queue.poll(ALL, ALL)).extracting(Item::bytes).isEqualTo(20);
    assertThat(queue.has(ALL)).isFalse();
  }

  /** As on a replica that does not lead: nothing is polled there. */
  @Test
  void clientsWithNothingQueuedAreForgottenWithoutAPoll() {
    add("stays", 10);
    for (int i = 0; i < 10_000; i++) {
      String client = "c" + i;
      queue.remove(client, add(client, 10));
    }
    assertThat(queue.clients()).isEqualTo(1);
  }
}
