package io.lockstep.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.DefaultEventLoopGroup;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalServerChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handshakes between two ends, over netty's handlers and over blocking sockets. */
class TlsTest {
  private static final long DEADLINE_SECONDS = 30;

  @TempDir private Path temp;

  private final EventLoopGroup loops = new DefaultEventLoopGroup(1);
  private TestCluster cluster;

  @BeforeEach
  void makeAuthority() throws KeysException {
    cluster = new TestCluster(temp.resolve("authority"), "lab");
  }

  @AfterEach
  void endLoops() {
    loops.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS).awaitUninterruptibly();
  }

  /** What one end saw: the other end's identity, the first text, or why it failed. */
  private static final class End extends SimpleChannelInboundHandler<ByteBuf> {
    private final LinkKeys keys;
    private final SslHandler handler;
    private final CompletableFuture<String> said = new CompletableFuture<>();
    private final CompletableFuture<PeerIdentity> peer = new CompletableFuture<>();
    private final CompletableFuture<LinkFailure> failure = new CompletableFuture<>();

    End(LinkKeys keys, SslHandler handler) {
      this.keys = keys;
      this.handler = handler;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event instanceof SslHandshakeCompletionEvent done) {
        if (!done.isSuccess()) {
          fail(done.cause());
          return;
        }
        try {
          peer.complete(keys.peer(handler.engine().getSession()));
          var unused =
              context.writeAndFlush(Unpooled.copiedBuffer("hello", StandardCharsets.US_ASCII));
        } catch (RefusedPeerException e) {
          fail(e);
        }
      }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf text) {
      said.complete(text.toString(StandardCharsets.US_ASCII));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      fail(cause);
    }

    private void fail(Throwable cause) {
      Optional<LinkFailure> found = LinkFailure.of(cause);
      found.ifPresent(failure::complete);
    }
  }

  private void server(LinkKeys keys, LocalAddress address) {
    CompletableFuture<End> accepted = new CompletableFuture<>();
    var unused =
        new ServerBootstrap()
            .group(loops)
            .channel(LocalServerChannel.class)
            .childHandler(
                new ChannelInitializer<LocalChannel>() {
                  @Override
                  protected void initChannel(LocalChannel channel) {
                    End made = new End(keys, keys.serve(channel.pipeline()));
                    channel.pipeline().addLast(made);
                    accepted.complete(made);
                  }
                })
            .bind(address)
            .syncUninterruptibly();
    serverEnd = accepted;
  }

  private @Nullable CompletableFuture<End> serverEnd;

  private static <T> T get(@Nullable CompletableFuture<T> future) throws Exception {
    return java.util.Objects.requireNonNull(future).get(DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  private End dial(LinkKeys keys, LocalAddress address) {
    End[] made = new End[1];
    Channel channel =
        new Bootstrap()
            .group(loops)
            .channel(LocalChannel.class)
            .handler(
                new ChannelInitializer<LocalChannel>() {
                  @Override
                  protected void initChannel(LocalChannel dialled) {
                    made[0] = new End(keys, keys.dial(dialled.pipeline()));
                    dialled.pipeline().addLast(made[0]);
                  }
                })
            .connect(address)
            .syncUninterruptibly()
            .channel();
    assertThat(channel.eventLoop()).isNotNull();
    return made[0];
  }

  @Test
  void bothEndsKnowEachOther() throws Exception {
    LinkKeys n1 = cluster.open(cluster.issue(PeerRole.NODE, "n1"));
    LinkKeys n2 = cluster.open(cluster.issue(PeerRole.NODE, "n2"));
    LocalAddress address = new LocalAddress("both");
    server(n1, address);
    End dialled = dial(n2, address);
    End accepted = get(serverEnd);
    assertThat(get(dialled.peer).name()).isEqualTo("n1");
    assertThat(get(accepted.peer).name()).isEqualTo("n2");
    assertThat(get(accepted.said)).isEqualTo("hello");
    assertThat(get(dialled.said)).isEqualTo("hello");
    assertThat(dialled.handler.engine().getSession().getProtocol()).isEqualTo("TLSv1.3");
  }

  /** What came before the turn is not lost. */
  @Test
  void handshakesThatAllBeginAtOnceEndWell() throws Exception {
    LinkKeys n1 = cluster.open(cluster.issue(PeerRole.NODE, "n1"));
    LinkKeys n2 = cluster.open(cluster.issue(PeerRole.NODE, "n2"));
    LocalAddress address = new LocalAddress("many");
    server(n1, address);
    List<End> dialled = new ArrayList<>();
    for (int i = 0; i < 4 * HandshakePace.AT_ONCE; i++) {
      dialled.add(dial(n2, address));
    }
    for (End one : dialled) {
      assertThat(get(one.said)).isEqualTo("hello");
    }
  }

  @Test
  void aForeignPeerIsRefusedAndLearnsIt() throws Exception {
    LinkKeys n1 = cluster.open(cluster.issue(PeerRole.NODE, "n1"));
    TestCluster foreign = new TestCluster(temp.resolve("foreign"), "lab");
    LinkKeys n2 = foreign.open(foreign.issue(PeerRole.NODE, "n2"));
    LocalAddress address = new LocalAddress("foreign");
    server(n1, address);
    End dialled = dial(n2, address);
    assertThat(get(dialled.failure).refusal()).isEqualTo(LinkRefusal.FOREIGN);
    assertThat(get(get(serverEnd).failure).refusal()).isEqualTo(LinkRefusal.REFUSED_BY_PEER);
  }

  @Test
  void aRevokedPeerIsRefusedAndLearnsIt() throws Exception {
    LinkKeys n1 = cluster.open(cluster.issue(PeerRole.NODE, "n1"));
    KeyFiles files = cluster.issue(PeerRole.NODE, "n2");
    LinkKeys n2 = cluster.open(files);
    cluster.revoke("n2");
    n1.look();
    LocalAddress address = new LocalAddress("revoked");
    server(n1, address);
    End dialled = dial(n2, address);
    LinkFailure refused = get(get(serverEnd).failure);
    assertThat(refused.refusal()).isEqualTo(LinkRefusal.REVOKED);
    assertThat(refused.text()).contains("node n2").contains("issue it a new one");
    LinkFailure told = get(dialled.failure);
    assertThat(told.refusal()).isEqualTo(LinkRefusal.REFUSED_BY_PEER);
    assertThat(told.text()).contains("(certificate_"); // engines choose different alerts
  }

  @Test
  void anExpiredPeerIsRefused() throws Exception {
    KeyFiles files = cluster.issue(PeerRole.NODE, "n2");
    LinkKeys n2 = cluster.open(files);
    cluster.pass(Duration.ofDays(20));
    LinkKeys n1 = cluster.open(cluster.issue(PeerRole.NODE, "n1"));
    cluster.pass(Duration.ofDays(15));
    LocalAddress address = new LocalAddress("expired");
    server(n1, address);
    dial(n2, address);
    assertThat(get(get(serverEnd).failure).refusal()).isEqualTo(LinkRefusal.EXPIRED);
  }

  @Test
  void aPeerWithoutTlsGetsAnAnswerThatItCanTell() throws Exception {
    LinkKeys n1 = cluster.open(cluster.issue(PeerRole.NODE, "n1"));
    LocalAddress address = new LocalAddress("plain");
    server(n1, address);
    CompletableFuture<Boolean> isTls = new CompletableFuture<>();
    Channel plain =
        new Bootstrap()
            .group(loops)
            .channel(LocalChannel.class)
            .handler(
                new SimpleChannelInboundHandler<ByteBuf>() {
                  @Override
                  protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
                    isTls.complete(LinkFailure.isTls(bytes));
                  }
                })
            .connect(address)
            .syncUninterruptibly()
            .channel();
    plain
        .writeAndFlush(Unpooled.copiedBuffer("hello", StandardCharsets.US_ASCII))
        .syncUninterruptibly();
    assertThat(get(isTls)).isTrue();
    assertThat(get(get(serverEnd).failure).refusal()).isEqualTo(LinkRefusal.NO_TLS);
    assertThat(plain.closeFuture().awaitUninterruptibly(DEADLINE_SECONDS, TimeUnit.SECONDS))
        .isTrue();
  }

  @Test
  void blockingSocketsSpeakTheSame() throws Exception {
    LinkKeys n1 = cluster.open(cluster.issue(PeerRole.NODE, "n1"));
    LinkKeys n2 = cluster.open(cluster.issue(PeerRole.NODE, "n2"));
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<PeerIdentity> accepted =
          CompletableFuture.supplyAsync(() -> handshake(n1, accept(listening), true));
      PeerIdentity server =
          handshake(n2, new Socket(listening.getInetAddress(), listening.getLocalPort()), false);
      assertThat(server.name()).isEqualTo("n1");
      assertThat(get(accepted).name()).isEqualTo("n2");
    }
  }

  /** A session that is resumed would show the certificate that was revoked. */
  @Test
  void aPeerThatWasRevokedAndRenewedIsKnownByItsNewCertificateAtOnce() throws Exception {
    LinkKeys n1 = cluster.open(cluster.issue(PeerRole.NODE, "n1"));
    LinkKeys n2 = cluster.open(cluster.issue(PeerRole.NODE, "n2"));
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      PeerIdentity before = accepted(n1, n2, listening);
      cluster.revoke("n2");
      cluster.pass(Duration.ofDays(1));
      cluster.renew("n2");
      n1.look();
      n2.look();
      PeerIdentity after = accepted(n1, n2, listening);
      assertThat(after.serial()).isNotEqualTo(before.serial()).isEqualTo(n2.own().serial());
    }
  }

  /** What one end sees of the other that dials it. */
  private static PeerIdentity accepted(LinkKeys serving, LinkKeys dialling, ServerSocket listening)
      throws Exception {
    CompletableFuture<PeerIdentity> seen =
        CompletableFuture.supplyAsync(() -> handshake(serving, accept(listening), true));
    PeerIdentity server =
        handshake(
            dialling, new Socket(listening.getInetAddress(), listening.getLocalPort()), false);
    assertThat(server.serial()).isEqualTo(serving.own().serial());
    return get(seen);
  }

  private static Socket accept(ServerSocket listening) {
    try {
      return listening.accept();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /**
   * Both write and read one byte, since a server checks the client behind the client's handshake.
   */
  private static PeerIdentity handshake(LinkKeys keys, Socket socket, boolean serves) {
    try (socket;
        SSLSocket secured = keys.over(socket, serves)) {
      secured.startHandshake();
      secured.getOutputStream().write(1);
      assertThat(secured.getInputStream().read()).isEqualTo(1);
      return keys.peer(secured.getSession());
    } catch (IOException | RefusedPeerException e) {
      throw new IllegalStateException(e);
    }
  }
}
