package io.lockstep.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.client.RequestWindow.Sent;
import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;

class RequestWindowTest {
  private final RequestWindow window = new RequestWindow();

  private Sent send(int valueBytes) {
    Command put = new Command.Put("t", Bytes.utf8("k"), Bytes.wrap(new byte[valueBytes]));
    return window.send(1, 0, new PendingOperation[] {new PendingOperation(put, 0, 0)});
  }

  @Test
  void largeRequestsAreHeldBackAtHome() {
    ArrayDeque<Sent> sent = new ArrayDeque<>();
    while (window.admitsRequest()) {
      sent.add(send(1 << 20));
      assertThat(sent.size()).isLessThan(100);
    }
    assertThat(sent).hasSize((int) (RequestWindow.OUTSTANDING_BYTES >> 20) - 1);
    window.finish(sent.remove());
    assertThat(window.admitsRequest()).isTrue();
  }

  @Test
  void oneRequestIsAlwaysSent() {
    Sent huge = send((int) RequestWindow.OUTSTANDING_BYTES);
    assertThat(window.admitsRequest()).isFalse();
    window.finish(huge);
    window.finish(huge);
    assertThat(window.admitsRequest()).isTrue();
    assertThat(window.outstanding()).isZero();
  }

  @Test
  void manySmallRequestsFit() {
    for (int i = 0; i < 1000; i++) {
      assertThat(window.admitsRequest()).isTrue();
      send(100);
    }
  }
}
