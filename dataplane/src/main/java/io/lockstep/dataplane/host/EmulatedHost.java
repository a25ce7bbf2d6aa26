package io.lockstep.dataplane.host;

import io.lockstep.dataplane.packet.ArpMessage;
import io.lockstep.dataplane.packet.Endpoints;
import io.lockstep.dataplane.packet.IcmpEcho;
import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.packet.NumberedDatagram;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.packet.Packet;
import io.lockstep.dataplane.packet.TcpSegment;
import io.lockstep.dataplane.wire.NetworkClock;
import io.lockstep.dataplane.wire.Station;
import io.lockstep.dataplane.wire.Wire;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A host with one port, number {@link #PORT}. Announces itself when it gets carrier. Its public
 * methods may be called from any thread; results complete on the host's loop.
 */
public final class EmulatedHost implements Station {
  /** The only port. */
  public static final int PORT = 1;

  private final String name;
  private final Mac mac;
  private final Ipv4 address;
  private final EventExecutor loop;
  private final NetworkClock clock;
  private final FrameTap tap;
  private final Neighbours neighbours;
  private final Pinger pinger;
  private final TcpEndpoint tcp;
  private final LongAdder framesIn = new LongAdder();
  private final LongAdder framesForOthers = new LongAdder();
  private volatile @Nullable Wire wire;

  /** Owned by the loop. */
  private Predicate<TcpSegment> segments = segment -> false;

  /** UDP port to who takes the numbers; owned by the loop. */
  private final Map<Integer, LongConsumer> datagrams = new HashMap<>(2);

  /**
   * @param loop the thread that owns the host
   * @param tap sees the host's frames
   */
  public EmulatedHost(
      String name, Mac mac, Ipv4 address, EventExecutor loop, NetworkClock clock, FrameTap tap) {
    this.name = name;
    this.mac = mac;
    this.address = address;
    this.loop = loop;
    this.clock = clock;
    this.tap = tap;
    this.neighbours = new Neighbours(mac, address, loop, clock, this::send);
    this.pinger = new Pinger(mac, address, neighbours, loop, clock, this::send);
    this.tcp = new TcpEndpoint(mac, address, neighbours, loop, clock, this::send);
  }

  public String name() {
    return name;
  }

  public Mac mac() {
    return mac;
  }

  public Ipv4 address() {
    return address;
  }

  /**
   * Sends one echo request, after an ARP exchange if need be.
   *
   * @param timeout from now, the ARP exchange included
   * @param answered gets the round trip in nanoseconds or -1, once, on the host's loop
   */
  public void pingOnce(Ipv4 target, Duration timeout, LongConsumer answered) {
    loop.execute(() -> pinger.send(target, timeout.toNanos(), answered));
  }

  /**
   * Sends {@code count} echo requests, one per {@code interval}, without waiting for answers.
   *
   * @return completes when each is answered or has timed out
   */
  public CompletableFuture<PingResult> ping(
      Ipv4 target, int count, Duration interval, Duration timeout) {
    PingSeries series = new PingSeries(name, target, count);
    for (int i = 0; i < count; i++) {
      clock.schedule(
          loop,
          interval.toNanos() * i,
          () -> pinger.send(target, timeout.toNanos(), series::answered));
    }
    return series.result();
  }

  /** Answers every later connection to {@code port} with a function of the request's bytes. */
  public void serve(int port, UnaryOperator<byte[]> answer) {
    loop.execute(() -> tcp.serve(port, answer));
  }

  /** Opens a TCP connection, sends a request of up to 1 MiB and takes the whole response. */
  public CompletableFuture<ExchangeResult> exchange(
      Ipv4 server, int port, byte[] request, Duration timeout) {
    CompletableFuture<ExchangeResult> result = new CompletableFuture<>();
    byte[] copy = request.clone();
    loop.execute(() -> tcp.exchange(server, port, copy, timeout.toNanos(), result::complete));
    return result;
  }

  /** Tells the network where the host is (gratuitous ARP). */
  public void announce() {
    loop.execute(() -> send(ArpMessage.announcement(mac, address).encode()));
  }

  /** Sends a datagram once, without an ARP exchange. */
  public void sendDatagram(Mac targetMac, Ipv4 target, int port, long number) {
    Endpoints ends = new Endpoints(mac, address, targetMac, target);
    loop.execute(() -> send(new NumberedDatagram(ends, port, number).encode()));
  }

  /**
   * Asks for the MAC of an address by ARP.
   *
   * @param found called on the host's loop; never where no host answers
   */
  public void resolve(Ipv4 target, Consumer<Mac> found) {
    loop.execute(() -> neighbours.resolve(target, found));
  }

  /**
   * Offers each later TCP segment to this, on the host's loop; what it takes (true) the host's own
   * TCP does not see.
   */
  public void takeSegments(Predicate<TcpSegment> taker) {
    loop.execute(() -> segments = taker);
  }

  /** Hands the number of each later datagram to a port over, on the host's loop. */
  public void takeDatagrams(int port, LongConsumer numbers) {
    loop.execute(() -> datagrams.put(port, numbers));
  }

  /** Sends any frame; for tests. */
  public void sendFrame(byte[] frame) {
    byte[] copy = frame.clone();
    loop.execute(() -> send(copy));
  }

  private void send(byte[] frame) {
    tap.sent(name, frame);
    Wire out = wire;
    if (out != null) {
      out.send(frame);
    }
  }

  @Override
  public EventExecutor loop() {
    return loop;
  }

  @Override
  public void receive(int port, byte[] frame) {
    Packet packet = new Packet(frame, port);
    Mac destination = new Mac(packet.get(OxmField.ETH_DST));
    framesIn.increment();
    if (!destination.equals(mac) && !destination.isGroup()) {
      framesForOthers.increment();
      return;
    }
    tap.received(name, frame);
    if (packet.get(OxmField.VLAN_VID) != 0) {
      return;
    }
    ArpMessage arp = ArpMessage.decode(packet);
    if (arp != null) {
      neighbours.receive(arp);
    } else if (packet.get(OxmField.IPV4_DST) == address.unsigned()) {
      receiveIp(packet);
    }
  }

  private void receiveIp(Packet packet) {
    IcmpEcho echo = IcmpEcho.decode(packet);
    if (echo != null) {
      pinger.receive(echo);
      return;
    }
    TcpSegment segment = TcpSegment.decode(packet);
    if (segment != null) {
      if (!segments.test(segment)) {
        tcp.receive(segment);
      }
      return;
    }
    NumberedDatagram datagram = NumberedDatagram.decode(packet);
    LongConsumer taker = datagram == null ? null : datagrams.get(datagram.port());
    if (datagram != null && taker != null) {
      taker.accept(datagram.number());
    }
  }

  @Override
  public void plugged(int port, Wire out) {
    wire = out;
  }

  @Override
  public void unplugged(int port) {
    wire = null;
  }

  @Override
  public void linkChanged(int port, boolean up) {
    if (up) {
      send(ArpMessage.announcement(mac, address).encode());
    }
  }

  /** Frames that reached the host, those for others included. */
  public long framesIn() {
    return framesIn.sum();
  }

  /** Frames that reached the host but were addressed to another: flooding seen from outside. */
  public long framesForOthers() {
    return framesForOthers.sum();
  }

  @Override
  public String toString() {
    return name + " " + address + " " + mac;
  }

  /** Sees frames at hosts. Called on the host's loop. */
  public interface FrameTap {
    /** Sees nothing. */
    FrameTap NONE =
        new FrameTap() {
          @Override
          public void sent(String host, byte[] frame) {}

          @Override
          public void received(String host, byte[] frame) {}
        };

    void sent(String host, byte[] frame);

    void received(String host, byte[] frame);
  }

  /** Adds up the answers of one ping; on the host's loop. */
  private static final class PingSeries {
    private final String from;
    private final Ipv4 target;
    private final int count;
    private final CompletableFuture<PingResult> result = new CompletableFuture<>();
    private int decided;
    private int lost;
    private long minNanos = Long.MAX_VALUE;
    private long maxNanos;
    private long totalNanos;

    PingSeries(String from, Ipv4 target, int count) {
      this.from = from;
      this.target = target;
      this.count = count;
      completeWhenDecided();
    }

    CompletableFuture<PingResult> result() {
      return result;
    }

    void answered(long rttNanos) {
      decided++;
      if (rttNanos < 0) {
        lost++;
      } else {
        minNanos = Math.min(minNanos, rttNanos);
        maxNanos = Math.max(maxNanos, rttNanos);
        totalNanos += rttNanos;
      }
      completeWhenDecided();
    }

    private void completeWhenDecided() {
      if (decided == count) {
        long min = lost == count ? 0 : minNanos;
        result.complete(new PingResult(from, target, count, lost, min, maxNanos, totalNanos));
      }
    }
  }
}
