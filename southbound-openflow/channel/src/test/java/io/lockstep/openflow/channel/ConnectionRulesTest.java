package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lockstep.openflow.channel.ConnectionLog.Severity;
import io.lockstep.store.logging.LogLimit;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFMessage;

class ConnectionRulesTest {

  @Test
  void keepAliveAsksAfterSilenceAndGivesUpAfterTheDeadline() {
    KeepAlive keepAlive = new KeepAlive(100, 50, 0);
    assertThat(keepAlive.tick(99)).isEqualTo(KeepAlive.Step.NOTHING);
    assertThat(keepAlive.tick(100)).isEqualTo(KeepAlive.Step.SEND_ECHO);
    assertThat(keepAlive.tick(149)).isEqualTo(KeepAlive.Step.NOTHING);
    assertThat(keepAlive.tick(150)).isEqualTo(KeepAlive.Step.GIVE_UP);
  }

  @Test
  void anythingHeardRestartsTheSilence() {
    KeepAlive keepAlive = new KeepAlive(100, 50, 0);
    assertThat(keepAlive.tick(100)).isEqualTo(KeepAlive.Step.SEND_ECHO);
    keepAlive.heard(120);
    assertThat(keepAlive.tick(219)).isEqualTo(KeepAlive.Step.NOTHING);
    assertThat(keepAlive.tick(220)).isEqualTo(KeepAlive.Step.SEND_ECHO);
  }

  @Test
  void capsCountPerAddressAndInAll() throws IOException {
    InetAddress one = InetAddress.getByAddress(new byte[] {10, 0, 0, 1});
    InetAddress two = InetAddress.getByAddress(new byte[] {10, 0, 0, 2});
    ConnectionCaps caps = new ConnectionCaps(3, 2);
    assertThat(caps.admit(one)).isNull();
    assertThat(caps.admit(one)).isNull();
    assertThat(caps.admit(one)).contains("2 connections from this address");
    assertThat(caps.admit(two)).isNull();
    assertThat(caps.admit(two)).contains("3 connections are open");
    caps.release(one);
    assertThat(caps.admit(one)).isNull();
  }

  @Test
  void logLeavesOutWhatOneAddressRepeats() {
    List<String> lines = new ArrayList<>();
    long[] now = {0};
    ConnectionLog log = new ConnectionLog((severity, text, cause) -> lines.add(text), () -> now[0]);
    for (int i = 0; i < LogLimit.LINES + 7; i++) {
      log.report(Severity.WARN, "10.0.0.1", "bad", null);
    }
    assertThat(lines).hasSize(LogLimit.LINES);
    log.report(Severity.WARN, "10.0.0.2", "other", null);
    assertThat(lines).hasSize(LogLimit.LINES + 1).last().isEqualTo("other");
    log.report(Severity.INFO, "10.0.0.1", "connected", null);
    assertThat(lines).last().isEqualTo("connected");
    now[0] = TimeUnit.SECONDS.toNanos(LogLimit.PERIOD_SECONDS);
    log.report(Severity.WARN, "10.0.0.1", "bad", null);
    assertThat(lines).last().isEqualTo("bad (7 lines like this were left out)");
  }

  private static final class Recording implements Request {
    private final List<String> heard = new ArrayList<>();

    @Override
    public boolean onReply(OFMessage reply) {
      heard.add("reply");
      return true;
    }

    @Override
    public void onError(String error) {
      heard.add(error);
    }

    @Override
    public void onLost(String reason) {
      heard.add(reason);
    }
  }

  @Test
  void requestEndsOnceByErrorTimeOutOrEnd() {
    PendingRequests pending = new PendingRequests(2);
    Recording first = new Recording();
    Recording second = new Recording();
    pending.add(1, first, "role reply", 100);
    pending.add(2, second, "statistics", 200);
    assertThat(pending.hasRoom()).isFalse();
    pending.expire(150);
    assertThat(first.heard).containsExactly("no role reply in time");
    assertThat(pending.hasRoom()).isTrue();
    assertThat(pending.error(1, "late")).isFalse();
    assertThat(pending.error(2, "BAD_REQUEST/BAD_STAT")).isTrue();
    pending.loseAll("closed");
    assertThat(second.heard).containsExactly("BAD_REQUEST/BAD_STAT");
    Recording third = new Recording();
    pending.add(3, third, "statistics", 200);
    pending.loseAll("closed");
    pending.expire(500);
    assertThat(third.heard).containsExactly("closed");
  }

  @Test
  void settingThatMakesNoSenseIsNamed() {
    OpenFlowServerConfig defaults = OpenFlowServerConfig.defaults();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> defaults.withListen("::", 70_000))
        .withMessage("port 70000 > 65535");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> defaults.withEventLoops(0))
        .withMessage("eventLoops 0 < 1");
  }
}
