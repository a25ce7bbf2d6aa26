package io.lockstep.bench.jraft;

import io.lockstep.bench.compare.Answer;
import io.lockstep.bench.compare.Cluster;
import io.lockstep.bench.compare.Operation;
import io.lockstep.bench.compare.OperationCodec;
import io.lockstep.bench.compare.PeerStore;
import io.lockstep.bench.compare.TableLayout;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A client of whichever server leads. A server that does not lead says so; the operation fails and
 * the next one goes to the next server. Thread-safe; answers arrive on its one thread.
 */
final class LeaderClient implements PeerStore {
  private static final int CONNECT_SECONDS = 60;
  private static final int RETRY_MILLIS = 100;

  private final EventLoopGroup loop = new NioEventLoopGroup(1);
  private final Channel[] servers = new Channel[Cluster.SERVERS];
  private final Map<Integer, CompletableFuture<Answer>> waiting = new ConcurrentHashMap<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private volatile int leader;

  private LeaderClient() {}

  /** Connects to all servers; waits for those that are still starting. */
  static LeaderClient connect(Cluster cluster) throws InterruptedException {
    LeaderClient client = new LeaderClient();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CONNECT_SECONDS);
    for (int id = 0; id < Cluster.SERVERS; id++) {
      int server = id;
      Bootstrap bootstrap =
          new Bootstrap()
              .group(client.loop)
              .channel(NioSocketChannel.class)
              .handler(FrameFormat.with(() -> client.new AnswerHandler(server)));
      ChannelFuture connected;
      do {
        connected = bootstrap.connect(Cluster.HOST, cluster.port(id, FrameFormat.PORT)).await();
        if (!connected.isSuccess()) {
          if (System.nanoTime() - deadline > 0) {
            throw new IllegalStateException("server " + id + " is not there", connected.cause());
          }
          client.loop.terminationFuture().await(RETRY_MILLIS);
        }
      } while (!connected.isSuccess());
      client.servers[id] = connected.channel();
    }
    return client;
  }

  @Override
  public CompletableFuture<Void> declare(List<TableLayout> tables) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<Answer> submit(Operation operation) {
    byte[] bytes = OperationCodec.encode(operation);
    int number = numbers.getAndIncrement();
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    waiting.put(number, answer);
    Channel server = servers[leader];
    ByteBuf out = server.alloc().buffer(4 + FrameFormat.REQUEST_HEADER_BYTES + bytes.length);
    out.writeInt(FrameFormat.REQUEST_HEADER_BYTES + bytes.length)
        .writeInt(number)
        .writeBytes(bytes);
    server
        .writeAndFlush(out)
        .addListener(
            written -> {
              if (!written.isSuccess()) {
                waiting.remove(number);
                answer.completeExceptionally(written.cause());
              }
            });
    return answer;
  }

  private void answered(int server, ByteBuf frame) {
    CompletableFuture<Answer> answer = waiting.remove(frame.readInt());
    if (answer == null) {
      return;
    }
    int status = frame.readByte();
    if (status == FrameFormat.DONE) {
      answer.complete(OperationCodec.answer(frame.nioBuffer()));
    } else {
      if (status == FrameFormat.NOT_LEADER && leader == server) {
        leader = (server + 1) % servers.length;
      }
      answer.completeExceptionally(
          new IllegalStateException(
              "server " + server + (status == FrameFormat.FAILED ? " failed" : " does not lead")));
    }
  }

  @Override
  public void close() {
    loop.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
  }

  private final class AnswerHandler extends SimpleChannelInboundHandler<ByteBuf> {
    private final int server;

    AnswerHandler(int server) {
      this.server = server;
    }

    @Override
    protected void channelRead0(@Nullable ChannelHandlerContext context, ByteBuf frame) {
      answered(server, frame);
    }
  }
}
