package io.lockstep.bench.etcd;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.PutResponse;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.lockstep.bench.compare.Answer;
import io.lockstep.bench.compare.Cluster;
import io.lockstep.bench.compare.Operation;
import io.lockstep.bench.compare.PeerStore;
import io.lockstep.bench.compare.Procedures;
import io.lockstep.bench.compare.TableLayout;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A client of the server that leads when tables are declared: another one would pass every write
 * and the question of how far a read must wait on to it. Should another server lead later, the one
 * that is asked does just that. Continuations run on the network's one thread. Thread-safe.
 */
final class EtcdStore implements PeerStore {
  private static final int ADDRESS_BYTES = 4;

  private final List<ManagedChannel> channels;
  private final EventLoopGroup loop;
  private volatile KVGrpc.KVFutureStub leader;
  private final Tables tables = new Tables();

  private EtcdStore(List<ManagedChannel> channels, EventLoopGroup loop) {
    this.channels = channels;
    this.loop = loop;
    this.leader = KVGrpc.newFutureStub(channels.get(0));
  }

  static EtcdStore connect(Cluster cluster) {
    List<ManagedChannel> channels = new ArrayList<>();
    EventLoopGroup loop = new NioEventLoopGroup(1);
    for (int id = 0; id < Cluster.SERVERS; id++) {
      channels.add(
          NettyChannelBuilder.forAddress(Cluster.HOST, cluster.port(id, 0))
              .usePlaintext()
              .eventLoopGroup(loop)
              .channelType(NioSocketChannel.class)
              .directExecutor()
              .build());
    }
    return new EtcdStore(channels, loop);
  }

  /** Finds the leader; fails where there is none yet. */
  @Override
  public CompletableFuture<Void> declare(List<TableLayout> declared) {
    List<CompletableFuture<Boolean>> leads = channels.stream().map(EtcdStore::leads).toList();
    return CompletableFuture.allOf(leads.toArray(CompletableFuture[]::new))
        .thenAccept(
            all -> {
              int index = leads.stream().map(CompletableFuture::join).toList().indexOf(true);
              if (index < 0) {
                throw new IllegalStateException("no server leads");
              }
              leader = KVGrpc.newFutureStub(channels.get(index));
            });
  }

  private static CompletableFuture<Boolean> leads(ManagedChannel channel) {
    return then(
        MaintenanceGrpc.newFutureStub(channel).status(StatusRequest.getDefaultInstance()),
        status -> status.getLeader() == status.getHeader().getMemberId());
  }

  @Override
  public CompletableFuture<Answer> submit(Operation operation) {
    if (operation instanceof Operation.Get get) {
      return then(leader.range(Requests.range(get.table(), get.key())), EtcdStore::read);
    } else if (operation instanceof Operation.Put put) {
      return Procedures.owns(put.table()) ? prepare(put) : put(put);
    } else if (operation instanceof Operation.ReplaceValue replace) {
      return then(
          leader.txn(Requests.replace(replace)), answer -> Answer.of(answer.getSucceeded()));
    } else if (operation instanceof Operation.Increment increment) {
      return then(
          leader.put(Requests.count(increment.table(), increment.key())),
          answer -> Answer.counter(answer.getPrevKv().getVersion() + 1));
    } else if (operation instanceof Operation.Call call) {
      return then(leader.txn(Requests.call(call)), answer -> returned(call, answer));
    }
    throw new IllegalArgumentException("peers are not asked " + operation);
  }

  private CompletableFuture<Answer> put(Operation.Put put) {
    ListenableFuture<PutResponse> answer =
        leader.put(Requests.put(put.table(), put.key(), put.value()));
    return then(answer, done -> Answer.written());
  }

  private CompletableFuture<Answer> prepare(Operation.Put put) {
    CompletableFuture<?>[] puts =
        tables.denormalise(put).stream().map(this::put).toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(puts).thenApply(done -> Answer.written());
  }

  private static Answer read(RangeResponse range) {
    return range.getKvsCount() == 0
        ? Answer.nothing()
        : Answer.of(range.getKvs(0).getValue().toByteArray(), range.getKvs(0).getVersion());
  }

  private static Answer returned(Operation.Call call, TxnResponse answer) {
    return switch (call.procedure()) {
      case LEARN -> read(answer.getResponses(1).getResponseRange());
      case VIP -> read(answer.getResponses(0).getResponseRange());
      case NEXT_MEMBER -> member(answer);
      case DEVICES -> Procedures.pair(value(answer.getResponses(0)), value(answer.getResponses(1)));
      case SEEN -> Answer.of(answer.getSucceeded());
      case CREATE -> Answer.counter(answer.getHeader().getRevision());
    };
  }

  private static Answer member(TxnResponse answer) {
    byte[] members = value(answer.getResponses(1));
    if (members == null) {
      return Answer.nothing();
    }
    long turn = answer.getResponses(0).getResponsePut().getPrevKv().getVersion() + 1;
    int from = (int) (turn % Procedures.MEMBERS) * ADDRESS_BYTES;
    return Answer.of(Arrays.copyOfRange(members, from, from + ADDRESS_BYTES), 0);
  }

  private static byte @Nullable [] value(ResponseOp answer) {
    return read(answer.getResponseRange()).value();
  }

  private static <T, R> CompletableFuture<R> then(ListenableFuture<T> answer, Function<T, R> read) {
    CompletableFuture<T> future = new CompletableFuture<>();
    Futures.addCallback(
        answer,
        new FutureCallback<T>() {
          @Override
          public void onSuccess(@Nullable T result) {
            future.complete(Objects.requireNonNull(result));
          }

          @Override
          public void onFailure(Throwable failure) {
            future.completeExceptionally(failure);
          }
        },
        MoreExecutors.directExecutor());
    return future.thenApply(read);
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    loop.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
  }
}
