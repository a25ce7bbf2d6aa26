package io.lockstep.deploy.placed;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A connection that speaks as much OpenFlow 1.3 as a switch without ports and entries must: it
 * takes every role, or none, and confirms every barrier. What else is sent is up to the test.
 */
public final class RawSwitch implements AutoCloseable {
  private static final int HEADER_BYTES = 8;
  private static final int DESCRIPTION_BYTES = 1_056;

  private static final int ERROR = 1;
  private static final int ECHO_REQUEST = 2;
  private static final int ECHO_REPLY = 3;
  private static final int FEATURES_REQUEST = 5;
  private static final int FEATURES_REPLY = 6;
  private static final int FLOW_REMOVED = 11;
  private static final int MULTIPART_REQUEST = 18;
  private static final int MULTIPART_REPLY = 19;
  private static final int BARRIER_REQUEST = 20;
  private static final int BARRIER_REPLY = 21;
  private static final int ROLE_REQUEST = 24;
  private static final int ROLE_REPLY = 25;

  private static final int DESCRIPTION = 0;
  private static final int FLOWS = 1;
  private static final int PORTS = 13;

  private final long dpid;
  private final Socket socket;
  private final OutputStream out;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ConcurrentHashMap<Integer, CountDownLatch> echoes = new ConcurrentHashMap<>();

  private final boolean takesRoles;
  private final CountDownLatch refused = new CountDownLatch(2);

  /** Connects to a node at this machine. */
  RawSwitch(long dpid, int port) throws IOException {
    this(dpid, port, true);
  }

  /** The same, perhaps of a switch that refuses each role (OpenFlow 1.3.5 section 7.4.4). */
  public RawSwitch(long dpid, int port, boolean takesRoles) throws IOException {
    this.dpid = dpid;
    this.takesRoles = takesRoles;
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    this.out = socket.getOutputStream();
    send(message(0, 1, new byte[0]));
    Thread reader = new Thread(this::read, "raw-switch");
    reader.setDaemon(true);
    reader.start();
  }

  private static byte[] message(int type, int xid, byte[] body) {
    int length = HEADER_BYTES + body.length;
    return ByteBuffer.allocate(length)
        .put((byte) 4)
        .put((byte) type)
        .putShort((short) length)
        .putInt(xid)
        .put(body)
        .array();
  }

  /** An entry with this cookie went by its hard time-out (OpenFlow 1.3.5 section 7.4.2). */
  static byte[] flowRemoved(long cookie) {
    ByteBuffer body = ByteBuffer.allocate(48).putLong(cookie).putShort((short) 1).put((byte) 1);
    body.position(40);
    body.putShort((short) 1).putShort((short) 4);
    return message(FLOW_REMOVED, 0, body.array());
  }

  /** Sends as it is; from any thread. */
  void send(byte[] bytes) throws IOException {
    synchronized (out) {
      out.write(bytes);
    }
  }

  /** Waits until the node has read all that was sent; false where it does not answer in 60 s. */
  boolean awaitRead(int xid) throws IOException, InterruptedException {
    CountDownLatch answered = new CountDownLatch(1);
    echoes.put(xid, answered);
    send(message(ECHO_REQUEST, xid, new byte[0]));
    return answered.await(60, TimeUnit.SECONDS);
  }

  /** Waits until the node closes the connection; false where it does not in 60 s. */
  boolean awaitClosed() throws InterruptedException {
    return closed.await(60, TimeUnit.SECONDS);
  }

  /** Waits until two role requests were refused; false where they do not come in 60 s. */
  public boolean awaitRefused() throws InterruptedException {
    return refused.await(60, TimeUnit.SECONDS);
  }

  private void read() {
    try {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        in.readByte();
        int type = in.readUnsignedByte();
        byte[] body = new byte[in.readUnsignedShort() - HEADER_BYTES];
        int xid = in.readInt();
        in.readFully(body);
        answer(type, xid, body);
      }
    } catch (IOException e) {
      closed.countDown();
    }
  }

  private void answer(int type, int xid, byte[] body) throws IOException {
    switch (type) {
      case ECHO_REQUEST -> send(message(ECHO_REPLY, xid, body));
      case ECHO_REPLY -> {
        CountDownLatch waiting = echoes.remove(xid);
        if (waiting != null) {
          waiting.countDown();
        }
      }
      case FEATURES_REQUEST ->
          send(
              message(
                  FEATURES_REPLY,
                  xid,
                  ByteBuffer.allocate(24).putLong(dpid).putInt(0).put((byte) 1).array()));
      case MULTIPART_REQUEST -> multipart(xid, ByteBuffer.wrap(body).getShort());
      case BARRIER_REQUEST -> send(message(BARRIER_REPLY, xid, body));
      case ROLE_REQUEST -> {
        if (takesRoles) {
          send(message(ROLE_REPLY, xid, body));
        } else {
          send(message(ERROR, xid, new byte[] {0, 11, 0, 2}));
          refused.countDown();
        }
      }
      default -> {
        // Flow-mods and packet-outs are taken for carried out.
      }
    }
  }

  private void multipart(int xid, int part) throws IOException {
    if (part != DESCRIPTION && part != FLOWS && part != PORTS) {
      send(message(ERROR, xid, new byte[] {0, 1, 0, 2}));
      return;
    }
    int bytes = HEADER_BYTES + (part == DESCRIPTION ? DESCRIPTION_BYTES : 0);
    send(message(MULTIPART_REPLY, xid, ByteBuffer.allocate(bytes).putShort((short) part).array()));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
