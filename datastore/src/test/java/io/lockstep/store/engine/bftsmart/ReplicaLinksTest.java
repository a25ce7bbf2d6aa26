package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import bftsmart.communication.SystemMessage;
import bftsmart.consensus.messages.MessageFactory;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Limits;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Timing;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.nio.NioEventLoopGroup;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Replica links over real sockets; replica 0 is the one under test and is dialled by the others.
 */
@Timeout(60)
class ReplicaLinksTest {
  private static final String CLUSTER = "links";

  private final List<Member> members = ReplicaPorts.members(3);
  private final List<ReplicaLinks> open = new ArrayList<>();
  private final LinkedBlockingQueue<SystemMessage> inbox = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<String> superseded = new LinkedBlockingQueue<>();

  ReplicaLinksTest() throws IOException {}

  @AfterEach
  void close() {
    open.forEach(ReplicaLinks::close);
  }

  private ReplicaLinks start(int id, String cluster, LinkedBlockingQueue<SystemMessage> to) {
    return start(id, cluster, 1, to);
  }

  private ReplicaLinks start(
      int id, String cluster, int requestVersion, LinkedBlockingQueue<SystemMessage> to) {
    ReplicaConfig config =
        ReplicaConfig.of(cluster, id, members).with(new Timing(50, 350, 1500, 30_000, 30_000));
    ReplicaLinks links =
        ReplicaLinks.open(
            config.with(Limits.usual().withMaxLinkBytes(1 << 20)),
            new MachineView(config, () -> true),
            superseded::add,
            requestVersion,
            new NioEventLoopGroup(1).next(),
            to::add);
    open.add(links);
    return links;
  }

  /** Connects as a peer and says so at once: the replica waits for that only so long. */
  private Socket greeted(int from) throws IOException {
    byte[] hello = RawClient.frame(hello(Handshake.VERSION, CLUSTER, from, 0));
    Socket socket = dial();
    socket.getOutputStream().write(hello);
    return socket;
  }

