package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How long ended sessions, and with them the replies that were recorded, are remembered. */
class SessionsTest {
  private final Sessions sessions = new Sessions();

  private Session open(long id, long nowMillis) {
    Session session = new Session(id, 1000 + id, "test", 3_000, new RecordRoom());
    session.signOfLife(nowMillis);
    sessions.addOpen(session);
    return session;
  }

  private void end(long id, long nowMillis) {
    sessions.end(open(id, nowMillis), nowMillis);
    sessions.forget(nowMillis);
  }

  @Test
  void sessionExpiresOnceTimeIsPastItsDeadline() {
    Session first = open(1, 5_000);
    Session second = open(2, 6_000);
    assertThat(sessions.openCount()).isEqualTo(2);
    assertThat(sessions.expired(8_000)).isEmpty();
    assertThat(sessions.expired(8_001)).containsExactly(first);
    assertThat(sessions.expired(9_000)).containsExactly(first);
    assertThat(sessions.expired(9_001)).containsExactly(first, second);
    sessions.end(first, 9_001);
    assertThat(sessions.allOpen()).containsExactly(second);
    assertThat(sessions.expired(9_001)).containsExactly(second);
    second.signOfLife(9_001);
    assertThat(sessions.expired(12_001)).isEmpty();
    assertThat(sessions.expired(12_002)).containsExactly(second);
  }

  @Test
  void endedSessionIsRememberedForAMinute() {
    end(1, 5_000);
    sessions.forget(5_000 + Sessions.REMEMBERED_MILLIS);
    assertThat(sessions.findEnded(1)).isNotNull();
    assertThat(sessions.findByNonce(1001)).isNotNull();
    sessions.forget(5_001 + Sessions.REMEMBERED_MILLIS);
    assertThat(sessions.findEnded(1)).isNull();
    assertThat(sessions.findByNonce(1001)).isNull();
    assertThat(sessions.allEnded()).isEmpty();
  }

  @Test
  void onlyTheLastSessionsThatEndedAreRemembered() {
    for (long id = 1; id <= Sessions.REMEMBERED; id++) {
      end(id, 5_000);
    }
    assertThat(sessions.findEnded(1)).isNotNull();
    end(Sessions.REMEMBERED + 1, 5_000);
    assertThat(sessions.findEnded(1)).isNull();
    assertThat(sessions.findEnded(2)).isNotNull();
    assertThat(sessions.allEnded()).hasSize(Sessions.REMEMBERED);
  }

  @Test
  void oldSessionsAreForgottenAndYoungerOnesStay() {
    end(1, 5_000);
    end(2, 30_000);
    sessions.forget(5_001 + Sessions.REMEMBERED_MILLIS);
    assertThat(sessions.findEnded(1)).isNull();
    assertThat(sessions.findEnded(2)).isNotNull();
  }
}
