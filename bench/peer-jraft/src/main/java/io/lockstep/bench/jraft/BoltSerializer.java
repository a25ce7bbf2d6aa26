package io.lockstep.bench.jraft;

import com.alipay.remoting.CustomSerializerManager;
import com.alipay.remoting.DefaultCustomSerializer;
import com.alipay.remoting.InvokeContext;
import com.alipay.remoting.rpc.RequestCommand;
import com.alipay.remoting.rpc.ResponseCommand;
import com.alipay.remoting.rpc.protocol.RpcRequestCommand;
import com.alipay.remoting.rpc.protocol.RpcResponseCommand;
import java.nio.ByteBuffer;

/**
 * The bytes of messages over SOFA-JRaft's own RPC: a status (1 byte), then the message's own. The
 * RPC's default, Hessian, would write the name of the class and of its fields with each and look
 * them up again. Stateless.
 */
final class BoltSerializer extends DefaultCustomSerializer {
  private BoltSerializer() {}

  /** Has this process use it; more than once changes nothing. */
  static synchronized void register() {
    String name = BoltMessage.class.getName();
    if (CustomSerializerManager.getCustomSerializer(name) == null) {
      CustomSerializerManager.registerCustomSerializer(name, new BoltSerializer());
    }
  }

  private static byte[] encode(Object object) {
    BoltMessage message = (BoltMessage) object;
    return ByteBuffer.allocate(1 + message.bytes().length)
        .put((byte) message.status())
        .put(message.bytes())
        .array();
  }

  private static BoltMessage decode(byte[] content) {
    byte[] bytes = new byte[content.length - 1];
    System.arraycopy(content, 1, bytes, 0, bytes.length);
    return new BoltMessage(content[0], bytes);
  }

  @Override
  public <T extends RequestCommand> boolean serializeContent(T request, InvokeContext context) {
    request.setContent(encode(((RpcRequestCommand) request).getRequestObject()));
    return true;
  }

  @Override
  public <T extends ResponseCommand> boolean serializeContent(T response) {
    response.setContent(encode(((RpcResponseCommand) response).getResponseObject()));
    return true;
  }

  @Override
  public <T extends RequestCommand> boolean deserializeContent(T request) {
    ((RpcRequestCommand) request).setRequestObject(decode(request.getContent()));
    return true;
  }

  @Override
  public <T extends ResponseCommand> boolean deserializeContent(T response, InvokeContext context) {
    ((RpcResponseCommand) response).setResponseObject(decode(response.getContent()));
    return true;
  }
}
