package io.lockstep.dataplane.network;

import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.network.ContinuousPing.Pair;
import io.lockstep.dataplane.wire.NetworkClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * New flows between hosts at a steady rate. A flow is one datagram, sent once, to the address that
 * its target has: without an ARP exchange, which would be repeated where it is lost and would
 * announce the sender. So each switch on the way has no entry for it, and a flow that is not
 * carried is seen as lost. Every ordered pair of hosts has its turn, in a random order, before one
 * comes a second time; keep the hosts many enough that the entries of a pair have expired by then.
 * Thread-safe; runs on the loops of the hosts.
 */
public final class NewFlows implements AutoCloseable {
  /** The UDP port of the datagrams. */
  public static final int PORT = 5005;

  /** Flows of which it is not known yet whether they arrive; older ones count as lost. */
  static final int MAX_UNDECIDED = 1 << 16;

  /** After a pause of the loop, what has been missed for longer is left out. */
  private static final long MAX_BEHIND_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final NetworkClock clock;
  private final List<EmulatedHost> hosts;
  private final List<Pair> pairs;
  private final long intervalNanos;
  private final AtomicReferenceArray<Sent> undecided = new AtomicReferenceArray<>(MAX_UNDECIDED);
  private final LongAdder doubled = new LongAdder();
  private volatile Window window;
  private volatile boolean closed;

  /** Owned by the loop of the first host, as is the next field. */
  private long nextNumber;

  private long dueNanos;

  private NewFlows(NetworkClock clock, List<EmulatedHost> hosts, int perSecond, long seed) {
    if (hosts.size() < 2 || perSecond < 1) {
      throw new IllegalArgumentException("2 hosts and 1 flow a second at least");
    }
    this.clock = clock;
    this.hosts = List.copyOf(hosts);
    this.pairs = new ArrayList<>(ContinuousPing.everyPair(hosts));
    Collections.shuffle(pairs, new Random(seed));
    this.intervalNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    this.window = new Window("start", clock.nanos());
  }

  /**
   * Starts to send.
   *
   * @param seed of the order of the pairs
   */
  static NewFlows start(NetworkClock clock, List<EmulatedHost> hosts, int perSecond, long seed) {
    NewFlows flows = new NewFlows(clock, hosts, perSecond, seed);
    flows.hosts.forEach(host -> host.takeDatagrams(PORT, flows::arrived));
    flows.dueNanos = clock.nanos();
    clock.schedule(flows.hosts.get(0).loop(), 0, flows::sendDue);
    return flows;
  }

  private void sendDue() {
    if (closed) {
      return;
    }
    long now = clock.nanos();
    dueNanos = Math.max(dueNanos, now - MAX_BEHIND_NANOS);
    while (dueNanos <= now) {
      send(nextNumber++);
      dueNanos += intervalNanos;
    }
    clock.schedule(hosts.get(0).loop(), dueNanos - now, this::sendDue);
  }

  private void send(long number) {
    Pair pair = pairs.get((int) (number % pairs.size()));
    Window sentIn = window;
    sentIn.sent();
    undecided.set(place(number), new Sent(number, sentIn, clock.nanos()));
    pair.from().sendDatagram(pair.to().mac(), pair.to().address(), PORT, number);
  }

  /** Counts a datagram once, however often it arrives. */
  private void arrived(long number) {
    Sent sent = undecided.get(place(number));
    if (sent == null) {
      doubled.increment();
    } else if (sent.number == number && undecided.compareAndSet(place(number), sent, null)) {
      sent.window.arrived(clock.nanos() - sent.sinceNanos);
    }
  }

  /** How many datagrams arrived that had arrived before: a network carries a frame once. */
  public long doubled() {
    return doubled.sum();
  }

  private static int place(long number) {
    return (int) (number & (MAX_UNDECIDED - 1));
  }

  /**
   * Ends the current window, which is returned, and begins one with this name. Flows that were sent
   * in a window count there also when they arrive after its end.
   */
  public Window next(String name) {
    Window ended = window;
    window = new Window(name, clock.nanos());
    return ended;
  }

  /**
   * From the beginning of a window until the last of its flows was sent that have not arrived, at
   * least not yet: from then on new flows are carried. 0 where all arrived.
   */
  public long brokenNanos(Window of) {
    long last = of.beginNanos;
    for (int place = 0; place < MAX_UNDECIDED; place++) {
      Sent sent = undecided.get(place);
      if (sent != null && sent.window == of) {
        last = Math.max(last, sent.sinceNanos);
      }
    }
    return last - of.beginNanos;
  }

  /** Sends no more, and counts no more. */
  @Override
  public void close() {
    closed = true;
    hosts.forEach(host -> host.takeDatagrams(PORT, number -> {}));
  }

  private record Sent(long number, Window window, long sinceNanos) {}

  /** What was sent in a stretch of time. Thread-safe. */
  public static final class Window {
    private static final int FIRST_ROOM = 256;

    private final String name;
    private final long beginNanos;
    private long sent;
    private int arrived;
    private long[] nanos = new long[FIRST_ROOM];

    Window(String name, long beginNanos) {
      this.name = name;
      this.beginNanos = beginNanos;
    }

    synchronized void sent() {
      sent++;
    }

    synchronized void arrived(long afterNanos) {
      if (arrived == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * arrived);
      }
      nanos[arrived++] = afterNanos;
    }

    /** The longest that a datagram took which has arrived; 0 where none has. */
    public synchronized long longestNanos() {
      return Arrays.stream(nanos, 0, arrived).max().orElse(0);
    }

    /** The counts so far. */
    public synchronized Counts counts() {
      long[] sorted = Arrays.copyOf(nanos, arrived);
      Arrays.sort(sorted);
      int rank = (int) Math.ceil(0.99 * arrived);
      return new Counts(name, sent, arrived, rank == 0 ? 0 : sorted[rank - 1]);
    }
  }

  /**
   * Numbers of a window.
   *
   * @param sent in the window
   * @param arrived of those
   * @param p99Nanos from just before a datagram is sent until it arrives, of those that arrived: 99
   *     of 100 took at most so long; 0 where none arrived
   */
  public record Counts(String name, long sent, long arrived, long p99Nanos) {
    /** Those that have not arrived, at least not yet. */
    public long missing() {
      return sent - arrived;
    }
  }
}
