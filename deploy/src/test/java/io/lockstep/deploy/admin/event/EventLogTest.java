package io.lockstep.deploy.admin.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class EventLogTest {
  private static final Set<String> ALL = Set.copyOf(EventLog.KINDS);

  private final EventLog log = new EventLog("n1", 0xab, () -> 1_000);

  private void add(int count) {
    for (int i = 0; i < count; i++) {
      log.add("link", "link_added", "1/1 to 2/1", "");
    }
  }

  @Test
  void whoReadsOnReadsEachEventOnce() {
    add(3);
    EventLog.Batch first = log.read(1, ALL, 2);
    assertThat(first.events()).extracting(EventLog.Event::id).containsExactly("ab-1", "ab-2");
    EventLog.Batch second = log.read(first.place(), ALL, 2);
    assertThat(second.events()).extracting(EventLog.Event::id).containsExactly("ab-3");
    assertThat(log.read(second.place(), ALL, 2).events()).isEmpty();
  }

  @Test
  void whoIsTooSlowIsToldHowManyWereMissed() {
    add(EventLog.CAPACITY + 10);
    EventLog.Batch late = log.read(1, ALL, 1);
    assertThat(late.missed()).isEqualTo(10);
    assertThat(late.events().get(0).number()).isEqualTo(11);
  }

  @Test
  void onlyTheWantedKindsAreReadAndOthersPassedOver() {
    add(5);
    log.add("host", "host_added", "02:00:00:00:00:01", "");
    EventLog.Batch hosts = log.read(1, Set.of("host"), 10);
    assertThat(hosts.events()).hasSize(1);
    assertThat(hosts.place()).isEqualTo(7);
  }

  @Test
  void anIdLeadsBehindItsEventAndThoseOfOthersNowhere() {
    add(3);
    assertThat(log.behind("ab-2")).isEqualTo(3);
    assertThat(log.behind("ab-4")).isEqualTo(-1);
    assertThat(log.behind("cd-2")).isEqualTo(-1);
    assertThat(log.behind("ab-")).isEqualTo(-1);
    assertThat(log.behind("")).isEqualTo(-1);
  }

  @Test
  void aLongTextIsCut() {
    log.add("host", "host_added", "x".repeat(1_000), "");
    assertThat(log.read(1, ALL, 1).events().get(0).subject()).hasSize(503);
  }
}
