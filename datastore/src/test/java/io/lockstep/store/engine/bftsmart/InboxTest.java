package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import bftsmart.communication.SystemMessage;
import io.netty.channel.DefaultEventLoop;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(IsolatedLibrary.class)
@Timeout(60)
class InboxTest {
  private final DefaultEventLoop loop = new DefaultEventLoop();
  private final List<Integer> handled = new CopyOnWriteArrayList<>();

  @AfterEach
  void end() {
    // Does not fail: it completes when the loop has ended.
    var unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  private static SystemMessage message(int sender) {
    return new PeerMessage(sender, new PeerNote.Tick());
  }

  private void settle() throws Exception {
    loop.submit(() -> {}).get();
  }

  @Test
  void messagesWaitUntilItIsOpened() throws Exception {
    Inbox inbox = new Inbox(loop, 10, 1 << 20);
    inbox.deliver(message(1));
    inbox.deliver(message(2));
    settle();
    assertThat(handled).isEmpty();
    inbox.open(message -> handled.add(message.getSender()));
    inbox.deliver(message(3));
    settle();
    assertThat(handled).containsExactly(1, 2, 3);
  }

  @Test
  void whatHandlingOneBringsForthIsHandledAfterIt() throws Exception {
    Inbox inbox = new Inbox(loop, 10, 1 << 20);
    inbox.open(
        message -> {
          if (message.getSender() == 1) {
            inbox.deliver(message(2));
          }
          handled.add(message.getSender());
        });
    inbox.deliver(message(1));
    settle();
    assertThat(handled).containsExactly(1, 2);
  }

  @Test
  void noMoreWaitThanAreAllowed() throws Exception {
    Inbox inbox = new Inbox(loop, 2, 1 << 20);
    for (int sender = 1; sender <= 3; sender++) {
      inbox.deliver(message(sender));
    }
    inbox.open(message -> handled.add(message.getSender()));
    settle();
    assertThat(handled).containsExactly(1, 2);
  }
}
