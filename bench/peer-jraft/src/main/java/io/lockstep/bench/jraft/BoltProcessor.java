package io.lockstep.bench.jraft;

import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcProcessor;
import java.util.concurrent.Executor;

/** Requests over SOFA-JRaft's own RPC. */
final class BoltProcessor implements RpcProcessor<BoltMessage> {
  private final Requests requests;

  BoltProcessor(Requests requests) {
    this.requests = requests;
    BoltSerializer.register();
  }

  @Override
  public void handleRequest(RpcContext context, BoltMessage request) {
    requests.carryOut(
        request.bytes(), (status, answer) -> context.sendResponse(new BoltMessage(status, answer)));
  }

  /** On the network's thread: what a request does there is short and waits for nothing. */
  @Override
  public Executor executor() {
    return Runnable::run;
  }

  @Override
  public String interest() {
    return BoltMessage.class.getName();
  }
}
