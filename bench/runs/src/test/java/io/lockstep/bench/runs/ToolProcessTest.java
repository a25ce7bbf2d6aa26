package io.lockstep.bench.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 50, unit = TimeUnit.SECONDS)
class ToolProcessTest {
  private static String shell(String script, int seconds) throws Exception {
    return ToolProcess.run(List.of("sh", "-c", script), seconds);
  }

  @Test
  void saysWhatTheToolPrinted() throws Exception {
    assertThat(shell("echo out; echo err >&2", 40)).isEqualTo("out\nerr\n");
    assertThat(shell("yes | head -c 300000", 40)).as("more than a pipe holds").hasSize(300_000);
    assertThatThrownBy(() -> shell("echo no; exit 3", 40))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no");
  }

  @Test
  void toolThatHangsIsEnded() {
    assertThatThrownBy(() -> shell("echo so far; exec sleep 60", 10))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("after 10 s: so far");
  }

  /** The pipe's other end would stay open for as long as the child lives. */
  @Test
  void childThatOutlivesTheToolIsNotWaitedFor() throws Exception {
    long begin = System.nanoTime();
    assertThat(shell("sleep 25 & echo done", 40)).isEqualTo("done\n");
    assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(24));
  }
}
