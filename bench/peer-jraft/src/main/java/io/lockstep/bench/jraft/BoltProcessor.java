package io.lockstep.bench.jraft;

import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcProcessor;

/** Requests over SOFA-JRaft's own RPC. */
final class BoltProcessor implements RpcProcessor<BoltMessage> {
  private final Requests requests;

  BoltProcessor(Requests requests) {
    this.requests = requests;
  }

  @Override
  public void handleRequest(RpcContext context, BoltMessage request) {
    requests.carryOut(
        request.bytes(), (status, answer) -> context.sendResponse(new BoltMessage(status, answer)));
  }

  @Override
  public String interest() {
    return BoltMessage.class.getName();
  }
}
