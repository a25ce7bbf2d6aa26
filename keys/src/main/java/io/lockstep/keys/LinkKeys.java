package io.lockstep.keys;

import io.lockstep.keys.NettyContexts.Use;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of one process, for all its connections. Both ends of each show a certificate of the
 * cluster's authority. Who is at the other end ({@link #peer}) is known when the handshake is done;
 * which role and name may connect is for the caller to check.
 *
 * <pre>{@code
 * keys.serve(channel.pipeline());                  // before all other handlers
 * ...                                              // on SslHandshakeCompletionEvent.SUCCESS:
 * PeerIdentity peer = keys.peer(handler.engine().getSession());
 * AutoCloseable watched = keys.watch(peer, channel::close);
 * }</pre>
 *
 * <p>{@link #look} reads files that have changed. New connections then use the new ones, and {@link
 * #watch watched} connections whose peer's certificate was revoked or has expired are closed. Files
 * that cannot be used are logged, and the old ones stay.
 *
 * <p>Thread-safe.
 */
public final class LinkKeys {
  /** Between two looks at the files. */
  public static final long LOOK_MILLIS = 5_000;

  /** How long a peer may take for a handshake of TLS and what introduces it after that. */
  public static final long HANDSHAKE_MILLIS = 5_000;

  private static final Logger log = LoggerFactory.getLogger(LinkKeys.class);
  private static final String OLDEST = "TLSv1.3";

  /**
   * The last words of TLS, behind what is queued; a peer that does not read does not hold a close.
   */
  private static final long CLOSE_MILLIS = 500;

  /** A certificate is reported in the last quarter of its time, once a day. */
  private static final int REPORTED_PART = 4;

  private static final Duration REPORT_PERIOD = Duration.ofDays(1);

  private final KeyFiles files;
  private final InstantSource clock;
  private final CurrentTrust trust;
  private final SwitchTrust switchTrust;
  private final SSLContext context;
  private final WatchedPeers watched = new WatchedPeers();
  private final HandshakePaces paces = new HandshakePaces();
  private final Map<LinkRefusal, AtomicLong> refusals = new EnumMap<>(LinkRefusal.class);
  private volatile State state;

  /** Of switches' own certificates. */
  private volatile Set<Fingerprint> listed = Set.of();

  // Guarded by this.
  private String lastFailure = "";
  private int failedLooks;
  private Instant reported = Instant.MIN;

  private record State(KeyMaterial material, NettyContexts contexts, List<String> stamps) {}

  private LinkKeys(KeyFiles files, InstantSource clock) throws KeysException {
    this.files = files;
    this.clock = clock;
    this.trust = new CurrentTrust(() -> material(), clock);
    this.switchTrust = new SwitchTrust(trust, () -> listed, clock);
    for (LinkRefusal refusal : LinkRefusal.values()) {
      refusals.put(refusal, new AtomicLong());
    }
    List<String> stamps = files.stamps();
    KeyMaterial material = KeyReader.read(files);
    requireOwnCurrent(material);
    this.state = new State(material, new NettyContexts(material, trust, switchTrust), stamps);
    this.context = jdkContext();
  }

  /**
   * Reads the files of a process.
   *
   * @param clock of certificates, the time of day
   * @throws KeysException where a file is missing, cannot be used, or does not fit the others, or
   *     where the certificate is not valid now
   */
  public static LinkKeys open(KeyFiles files, InstantSource clock) throws KeysException {
    return new LinkKeys(files, clock);
  }

  private KeyMaterial material() {
    return state.material;
  }

  private void requireOwnCurrent(KeyMaterial material) throws KeysException {
    try {
      material.requireCurrent(material.own(), clock.instant());
    } catch (RefusedPeerException e) {
      throw new KeysException(
          files.certificate() + " is of no use: " + e.getMessage(),
          "./lockstep pki renew " + material.own().name() + " where the authority is");
    }
  }

  private SSLContext jdkContext() throws KeysException {
    try {
      SSLContext made = SSLContext.getInstance(OLDEST);
      made.init(
          new KeyManager[] {new CurrentKeys(this::material)}, new TrustManager[] {trust}, null);
      made.getServerSessionContext().setSessionTimeout(NettyContexts.NO_TICKET_SECONDS);
      made.getClientSessionContext().setSessionTimeout(1);
      return made;
    } catch (GeneralSecurityException e) {
      throw new KeysException(
          "this Java has no " + OLDEST + ": " + e.getMessage(), "use Java 17 or newer");
    }
  }

  /** Whom this process's own certificate names. */
  public PeerIdentity own() {
    return material().own();
  }

  /** The library that encrypts netty's connections, for the log. */
  public static String engine() {
    return NettyContexts.openSsl() ? "OpenSSL" : "the JDK";
  }

  // ---------------------------------------------------------------- connections

  /**
   * Adds to an accepted connection, in front of what is there so far, what makes it speak TLS 1.3
   * and demand a certificate. A peer that does not speak TLS gets an answer that it can tell. Loops
   * begin a bounded number of handshakes a second, and the others wait.
   *
   * @return the handler; its handshake has a deadline of {@link #HANDSHAKE_MILLIS}
   */
  public SslHandler serve(ChannelPipeline pipeline) {
    return serve(pipeline, false);
  }

  /**
   * The same for switches.
   *
   * @param older whether TLS 1.2 is spoken, too
   */
  public SslHandler serve(ChannelPipeline pipeline, boolean older) {
    SslHandler handler =
        handler(older ? Use.SERVER_OF_OLDER : Use.SERVER, pipeline.channel().alloc());
    pipeline.addFirst(new TlsOnlyGate(paces.of(pipeline.channel().eventLoop())), handler);
    return handler;
  }

  /**
   * Accepts these certificates of switches from now on, whoever signed them: where {@link
   * #serve(ChannelPipeline, boolean)} is asked for older TLS. Call it before the first of them.
   */
  public void acceptListed(Set<Fingerprint> fingerprints) {
    listed = Set.copyOf(fingerprints);
  }

  /**
   * The listed certificate of a peer.
   *
   * @return null where it shows another one, for {@link #peer} to check
   */
  public @Nullable Fingerprint listed(SSLSession session) throws CertificateException {
    X509Certificate leaf = leaf(session);
    if (leaf == null || !SwitchTrust.isListed(leaf, listed)) {
      return null;
    }
    SwitchTrust.requireCurrent(leaf, clock.instant());
    return Fingerprint.of(leaf);
  }

  /** The same for a connection that this process dials. */
  public SslHandler dial(ChannelPipeline pipeline) {
    SslHandler handler = handler(Use.CLIENT, pipeline.channel().alloc());
    pipeline.addFirst(handler);
    return handler;
  }

  private SslHandler handler(Use use, ByteBufAllocator allocator) {
    try {
      SslHandler handler = state.contexts.of(use).newHandler(allocator);
      handler.setHandshakeTimeoutMillis(HANDSHAKE_MILLIS);
      handler.setCloseNotifyFlushTimeoutMillis(CLOSE_MILLIS);
      return handler;
    } catch (KeysException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /**
   * For blocking sockets and web servers: always has the newest keys. Whoever makes a server of it
   * demands certificates ({@code setNeedClientAuth}) and asks {@link #peer} behind each handshake.
   */
  public SSLContext context() {
    return context;
  }

  /**
   * TLS over a socket that is connected. Its handshake takes place with the first read or write;
   * closing it closes the other.
   *
   * @param serves whether this process accepted the connection
   */
  public SSLSocket over(Socket socket, boolean serves) throws IOException {
    SSLSocket secured =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(
                    socket, socket.getInetAddress().getHostAddress(), socket.getPort(), true);
    secured.setUseClientMode(!serves);
    secured.setEnabledProtocols(new String[] {OLDEST});
    if (serves) {
      secured.setNeedClientAuth(true);
    }
    return secured;
  }

  /**
   * Who is at the other end, by a handshake that is done. Checks its certificate once more, by the
   * newest files.
   */
  public PeerIdentity peer(SSLSession session) throws RefusedPeerException {
    X509Certificate leaf = leaf(session);
    return material().check(leaf == null ? null : new X509Certificate[] {leaf}, clock.instant());
  }

  private static @Nullable X509Certificate leaf(SSLSession session) {
    try {
      Certificate[] shown = session.getPeerCertificates();
      return shown.length > 0 && shown[0] instanceof X509Certificate leaf ? leaf : null;
    } catch (SSLPeerUnverifiedException e) {
      return null; // It showed none.
    }
  }

  /**
   * Closes a connection as soon as a {@link #look} finds its peer's certificate revoked or expired.
   *
   * @param close called once, on the looking thread; must not block
   * @return closing it ends the watch; does not fail
   */
  public Watch watch(PeerIdentity peer, Runnable close) {
    return watched.add(peer, close);
  }

  /** A connection that {@link #watch} knows. */
  @FunctionalInterface
  public interface Watch extends AutoCloseable {
    @Override
    void close();
  }

  // ---------------------------------------------------------------- counters

  /** Counts a refused connection. */
  public void count(LinkRefusal refusal) {
    AtomicLong counter = refusals.get(refusal);
    if (counter != null) {
      counter.incrementAndGet();
    }
  }

  /** How many connections were refused so far, by {@link LinkRefusal#word}. */
  public Map<String, Long> refusals() {
    Map<String, Long> counts = new TreeMap<>();
    refusals.forEach((refusal, count) -> counts.put(refusal.word(), count.get()));
    return counts;
  }

  // ---------------------------------------------------------------- changes of the files

  /** Looks every {@link #LOOK_MILLIS}, until the executor ends. */
  public void lookEvery(ScheduledExecutorService executor) {
    // A look lets no exception out, so the schedule goes on.
    var unused =
        executor.scheduleWithFixedDelay(
            this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Reads files that have changed, and closes connections whose peers' certificates ended. */
  public synchronized void look() {
    try {
      List<String> stamps = files.stamps();
      if (!stamps.equals(state.stamps)) {
        read(stamps);
      }
    } catch (KeysException e) {
      failed(e);
    }
    watched.closeEnded(material(), clock.instant(), this::count);
    reportOwnEnd();
  }

  private void read(List<String> stamps) throws KeysException {
    KeyMaterial before = material();
    KeyMaterial now = KeyReader.read(files);
    requireOwnCurrent(now);
    requireSame(before, now, PeerIdentity::cluster, "cluster");
    requireSame(before, now, PeerIdentity::role, "role");
    requireSame(before, now, PeerIdentity::name, "name");
    if (now.listNumber().compareTo(before.listNumber()) < 0) {
      throw new KeysException(
          files.revoked() + " is older than the list in use",
          "copy the newest revoked.crl from the directory of the authority");
    }
    state = new State(now, new NettyContexts(now, trust, switchTrust), stamps);
    lastFailure = "";
    failedLooks = 0;
    reported = Instant.MIN;
    log.info(
        "keys of {} read anew: certificate {} until {}, {} revoked",
        now.own(),
        now.own().serialText(),
        now.own().notAfter(),
        now.revoked().size());
  }

  private void requireSame(
      KeyMaterial before, KeyMaterial now, Function<PeerIdentity, Object> part, String what)
      throws KeysException {
    Object had = part.apply(before.own());
    Object has = part.apply(now.own());
    if (!had.equals(has)) {
      throw new KeysException(
          files.certificate() + " changes the " + what + " from " + had + " to " + has,
          "a process keeps its name: restart it with another directory of keys");
    }
  }

  /** Several files are not replaced at one time, so the first failure says nothing yet. */
  private void failed(KeysException failure) {
    failedLooks++;
    String what = failure.getMessage() + "; remedy: " + failure.remedy();
    if (failedLooks > 1 && !what.equals(lastFailure)) {
      lastFailure = what;
      log.error("new keys are not used, the old ones stay: {}", what);
    }
  }

  private void reportOwnEnd() {
    Instant now = clock.instant();
    PeerIdentity own = own();
    Duration left = Duration.between(now, own.notAfter());
    Duration all = Duration.between(own.notBefore(), own.notAfter());
    if (left.compareTo(all.dividedBy(REPORTED_PART)) < 0
        && (reported.equals(Instant.MIN)
            || Duration.between(reported, now).compareTo(REPORT_PERIOD) >= 0)) {
      reported = now;
      log.warn(
          "the certificate of {} ends on {}; remedy: ./lockstep pki renew {} where the authority is,"
              + " and copy the directory here",
          own,
          own.notAfter(),
          own.name());
    }
  }
}
