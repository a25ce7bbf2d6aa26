package io.lockstep.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.link.SwitchNews.Outcome;
import io.lockstep.core.state.FairShare;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SwitchNewsTest {
  private final SwitchNews news = new SwitchNews();

  private static DirectedLink link(long port) {
    return new DirectedLink(new SwitchPort(1, 1), new SwitchPort(2, port));
  }

  @Test
  void manyReportsAreOneTask() {
    assertThat(news.portChanged(1, true)).isEqualTo(Outcome.FIRST);
    for (int i = 0; i < 1_000; i++) {
      assertThat(news.portChanged(1, i % 2 == 0)).isEqualTo(Outcome.MERGED);
    }
    assertThat(news.linkSeen(link(1))).isEqualTo(Outcome.MERGED);
    SwitchNews.Taken taken = news.take();
    assertThat(taken.portsChanged()).isTrue();
    assertThat(taken.wasDown(1)).as("in between").isTrue();
    assertThat(taken.wasDown(2)).isFalse();
    assertThat(taken.links()).containsExactly(link(1));
    assertThat(news.linkSeen(link(1))).isEqualTo(Outcome.FIRST);
    assertThat(news.take().portsChanged()).isFalse();
  }

  @Test
  void morePortsDownThanFindRoomMeanThatAllWereDown() {
    for (int port = 1; port <= SwitchNews.MAX_PORTS; port++) {
      news.portChanged(port, true);
    }
    assertThat(news.take().wasDown(1L << 20)).isFalse();
    for (int port = 0; port <= SwitchNews.MAX_PORTS; port++) {
      news.portChanged(port, true);
    }
    SwitchNews.Taken taken = news.take();
    assertThat(taken.ports()).hasSize(SwitchNews.MAX_PORTS);
    assertThat(taken.wasDown(1L << 20)).isTrue();
  }

  @Test
  void inventedLinksAreBounded() {
    for (int port = 1; port <= SwitchNews.MAX_LINKS; port++) {
      assertThat(news.linkSeen(link(port))).isNotEqualTo(Outcome.DROPPED);
    }
    assertThat(news.linkSeen(link(0))).isEqualTo(Outcome.DROPPED);
    assertThat(news.linkSeen(link(1))).as("it waits already").isEqualTo(Outcome.MERGED);
    for (int port = 0; port <= SwitchNews.MAX_SEEN; port++) {
      news.probed(link(port), 5);
    }
    assertThat(news.probedNanos(link(0), 1)).isEqualTo(5);
    assertThat(news.probedNanos(link(SwitchNews.MAX_SEEN), 1)).isEqualTo(1);
  }

  @Test
  void switchThatReportsManyChangesLeavesMostOfTheLoopToOthers() {
    report(SwitchNews.FEW_CHANGES + 1);
    assertThat(news.takeInTurn(-10)).isNotNull();
    news.took(-10, 0);
    assertThat(news.portChanged(1, true)).isEqualTo(Outcome.FIRST);
    assertThat(news.takeInTurn(5)).as("not yet").isNull();
    assertThat(news.portChanged(2, true)).isEqualTo(Outcome.MERGED);
    assertThat(news.isDue(10 * FairShare.FACTOR - 1)).isFalse();
    assertThat(news.isDue(10 * FairShare.FACTOR)).isTrue();
    SwitchNews.Taken taken = news.takeInTurn(10 * FairShare.FACTOR);
    assertThat(taken).isNotNull().matches(all -> all.wasDown(1) && all.wasDown(2));
    assertThat(news.isDue(1_000)).as("nothing waits").isFalse();
  }

  @Test
  void fewChangesAreFollowedAtOnceHoweverLongTheLastOnesTook() {
    report(SwitchNews.FEW_CHANGES);
    news.take();
    news.took(0, 1_000_000_000);
    report(1);
    assertThat(news.takeInTurn(1_000_000_000)).isNotNull();
  }

  @Test
  void pauseIsBounded() {
    report(SwitchNews.FEW_CHANGES + 1);
    news.take();
    news.took(0, 60_000_000_000L);
    report(1);
    long end = 60_000_000_000L + TimeUnit.MILLISECONDS.toNanos(FairShare.MAX_PAUSE_MILLIS);
    assertThat(news.takeInTurn(end - 1)).isNull();
    assertThat(news.takeInTurn(end)).isNotNull();
  }

  private void report(int changes) {
    for (int i = 0; i < changes; i++) {
      news.portChanged(i, true);
    }
  }
}
