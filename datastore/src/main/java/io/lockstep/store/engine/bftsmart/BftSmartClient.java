package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.ChangeHints;
import io.lockstep.store.engine.OrderingClient;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.machine.ReplacedMachines;
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
import java.util.concurrent.atomic.LongAdder;
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

  /** The least time between two looks for late replies. */
  private static final int TICK_MILLIS = 50;

  private static final int FIRST_SEQUENCE = 10;
  private static final int REPLY_HEADER_BYTES = 4 + 4 + 4 + 8 + PeerNote.CHAIN_BYTES;

  private final ClientConfig config;
  private final EventLoopGroup group;
  private final EventLoop loop;
  private final AtomicInteger outstanding = new AtomicInteger();
  private final LongAdder retries = new LongAdder();
  private final ConcurrentLinkedQueue<OutstandingRequest> submitted = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean takeScheduled = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();

  // Owned by the loop.
  private final List<ReplicaChannel> channels = new ArrayList<>();
  private final IntObjectHashMap<OutstandingRequest> requests = new IntObjectHashMap<>();
  private int session = ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);
  private int nextSequence;
  private final List<OutstandingRequest> gathered = new ArrayList<>();
  private final RetryTimer timer;
  private final RemoteHints hints;

  /** Whether a look for late replies is to come, and when. */
  private boolean looks;

  private long looksAtNanos;

  private BftSmartClient(ClientConfig config, int firstSequence) {
    this.config = config;
    this.nextSequence = firstSequence;
    this.timer = new RetryTimer(config.retryMillis());
    this.group =
        new NioEventLoopGroup(
            1, new DefaultThreadFactory("store-client-" + config.clientId(), true));
    this.loop = group.next();
    this.hints = new RemoteHints(loop, channels);
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
            for (OutstandingRequest request : requests.values()) {
              request.writtenTo &= ~channel.bit();
            }
            writeMissing(channel);
            hints.connected(channel);
          }

          @Override
          public void writable(ReplicaChannel channel) {
            writeMissing(channel);
          }

          @Override
          public void reply(int replica, ByteBuf frame) {
            if (!hints.take(replica, frame)) {
              received(replica, frame);
            }
          }

          @Override
          public void lost(ReplicaChannel channel) {
            hints.lost(channel);
          }
        };
    for (Member member : config.members()) {
      ReplicaChannel channel =
          new ReplicaChannel(config.clusterId(), config.keys(), member, loop, listener);
      channels.add(channel);
      channel.dial();
    }
  }

  @Override
  public CompletableFuture<byte[]> submit(byte[] content) {
    if (content.length > config.maxRequestBytes()) {
      return rejected(
          "request of " + content.length + " bytes, at most " + config.maxRequestBytes());
    }
    if (closed.get()) {
      return rejected("the client is closed");
    }
    if (outstanding.incrementAndGet() > config.window()) {
      outstanding.decrementAndGet();
      return rejected(config.window() + " requests are outstanding");
    }
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(config.deadlineMillis());
    OutstandingRequest request = new OutstandingRequest(content, deadline);
    submitted.add(request);
    if (takeScheduled.compareAndSet(false, true)) {
      try {
        loop.execute(this::take);
      } catch (RejectedExecutionException e) {
        failSubmitted();
      }
    } else if (closed.get()) {
      failSubmitted();
    }
    return request.result;
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
  public int requestsInFlight() {
    return outstanding.get();
  }

  @Override
  public long retriesSoFar() {
    return retries.sum();
  }

  @Override
  public void moved(ReplacedMachines machines) {
    loop.execute(
        () -> {
          for (int id = 0; id < channels.size(); id++) {
            channels.get(id).moved(MachineView.address(config.members().get(id), machines));
          }
        });
  }

  @Override
  public ChangeHints hints() {
    return hints;
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
    OutstandingRequest request;
    while ((request = submitted.poll()) != null) {
      send(request, now);
    }
    flush();
  }

  private void send(OutstandingRequest request, long nowNanos) {
    if (nextSequence == Integer.MAX_VALUE) {
      session = (session + 1) & Integer.MAX_VALUE;
      nextSequence = FIRST_SEQUENCE;
    }
    int sequence = nextSequence++;
    request.sentAs(session, sequence);
    if (request.attempts == 1) {
      request.sentNanos = nowNanos;
    }
    request.retryAtNanos = nowNanos + timer.patienceNanos(request.attempts);
    requests.put(sequence, request);
    gathered.add(request);
    lookAt(request.dueNanos(), nowNanos);
  }

  /** Looks for late replies at this time, unless an earlier look is to come. */
  private void lookAt(long dueNanos, long nowNanos) {
    long tickNanos = TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
    long at = nowNanos + Math.max(tickNanos, dueNanos - nowNanos);
    if (!looks || at - looksAtNanos < -tickNanos) {
      looks = true;
      looksAtNanos = at;
      long millis = TimeUnit.NANOSECONDS.toMillis(at - nowNanos) + 1;
      LoggedFailures.after(loop, "checking for late replies", millis, () -> look(at));
    }
  }

  /** An earlier look has taken the place of one whose time is not the noted one. */
  private void look(long atNanos) {
    if (looks && atNanos == looksAtNanos) {
      looks = false;
      tick();
    }
  }

  private static ByteBuf loopBuffer() {
    return PooledByteBufAllocator.DEFAULT.buffer(4096);
  }

  private void encode(OutstandingRequest request, ByteBuf out) {
    out.writeInt(ClientConnection.HEADER_BYTES + request.content.length);
    out.writeInt(config.clientId()).writeInt(request.session).writeInt(request.latestSequence());
    out.writeBytes(request.content);
  }

  private void flush() {
    if (gathered.isEmpty()) {
      return;
    }
    ByteBuf out = loopBuffer();
    for (OutstandingRequest request : gathered) {
      encode(request, out);
    }
    for (ReplicaChannel channel : channels) {
      if (channel.usable()) {
        channel.write(out.retainedDuplicate());
        for (OutstandingRequest request : gathered) {
          request.writtenTo |= channel.bit();
        }
      }
    }
    out.release();
    gathered.clear();
  }

  /** Writes to a replica the outstanding requests that it lacks, as long as it takes more. */
  private void writeMissing(ReplicaChannel channel) {
    for (IntObjectMap.PrimitiveEntry<OutstandingRequest> entry : requests.entries()) {
      OutstandingRequest request = entry.value();
      if (entry.key() == request.latestSequence()
          && (request.writtenTo & channel.bit()) == 0
          && channel.usable()) {
        request.writtenTo |= channel.bit();
        ByteBuf out = loopBuffer();
        encode(request, out);
        channel.write(out);
      }
    }
  }

  private void received(int replica, ByteBuf frame) {
    if (frame.readableBytes() < REPLY_HEADER_BYTES || frame.readInt() != session) {
      return;
    }
    int sequence = frame.readInt();
    OutstandingRequest request = requests.get(sequence);
    if (request == null) {
      return;
    }
    int regency = frame.readInt();
    long instance = frame.readLong();
    byte[] chain = new byte[PeerNote.CHAIN_BYTES];
    frame.readBytes(chain);
    byte[] reply = new byte[frame.readableBytes()];
    frame.readBytes(reply);
    if (request.agreed(replica, sequence, regency, instance, chain, reply, config.agreement())) {
      remove(request);
      timer.answered(System.nanoTime() - request.sentNanos);
      request.result.complete(reply);
    }
  }

  private void remove(OutstandingRequest request) {
    for (int i = 0; i < request.attempts; i++) {
      requests.remove(request.sequences[i]);
    }
    outstanding.decrementAndGet();
  }

  private void tick() {
    if (requests.isEmpty()) {
      return;
    }
    long now = System.nanoTime();
    List<OutstandingRequest> late = new ArrayList<>();
    long nextNanos = Long.MAX_VALUE;
    for (IntObjectMap.PrimitiveEntry<OutstandingRequest> entry : requests.entries()) {
      OutstandingRequest request = entry.value();
      if (entry.key() != request.latestSequence()) {
        continue;
      }
      if (now - request.dueNanos() >= 0) {
        late.add(request);
      } else {
        nextNanos = Math.min(nextNanos, request.dueNanos() - now);
      }
    }
    if (nextNanos != Long.MAX_VALUE) {
      lookAt(now + nextNanos, now);
    }
    for (OutstandingRequest request : late) {
      if (now - request.deadlineNanos >= 0) {
        remove(request);
        request.result.completeExceptionally(
            new TimeoutException(
                "no agreement of replicas after "
                    + config.deadlineMillis()
                    + " ms"
                    + (obstacle().isEmpty() ? "" : ": " + obstacle())));
      } else {
        retries.increment();
        send(request, now);
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
    // Does not fail: it completes when the loop has ended.
    var unused = group.shutdownGracefully(0, 500, TimeUnit.MILLISECONDS);
  }

  private void end() {
    channels.forEach(ReplicaChannel::close);
    List<OutstandingRequest> open = new ArrayList<>();
    for (IntObjectMap.PrimitiveEntry<OutstandingRequest> entry : requests.entries()) {
      if (entry.key() == entry.value().latestSequence()) {
        open.add(entry.value());
      }
    }
    for (OutstandingRequest request : open) {
      remove(request);
      request.result.completeExceptionally(new TimeoutException("the client was closed"));
    }
    failSubmitted();
  }

  private void failSubmitted() {
    OutstandingRequest request;
    while ((request = submitted.poll()) != null) {
      outstanding.decrementAndGet();
      request.result.completeExceptionally(new RejectedExecutionException("the client is closed"));
    }
  }
}
