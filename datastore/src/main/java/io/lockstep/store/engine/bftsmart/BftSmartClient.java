package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.OrderingClient;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Sends requests to all replicas. A request succeeds when f+1 replicas send the same reply from the
 * same place in the same history (regency, instance and chain hash). Until then the client sends
 * the same bytes again under a new number, as {@link RetryTimer} says. A replica that stopped
 * reading gets the outstanding requests when it reads again.
 *
 * <p>Replaces the library's client, which waits for dead replicas, blocks under a lock, and turns a
 * time-out into a null (hazards 1, 2 and 9).
 *
 * <p>One event loop, {@link #loop}, owns all state. Any thread may submit. Requests that are
 * submitted while the loop is busy leave together, with one write for each replica.
 *
 * <p>Thread-safe.
 */
public final class BftSmartClient implements OrderingClient {
  private static final int TICK_MILLIS = 50;
  private static final int FIRST_SEQUENCE = 10;
  private static final int REPLY_HEADER_BYTES = 4 + 4 + 4 + 8 + PeerNote.CHAIN_BYTES;

  private final ClientConfig config;
  private final EventLoopGroup group;
  private final EventLoop loop;
  private final AtomicInteger outstanding = new AtomicInteger();
  private final ConcurrentLinkedQueue<Call> submitted = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean takeScheduled = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();

  // Owned by the loop.
  private final List<ReplicaChannel> channels = new ArrayList<>();
  private final IntObjectHashMap<Call> calls = new IntObjectHashMap<>();
  private int session = ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);
  private int nextSequence;
  private final List<Call> gathered = new ArrayList<>();
  private final RetryTimer timer;

  private BftSmartClient(ClientConfig config, int firstSequence) {
    this.config = config;
    this.nextSequence = firstSequence;
    this.timer = new RetryTimer(config.retryMillis());
    this.group =
        new NioEventLoopGroup(
            1, new DefaultThreadFactory("store-client-" + config.clientId(), true));
    this.loop = group.next();
  }

  /** Makes a client that connects in the background. It takes requests at once. */
  public static BftSmartClient connect(ClientConfig config) {
    return connect(config, FIRST_SEQUENCE);
  }

  /** Makes a client whose first request has this number. */
  static BftSmartClient connect(ClientConfig config, int firstSequence) {
    BftSmartClient client = new BftSmartClient(config, firstSequence);
    client.loop.execute(client::begin);
    return client;
  }

  private void begin() {
    ReplicaChannel.Listener listener =
        new ReplicaChannel.Listener() {
          @Override
          public void connected(ReplicaChannel channel) {
            for (Call call : calls.values()) {
              call.writtenTo &= ~channel.bit();
            }
            writeMissing(channel);
          }

          @Override
          public void writable(ReplicaChannel channel) {
            writeMissing(channel);
          }

          @Override
          public void reply(int replica, ByteBuf frame) {
            received(replica, frame);
          }
        };
    for (Member member : config.members()) {
      ReplicaChannel channel = new ReplicaChannel(config.clusterId(), member, loop, listener);
      channels.add(channel);
      channel.dial();
    }
    loop.scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public CompletableFuture<byte[]> submit(byte[] request) {
    if (request.length > config.maxRequestBytes()) {
      return rejected(
          "request of " + request.length + " bytes, at most " + config.maxRequestBytes());
    }
    if (closed.get()) {
      return rejected("the client is closed");
    }
    if (outstanding.incrementAndGet() > config.window()) {
      outstanding.decrementAndGet();
      return rejected(config.window() + " requests are outstanding");
    }
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(config.deadlineMillis());
    Call call = new Call(request, deadline);
    submitted.add(call);
    if (takeScheduled.compareAndSet(false, true)) {
      try {
        loop.execute(this::take);
      } catch (RejectedExecutionException e) {
        failSubmitted();
      }
    } else if (closed.get()) {
      failSubmitted();
    }
    return call.result;
  }

  private static CompletableFuture<byte[]> rejected(String why) {
    return CompletableFuture.failedFuture(new RejectedExecutionException(why));
  }

  @Override
  public int window() {
    return config.window();
  }

  @Override
  public ScheduledExecutorService loop() {
    return loop;
  }

  @Override
  public String obstacle() {
    return channels.stream()
        .map(ReplicaChannel::refusal)
        .filter(Objects::nonNull)
        .collect(Collectors.joining("; "));
  }

  // ---------------------------------------------------------------- on the loop

  private void take() {
    takeScheduled.set(false);
    long now = System.nanoTime();
    Call call;
    while ((call = submitted.poll()) != null) {
      send(call, now);
    }
    flush();
  }

  private void send(Call call, long nowNanos) {
    if (nextSequence == Integer.MAX_VALUE) {
      session = (session + 1) & Integer.MAX_VALUE;
      nextSequence = FIRST_SEQUENCE;
    }
    int sequence = nextSequence++;
    call.sentAs(session, sequence);
    if (call.attempts == 1) {
      call.sentNanos = nowNanos;
    }
    call.retryAtNanos = nowNanos + timer.patienceNanos(call.attempts);
    calls.put(sequence, call);
    gathered.add(call);
  }

  private static ByteBuf loopBuffer() {
    return PooledByteBufAllocator.DEFAULT.buffer(4096);
  }

  private void encode(Call call, ByteBuf out) {
    out.writeInt(ClientConnection.HEADER_BYTES + call.request.length);
    out.writeInt(config.clientId()).writeInt(call.session).writeInt(call.latestSequence());
    out.writeBytes(call.request);
  }

  private void flush() {
    if (gathered.isEmpty()) {
      return;
    }
    ByteBuf out = loopBuffer();
    for (Call call : gathered) {
      encode(call, out);
    }
    for (ReplicaChannel channel : channels) {
      if (channel.usable()) {
        channel.write(out.retainedDuplicate());
        for (Call call : gathered) {
          call.writtenTo |= channel.bit();
        }
      }
    }
    out.release();
    gathered.clear();
  }

  /** Writes to a replica the outstanding requests that it lacks, as long as it takes more. */
  private void writeMissing(ReplicaChannel channel) {
    for (IntObjectMap.PrimitiveEntry<Call> entry : calls.entries()) {
      Call call = entry.value();
      if (entry.key() == call.latestSequence()
          && (call.writtenTo & channel.bit()) == 0
          && channel.usable()) {
        call.writtenTo |= channel.bit();
        ByteBuf out = loopBuffer();
        encode(call, out);
        channel.write(out);
      }
    }
  }

  private void received(int replica, ByteBuf frame) {
    if (frame.readableBytes() < REPLY_HEADER_BYTES || frame.readInt() != session) {
      return;
    }
    int sequence = frame.readInt();
    Call call = calls.get(sequence);
    if (call == null) {
      return;
    }
    int regency = frame.readInt();
    long instance = frame.readLong();
    byte[] chain = new byte[PeerNote.CHAIN_BYTES];
    frame.readBytes(chain);
    byte[] reply = new byte[frame.readableBytes()];
    frame.readBytes(reply);
    if (call.agreed(replica, sequence, regency, instance, chain, reply, config.agreement())) {
      remove(call);
      timer.answered(System.nanoTime() - call.sentNanos);
      call.result.complete(reply);
    }
  }

  private void remove(Call call) {
    for (int i = 0; i < call.attempts; i++) {
      calls.remove(call.sequences[i]);
    }
    outstanding.decrementAndGet();
  }

  private void tick() {
    if (calls.isEmpty()) {
      return;
    }
    long now = System.nanoTime();
    List<Call> late = new ArrayList<>();
    for (IntObjectMap.PrimitiveEntry<Call> entry : calls.entries()) {
      Call call = entry.value();
      if (entry.key() == call.latestSequence()
          && (now - call.retryAtNanos >= 0 || now - call.deadlineNanos >= 0)) {
        late.add(call);
      }
    }
    for (Call call : late) {
      if (now - call.deadlineNanos >= 0) {
        remove(call);
        call.result.completeExceptionally(
            new TimeoutException(
                "no agreement of replicas after "
                    + config.deadlineMillis()
                    + " ms"
                    + (obstacle().isEmpty() ? "" : ": " + obstacle())));
      } else {
        send(call, now);
      }
    }
    flush();
  }

  // ---------------------------------------------------------------- closing

  /**
   * Fails outstanding requests with {@link TimeoutException}, since their outcome is unknown. Does
   * not wait.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    loop.execute(this::end);
    group.shutdownGracefully(0, 500, TimeUnit.MILLISECONDS);
  }

  private void end() {
    channels.forEach(ReplicaChannel::close);
    List<Call> open = new ArrayList<>();
    for (IntObjectMap.PrimitiveEntry<Call> entry : calls.entries()) {
      if (entry.key() == entry.value().latestSequence()) {
        open.add(entry.value());
      }
    }
    for (Call call : open) {
      remove(call);
      call.result.completeExceptionally(new TimeoutException("the client was closed"));
    }
    failSubmitted();
  }

  private void failSubmitted() {
    Call call;
    while ((call = submitted.poll()) != null) {
      outstanding.decrementAndGet();
      call.result.completeExceptionally(new RejectedExecutionException("the client is closed"));
    }
  }
}