  private Socket dial() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), members.get(0).replicaPort());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static Handshake hello(int version, String cluster, int from, int to) {
    return new Handshake(Handshake.REPLICA_LINK, version, 1, cluster, from, to);
  }

  private static void awaitGreeting(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    in.readFully(new byte[in.readInt()]);
  }

  private static byte[] frame(SystemMessage message) {
    ByteBuf out = Unpooled.buffer().writeInt(0);
    LinkCodec.encode(message, out);
    out.setInt(0, out.readableBytes() - 4);
    return ByteBufUtil.getBytes(out);
  }

  private static InstanceMessage accept(int instance, int bytes) {
    return InstanceMessage.of(
        new MessageFactory(1).createAccept(instance, 0, new byte[bytes]),
        LibraryNumbers.Era.of(1000, 0));
  }

  private <T> T next(Class<T> type) throws InterruptedException {
    while (true) {
      SystemMessage message = inbox.poll(20, TimeUnit.SECONDS);
      assertThat(message).as("message within 20 s").isNotNull();
      if (type.isInstance(message)) {
        return type.cast(message);
      }
    }
  }

  private void expectNote(Class<? extends PeerNote> type) throws InterruptedException {
    assertThat(next(PeerMessage.class).note()).isInstanceOf(type);
  }

  /** Sends until something arrives: the sender may not know of the link yet. */
  private void awaitArrival(ReplicaLinks sender) {
    Await.until(
        Duration.ofSeconds(20),
        () -> "nothing arrived",
        () -> {
          sender.send(new int[] {0}, accept(5, 3));
          return inbox.stream().anyMatch(InstanceMessage.class::isInstance);
        });
  }

  @Test
  void messagesArriveFromThePeerOfTheLink() throws Exception {
    start(0, CLUSTER, inbox);
    ReplicaLinks sender = start(1, CLUSTER, new LinkedBlockingQueue<>());
    expectNote(PeerNote.LinkUp.class);
    awaitArrival(sender);
    assertThat(next(InstanceMessage.class).getSender()).isEqualTo(1);
  }

  @Test
  void hazard7PeerThatDiesInsideAMessageIsReplacedByItsNextConnection() throws Exception {
    start(0, CLUSTER, inbox);
    byte[] message = frame(accept(5, 100));
    try (Socket dying = greeted(1)) {
      awaitGreeting(dying);
      expectNote(PeerNote.LinkUp.class);
      dying.getOutputStream().write(message, 0, message.length / 2);
    }
    expectNote(PeerNote.LinkDown.class);
    try (Socket next = greeted(1)) {
      next.getOutputStream().write(message);
      assertThat(next(InstanceMessage.class).instance()).isEqualTo(5);
    }
  }

  @Test
  void hazard7NewConnectionOfAPeerTakesThePlaceOfAHalfDeadOne() throws Exception {
    start(0, CLUSTER, inbox);
    try (Socket halfDead = greeted(1)) {
      awaitGreeting(halfDead);
      try (Socket next = greeted(1)) {
        awaitGreeting(next);
        assertThat(halfDead.getInputStream().read()).as("end of the old connection").isEqualTo(-1);
        next.getOutputStream().write(frame(accept(6, 1)));
        assertThat(next(InstanceMessage.class).instance()).isEqualTo(6);
      }
    }
  }

  @Test
  void hazard7SilentStrangersDoNotKeepPeersOut() throws Exception {
    start(0, CLUSTER, inbox);
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 10; i++) {
        silent.add(dial());
      }
      try (Socket peer = greeted(2)) {
        peer.getOutputStream().write(frame(accept(7, 1)));
        assertThat(next(InstanceMessage.class).getSender()).isEqualTo(2);
      }
    } finally {
      for (Socket socket : silent) {
        assertThat(socket.getInputStream().read()).as("stranger is sent away").isEqualTo(-1);
        socket.close();
      }
    }
  }

  @Test
  void otherClusterAndWrongIdsAreRefused() throws Exception {
    start(0, CLUSTER, inbox);
    expectRefusal(
        hello(Handshake.VERSION, "another", 1, 0),
        "it belongs to cluster 'another', this replica to 'links': check the name of the cluster");
    expectRefusal(
        hello(Handshake.VERSION, CLUSTER, 1, 2), "it looks for replica 2, this is replica 0");
    for (int from : new int[] {0, 3, -1}) {
      expectRefusal(hello(Handshake.VERSION, CLUSTER, from, 0), "it calls itself replica " + from);
    }
    assertThat(inbox).isEmpty();
  }

  @Test
  void otherVersionsOfHandshakeAndRequestsAreRefused() throws Exception {
    start(0, CLUSTER, inbox);
    expectRefusal(
        hello(Handshake.VERSION + 1, CLUSTER, 1, 0),
        "it speaks version 7 of the handshake, this replica version 6: run the same release"
            + " everywhere");
    expectRefusal(
        new Handshake(Handshake.REPLICA_LINK, Handshake.VERSION, 2, CLUSTER, 1, 0),
        "it reads requests of version 2, this replica of version 1, so their states would diverge:"
            + " run the same release everywhere");
    expectRefusal(
        Handshake.ofClient(CLUSTER, 0), "it uses the protocol of clients: check the port");
    assertThat(inbox).isEmpty();
  }

  /** Replica 0 refuses, answers with what it is, and says why once. */
  private void expectRefusal(Handshake hello, String why) throws IOException {
    int to = hello.version() == Handshake.VERSION ? hello.from() : -1;
    try (LogLines lines = new LogLines()) {
      for (int dial = 0; dial < 3; dial++) {
        try (RawClient peer =
            RawClient.dial(members.get(0).replicaPort(), RawClient.frame(hello))) {
          assertThat(peer.greeting()).isEqualTo(hello(Handshake.VERSION, CLUSTER, 0, to));
          assertThat(peer.ended()).isTrue();
        }
      }
      assertThat(lines.containing("replica 0 refuses a replica link with"))
          .singleElement()
          .asString()
          .contains("WARN")
          .endsWith(": " + why);
    }
  }

  @Test
  void replicasThatReadDifferentRequestsBothSaySoOnceAndTheOthersGoOn() throws Exception {
    try (LogLines lines = new LogLines()) {
      start(0, CLUSTER, 1, inbox);
      start(2, CLUSTER, 1, new LinkedBlockingQueue<>());
      expectNote(PeerNote.LinkUp.class);
      LinkedBlockingQueue<SystemMessage> newer = new LinkedBlockingQueue<>();
      start(1, CLUSTER, 2, newer);
      lines.await("replica 0 refuses");
      lines.await("replica 1 refuses");
      lines.await("replica 2 refuses");
      ReplicaLinks old = open.get(1);
      awaitArrival(old);
      assertThat(next(InstanceMessage.class).getSender()).isEqualTo(2);
      String ofOld = "it reads requests of version 1, this replica of version 2";
      String ofNew = "it reads requests of version 2, this replica of version 1";
      assertThat(lines.containing("refuses a replica link with"))
          .hasSize(3)
          .allMatch(line -> line.contains(line.contains("replica 1 refuses") ? ofOld : ofNew));
      assertThat(newer).noneMatch(ReplicaLinksTest::isLinkUp);
    }
  }

  private static boolean isLinkUp(SystemMessage message) {
    return message instanceof PeerMessage peer && peer.note() instanceof PeerNote.LinkUp;
  }

  private static boolean isLinkDown(SystemMessage message) {
    return message instanceof PeerMessage peer && peer.note() instanceof PeerNote.LinkDown;
  }

  @Test
  void malformedMessageClosesOnlyItsLink() throws Exception {
    start(0, CLUSTER, inbox);
    try (Socket bad = greeted(1);
        Socket good = greeted(2)) {
      awaitGreeting(bad);
      awaitGreeting(good);
      bad.getOutputStream().write(new byte[] {0, 0, 0, 2, 99, 99});
      assertThat(bad.getInputStream().read()).isEqualTo(-1);
      good.getOutputStream().write(frame(accept(8, 1)));
      assertThat(next(InstanceMessage.class).instance()).isEqualTo(8);
    }
  }

  @Test
  void hazard6PeerThatDoesNotReadBlocksNobodyAndLosesItsLink() throws Exception {
    ReplicaLinks links = start(0, CLUSTER, inbox);
    try (Socket deaf = greeted(1)) {
      awaitGreeting(deaf);
      expectNote(PeerNote.LinkUp.class);
      long begin = System.nanoTime();
      for (int i = 0; i < 400; i++) {
        links.send(new int[] {1, 2}, accept(i, 100_000));
      }
      // A sender that is blocked stays so until the link counts as silent, after 30 s.
      assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)).isLessThan(20_000);
      // While the loop has no time, most of that is dropped.
      Await.until(
          Duration.ofSeconds(20),
          () -> "the link is still up",
          () -> {
            links.send(new int[] {1, 2}, accept(400, 100_000));
            return inbox.stream().anyMatch(ReplicaLinksTest::isLinkDown);
          });
      expectNote(PeerNote.LinkDown.class);
    }
  }
}
