package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.log.Decision;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A real client port and a store behind it that answers at once, without other replicas. */
final class SoloStore implements AutoCloseable {
  private static final long STALLED_MILLIS = 1_000;

  private final EventLoop loop =
      new NioEventLoopGroup(1, new DefaultThreadFactory("solo-store", true)).next();
  private final ClientPort port;

  // Owned by the loop.
  private final StoreStateMachine machine = new StoreStateMachine(List.of());
  private long instance;
  private long mostUnreadBytes;

  SoloStore(ReplicaConfig config) {
    port = new ClientPort(config, loop, this::order, STALLED_MILLIS);
    port.give(machine.hints());
    port.open();
    port.accept(true);
  }

  private void order(ClientRequest request) {
    OrderedReply reply =
        machine.apply(instance, System.currentTimeMillis(), List.of(request.getContent())).get(0);
    Decision decision = new Decision(instance++, 0, new byte[Decision.CHAIN_BYTES], new byte[0]);
    request.leave();
    port.send(decision, 0, List.of(request), List.of(reply));
    ClientReplies client = port.repliesOf(request.getSender(), request.getSession());
    if (client != null) {
      mostUnreadBytes = Math.max(mostUnreadBytes, client.unreadBytes());
    }
  }

  /** How many requests reached the store. */
  long requests() throws Exception {
    return onLoop(() -> instance);
  }

  /** The most that ever waited for one client. */
  long mostUnreadBytes() throws Exception {
    return onLoop(() -> mostUnreadBytes);
  }

  private <T> T onLoop(Callable<T> question)
      throws InterruptedException, ExecutionException, TimeoutException {
    return loop.submit(question).get(20, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    loop.shutdownGracefully(0, 500, TimeUnit.MILLISECONDS).awaitUninterruptibly(60_000);
  }
}
