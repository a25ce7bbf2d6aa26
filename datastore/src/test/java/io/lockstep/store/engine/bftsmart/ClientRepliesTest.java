package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.log.Decision;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Replies become bytes only as far as there is room for them, however many one batch has. */
class ClientRepliesTest {
  private static final int MOST_BYTES = 8 << 20;
  private static final int REPLY_BYTES = 1 << 20;
  private static final Decision DECISION =
      new Decision(7, 0, new byte[Decision.CHAIN_BYTES], new byte[0]);

  /** A socket that takes nothing until it is told to. */
  private static final class Socket extends ChannelOutboundHandlerAdapter {
    private final ArrayDeque<ChannelPromise> promises = new ArrayDeque<>();
    private long largest;

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      ByteBuf buffer = (ByteBuf) message;
      largest = Math.max(largest, buffer.capacity());
      buffer.release();
      promises.add(promise);
    }

    boolean takeOne() {
      ChannelPromise oldest = promises.poll();
      return oldest != null && oldest.trySuccess();
    }
  }

  private final Socket socket = new Socket();
  private final EmbeddedChannel channel = new EmbeddedChannel(socket);
  private final ReplyBudgets budgets = new ReplyBudgets(MOST_BYTES, 10_000);
  private final ClientReplies replies =
      new ClientReplies(
          0,
          channel,
          budgets,
          new RefusalLog(LoggerFactory.getLogger(ClientRepliesTest.class), "test"));
  private int encoded;

  private List<ClientReplies.Outgoing> outgoing(int count, int bytes) {
    OrderedReply.Content content =
        new OrderedReply.Content() {
          @Override
          public long weight() {
            return bytes;
          }

          @Override
          public byte[] encode() {
            encoded++;
            return new byte[bytes];
          }
        };
    List<ClientReplies.Outgoing> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(new ClientReplies.Outgoing(DECISION, 0, 1, i, new OrderedReply(content, 0)));
    }
    return all;
  }

  private void send(int count, int bytes) {
    replies.send(outgoing(count, bytes));
    channel.runPendingTasks();
  }

  private void readAll() {
    while (socket.takeOne()) {
      channel.runPendingTasks();
    }
  }

  @Test
  void repliesOfOneBatchTakeNoMoreThanTheBudgetHoweverManyTheyAre() {
    send(300, REPLY_BYTES);
    assertThat(budgets.sending().taken()).isPositive().isLessThanOrEqualTo(MOST_BYTES);
    assertThat(replies.unreadBytes()).isEqualTo(budgets.sending().taken());
    assertThat(encoded).as("replies turned into bytes").isBetween(1, MOST_BYTES / REPLY_BYTES);
    assertThat(socket.largest).as("the largest buffer").isLessThan(2L * REPLY_BYTES);
    assertThat(budgets.waiting().taken()).isPositive().isLessThanOrEqualTo(MOST_BYTES / 4);
  }

  @Test
  void whatWaitsGoesOutOnceTheClientReadsAndTheRestIsDropped() {
    send(300, REPLY_BYTES);
    readAll();
    assertThat(encoded + budgets.droppedReplies()).isEqualTo(300);
    assertThat(encoded).isGreaterThan(4);
    assertThat(replies.isBehind()).isFalse();
    assertThat(budgets.sending().taken()).isZero();
    assertThat(budgets.waiting().taken()).isZero();
  }

  @Test
  void smallRepliesOfOneBatchShareAWrite() {
    send(300, 100);
    assertThat(socket.promises).hasSize(1);
    assertThat(encoded).isEqualTo(300);
  }

  @Test
  void replyThatIsLongerThanTheBudgetStillLeavesAlone() {
    send(1, 2 * MOST_BYTES);
    assertThat(encoded).isEqualTo(1);
    send(1, 100);
    assertThat(encoded).as("the next one waits").isEqualTo(1);
    readAll();
    assertThat(encoded).isEqualTo(2);
  }

  @Test
  void connectionThatEndsGivesBackWhatItsRepliesTook() {
    send(300, REPLY_BYTES);
    channel.close().syncUninterruptibly();
    replies.close();
    readAll();
    assertThat(budgets.sending().taken()).isZero();
    assertThat(budgets.waiting().taken()).isZero();
  }
}
