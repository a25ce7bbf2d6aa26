package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A look is repeated while it is needed, and no timer is left where it is not. */
class NeededLookTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private int looks;
  private int left;

  private final NeededLook look =
      new NeededLook(
          channel.eventLoop(),
          "a test",
          100,
          () -> {
            looks++;
            if (left < 0) {
              throw new IllegalStateException("asked to fail");
            }
            return --left > 0;
          });

  private void pass(long millis) {
    for (long passed = 0; passed < millis; passed += 10) {
      channel.advanceTimeBy(10, TimeUnit.MILLISECONDS);
      channel.runScheduledPendingTasks();
    }
  }

  private long nextTimerNanos() {
    return channel.runScheduledPendingTasks();
  }

  @Test
  void restsUntilItIsNeededAndAgainAfterwards() {
    channel.freezeTime();
    pass(1_000);
    assertThat(looks).isZero();
    left = 3;
    look.needed();
    look.needed();
    pass(1_000);
    assertThat(looks).isEqualTo(3);
    assertThat(nextTimerNanos()).as("no timer").isEqualTo(-1);
  }

  @Test
  void goesOnWhereItFails() {
    channel.freezeTime();
    left = -1;
    look.needed();
    pass(350);
    assertThat(looks).isEqualTo(3);
    left = 1;
    pass(1_000);
    assertThat(looks).isEqualTo(4);
  }
}
