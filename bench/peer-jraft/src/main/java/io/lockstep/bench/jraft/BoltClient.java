package io.lockstep.bench.jraft;

import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.option.CliOptions;
import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.util.Endpoint;
import com.alipay.sofa.jraft.util.RpcFactoryHelper;
import io.lockstep.bench.compare.Answer;
import io.lockstep.bench.compare.Cluster;
import io.lockstep.bench.compare.Operation;
import io.lockstep.bench.compare.OperationCodec;
import io.lockstep.bench.compare.PeerStore;
import io.lockstep.bench.compare.TableLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A client of whichever server leads, over SOFA-JRaft's own RPC. Thread-safe. */
final class BoltClient implements PeerStore {
  private static final int TIMEOUT_MILLIS = 5000;

  private final List<Endpoint> servers = new ArrayList<>();
  private final RpcClient rpc = RpcFactoryHelper.rpcFactory().createRpcClient();
  private volatile int leader;

  BoltClient(Cluster cluster) {
    BoltSerializer.register();
    for (int id = 0; id < Cluster.SERVERS; id++) {
      servers.add(new Endpoint(Cluster.HOST, cluster.port(id, 0)));
    }
    if (!rpc.init(new CliOptions())) {
      throw new IllegalStateException("the RPC client does not start");
    }
  }

  @Override
  public CompletableFuture<Void> declare(List<TableLayout> tables) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<Answer> submit(Operation operation) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    int server = leader;
    InvokeCallback callback =
        new InvokeCallback() {
          @Override
          public void complete(@Nullable Object result, @Nullable Throwable failure) {
            if (result instanceof BoltMessage message) {
              answered(server, message, answer);
            } else {
              failed(server, answer, String.valueOf(failure));
            }
          }

          @Override
          public Executor executor() {
            return Runnable::run;
          }
        };
    try {
      rpc.invokeAsync(
          servers.get(server),
          new BoltMessage(0, OperationCodec.encode(operation)),
          null,
          callback,
          TIMEOUT_MILLIS);
    } catch (RemotingException e) {
      failed(server, answer, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failed(server, answer, "interrupted");
    }
    return answer;
  }

  private void answered(int server, BoltMessage message, CompletableFuture<Answer> answer) {
    if (message.status() == FrameFormat.DONE) {
      answer.complete(OperationCodec.answer(ByteBuffer.wrap(message.bytes())));
    } else {
      failed(server, answer, message.status() == FrameFormat.FAILED ? "failed" : "does not lead");
    }
  }

  private void failed(int server, CompletableFuture<Answer> answer, String how) {
    if (leader == server) {
      leader = (server + 1) % Cluster.SERVERS;
    }
    answer.completeExceptionally(new IllegalStateException("server " + server + ": " + how));
  }

  @Override
  public void close() {
    rpc.shutdown();
  }
}
