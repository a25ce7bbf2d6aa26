package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The client port of a replica that answers what a test tells it to. */
final class FakeReplica implements AutoCloseable {

  /** What it answers to a request, or null for nothing. */
  record Answer(int regency, long instance, int history, byte[] bytes) {
    Answer(long instance, int history, byte[] bytes) {
      this(0, instance, history, bytes);
    }
  }

  /** Decides on an answer. Called by one thread for each connection. */
  interface Script {
    @org.jspecify.annotations.Nullable
    Answer answer(int sequence, byte[] request);
  }

  /** A request as it came. */
  record Seen(int session, int sequence, byte[] request) {}

  private final byte[] greeting;
  private final ServerSocket port;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  final List<Seen> seen = new CopyOnWriteArrayList<>();
  private volatile Script script;
  private volatile int copies = 1;

  FakeReplica(Member member, String cluster, Script script) throws IOException {
    this(member, RawClient.frame(Handshake.toClient(cluster, member.id())), script);
  }

  /** One that answers a client's handshake with these bytes. */
  FakeReplica(Member member, byte[] greeting, Script script) throws IOException {
    this.greeting = greeting;
    this.script = script;
    this.port = new ServerSocket(member.port(), 16, InetAddress.getLoopbackAddress());
    run("fake-replica-accept", this::accept);
  }

  /** Ends the connections that there are. */
  void disconnect() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  void follow(Script next) {
    script = next;
  }

  /** From now on it sends each answer so many times. */
  void sayTimes(int times) {
    copies = times;
  }

  private static void run(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = port.accept();
        // An answer is several writes.
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        run("fake-replica", () -> serve(socket));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      in.readFully(new byte[in.readInt()]);
      out.write(greeting);
      while (true) {
        byte[] request = new byte[in.readInt() - ClientConnection.HEADER_BYTES];
        in.readInt();
        int session = in.readInt();
        int sequence = in.readInt();
        in.readFully(request);
        seen.add(new Seen(session, sequence, request));
        Answer answer = script.answer(sequence, request);
        for (int copy = 0; answer != null && copy < copies; copy++) {
          out.writeInt(4 + 4 + 4 + 8 + 32 + answer.bytes.length);
          out.writeInt(session);
          out.writeInt(sequence);
          out.writeInt(answer.regency);
          out.writeLong(answer.instance);
          out.write(new byte[28]);
          out.writeInt(answer.history);
          out.write(answer.bytes);
        }
      }
    } catch (IOException closed) {
      // The client or the test is gone.
    }
  }

  @Override
  public void close() throws IOException {
    port.close();
    disconnect();
  }
}
