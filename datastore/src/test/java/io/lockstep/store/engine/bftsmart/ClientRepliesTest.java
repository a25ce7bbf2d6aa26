package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.log.Decision;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Replies become bytes only as far as there is room for them, however many one batch has. */
class ClientRepliesTest {
  private static final int MOST_BYTES = 8 << 20;
  private static final int REPLY_BYTES = 1 << 20;
  private static final long STALLED_MILLIS = 10_000;
  private static final int SILENT = 1_000;
  private static final RefusalLog REFUSALS =
      new RefusalLog(LoggerFactory.getLogger(ClientRepliesTest.class), "test");
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

    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
      for (ChannelPromise write; (write = promises.poll()) != null; ) {
        write.tryFailure(new ClosedChannelException());
      }
      // The promise has a failure.
      var unused = context.close(promise);
    }

    boolean takeOne() {
      ChannelPromise oldest = promises.poll();
      return oldest != null && oldest.trySuccess();
    }
  }

  /** One client of the replica. */
  private final class Client {
    final Socket socket = new Socket();
    final EmbeddedChannel channel = new EmbeddedChannel(socket);
    final ClientReplies replies = new ClientReplies(0, channel, budgets, REFUSALS);

    Client() {
      channel.closeFuture().addListener(closed -> replies.close());
    }

    void send(int count, int bytes) {
      replies.send(outgoing(count, bytes));
      channel.runPendingTasks();
    }

    void readAll() {
      while (socket.takeOne()) {
        channel.runPendingTasks();
      }
    }
  }

  private long nowNanos;
  private final ReplyBudgets budgets = new ReplyBudgets(MOST_BYTES, STALLED_MILLIS, () -> nowNanos);
  private final Client client = new Client();
  private final Socket socket = client.socket;
  private final ClientReplies replies = client.replies;
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
    client.send(count, bytes);
  }

  private void readAll() {
    client.readAll();
  }

  /** Time passes while all that is not read stays so. */
  private void pass(long millis) {
    budgets.tick();
    nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
    budgets.tick();
  }

  /** A thousand clients that hold all that they can, and read nothing. */
  private List<Client> silent() {
    List<Client> silent = new ArrayList<>();
    for (int i = 0; i < SILENT; i++) {
      Client one = new Client();
      one.send(64, 8 << 10);
      one.send(1, REPLY_BYTES);
      silent.add(one);
    }
    return silent;
  }

  private void withinTheBudgets() {
    assertThat(budgets.sending().taken() + budgets.reserve().taken())
        .isLessThanOrEqualTo(MOST_BYTES);
    assertThat(budgets.waiting().taken()).isLessThanOrEqualTo(MOST_BYTES / 4);
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
    int atOnce = encoded;
    readAll();
    assertThat(encoded + budgets.droppedReplies()).isEqualTo(300);
    assertThat(encoded).isGreaterThan(atOnce);
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
    client.channel.close().syncUninterruptibly();
    readAll();
    assertThat(budgets.sending().taken()).isZero();
    assertThat(budgets.waiting().taken()).isZero();
  }

  @Test
  void clientThatReadsGetsALongReplySoonAlthoughAThousandDoNot() {
    send(1, 100);
    readAll();
    List<Client> silent = silent();
    encoded = 0;
    send(1, REPLY_BYTES);
    assertThat(encoded).as("there is no room yet").isZero();
    assertThat(replies.isBehind()).as("it waits in the place of another").isTrue();
    withinTheBudgets();
    pass(ReplyBudgets.OWED_MILLIS);
    assertThat(replies.unreadBytes()).isGreaterThan(REPLY_BYTES);
    withinTheBudgets();
    assertThat(silent).anyMatch(one -> !one.channel.isActive());
    assertThat(client.channel.isActive()).isTrue();
    readAll();
    assertThat(replies.isBehind()).isFalse();
  }

  /** Also where others have just come, so that none has been silent for long. */
  @Test
  void clientThatHasReadMoreThanSocketsHoldGetsALongReplyAtOnce() {
    for (long read = 0; read < ReplyBudgets.READER_BYTES; read += REPLY_BYTES) {
      send(1, REPLY_BYTES);
      readAll();
    }
    List<Client> silent = silent();
    encoded = 0;
    for (int i = 0; i < 3; i++) {
      send(1, REPLY_BYTES);
      assertThat(replies.unreadBytes()).isGreaterThan(REPLY_BYTES);
      withinTheBudgetsAndOneReply();
      readAll();
    }
    assertThat(silent).allMatch(one -> one.channel.isActive());
    assertThat(budgets.reserve().taken()).isZero();
  }

  /** One that is alone in the reserve may be longer than that. */
  private void withinTheBudgetsAndOneReply() {
    assertThat(budgets.sending().taken()).isLessThanOrEqualTo(MOST_BYTES / 8 * 7);
    assertThat(budgets.reserve().taken()).isLessThan(2L * REPLY_BYTES);
  }

  @Test
  void clientsThatDoNotReadKeepTheirConnectionsForAWhileWhereNobodyWaits() {
    Client one = new Client();
    one.send(300, REPLY_BYTES);
    pass(ReplyBudgets.OWED_MILLIS);
    assertThat(one.channel.isActive()).isTrue();
    pass(STALLED_MILLIS);
    assertThat(one.channel.isActive()).isFalse();
    assertThat(budgets.sending().taken()).isZero();
    assertThat(budgets.waiting().taken()).isZero();
  }

  @Test
  void clientThatTakesALittleKeepsItsConnection() {
    Client slow = new Client();
    slow.send(300, 700 << 10);
    send(1, 100);
    readAll();
    silent();
    send(1, REPLY_BYTES);
    nowNanos += TimeUnit.MILLISECONDS.toNanos(ReplyBudgets.OWED_MILLIS);
    assertThat(slow.socket.takeOne()).isTrue();
    budgets.tick();
    assertThat(slow.channel.isActive()).isTrue();
    assertThat(replies.unreadBytes()).isGreaterThan(REPLY_BYTES);
  }
}
