package io.lockstep.store.engine.bftsmart;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/** A peer that keeps to the protocol only as far as a test wants it to. */
final class RawClient implements AutoCloseable {
  private static final int READ_MILLIS = 20_000;

  private final Socket socket = new Socket();
  final DataOutputStream out;
  private final DataInputStream in;

  private RawClient(int port, int receiveBytes, byte[] first) throws IOException {
    if (receiveBytes > 0) {
      socket.setReceiveBufferSize(receiveBytes);
    }
    socket.setSoTimeout(READ_MILLIS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    out = new DataOutputStream(socket.getOutputStream());
    in = new DataInputStream(socket.getInputStream());
    out.write(first);
  }

  /**
   * Connects and says this at once: the other end waits for a handshake only so long, and making
   * one takes time.
   */
  static RawClient dial(int port, byte[] first) throws IOException {
    return new RawClient(port, 0, first);
  }

  /** One whose machine takes hardly anything that it does not read. */
  static RawClient dialNarrow(int port, byte[] first) throws IOException {
    return new RawClient(port, 4096, first);
  }

  static byte[] frame(Handshake hello) {
    ByteBuf frame = Unpooled.buffer();
    hello.encode(frame);
    return ByteBufUtil.getBytes(frame);
  }

  /** What the other end says of itself; null where it is no handshake. */
  @Nullable Handshake greeting() throws IOException {
    return Handshake.decode(Unpooled.wrappedBuffer(frame()));
  }

  /** The next frame without its length. */
  byte[] frame() throws IOException {
    byte[] frame = new byte[in.readInt()];
    in.readFully(frame);
    return frame;
  }

  /** A request as a frame. */
  static byte[] request(int client, int session, int sequence, byte[] content) {
    ByteBuf frame = Unpooled.buffer();
    frame.writeInt(ClientConnection.HEADER_BYTES + content.length);
    frame.writeInt(client).writeInt(session).writeInt(sequence).writeBytes(content);
    return ByteBufUtil.getBytes(frame);
  }

  /** Waits for the end of the connection; false where anything else comes. */
  boolean ended() throws IOException {
    try {
      return in.read() == -1;
    } catch (SocketException reset) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
