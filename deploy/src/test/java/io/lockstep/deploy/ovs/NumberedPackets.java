package io.lockstep.deploy.ovs;

import io.lockstep.deploy.testbed.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Every ping on some interfaces, captured until it is stopped. A ping is known by its number and
 * the time at which it was sent, which it carries.
 */
final class NumberedPackets implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Frame, VLAN tag, IP and ICMP headers, and the time. */
  private static final int SNAPLEN = 80;

  private static final int SECTION_HEADER = 0x0a0d0d0a;
  private static final int ENHANCED_PACKET = 6;
  private static final int VLAN = 0x8100;
  private static final int IPV4 = 0x0800;
  private static final int ICMP = 1;
  private static final int ECHO_REQUEST = 8;

  /** So long nothing is written before all is; dumpcap writes what it has twice a second. */
  private static final Duration QUIET = Duration.ofMillis(1_500);

  /** Times of lost pings that are shown. */
  private static final int MOST_TIMES = 40;

  private final Path file;
  private final List<String> names;
  private final Dumpcap dumpcap;

  /**
   * What became of the pings.
   *
   * @param sent seen at the sender's interface
   * @param lost not seen at the receiver's
   * @param looped seen twice on one interface
   * @param where the lost ones were seen, and when they were sent
   */
  record Tally(int sent, int lost, int looped, String where) {
    /** Of no pings. */
    static final Tally NONE = new Tally(0, 0, 0, "");

    Tally plus(Tally other) {
      return new Tally(
          sent + other.sent, lost + other.lost, looped + other.looped, where + other.where);
    }
  }

  private NumberedPackets(Path file, List<String> names, Dumpcap dumpcap) {
    this.file = file;
    this.names = List.copyOf(names);
    this.dumpcap = dumpcap;
  }

  /**
   * Begins; returns when packets are captured.
   *
   * @param interfaces the sender's, the receiver's, those between
   */
  static NumberedPackets capture(Path file, List<String> interfaces) {
    List<String> arguments = new ArrayList<>(List.of("-B", "16"));
    // Loops fill its queue faster than one thread writes the file.
    arguments.addAll(List.of("-N", "1000000", "-C", "134217728"));
    arguments.addAll(List.of("-s", Integer.toString(SNAPLEN), "-f", "icmp or (vlan and icmp)"));
    interfaces.forEach(name -> arguments.addAll(List.of("-i", name)));
    arguments.addAll(List.of("-w", file.toString()));
    return new NumberedPackets(file, interfaces, Dumpcap.start(arguments));
  }

  /**
   * Waits for packets that were seen but are not in the file yet: dumpcap drops them where it is
   * ended, and does not say so.
   *
   * @param last when the last ping was sent at the earliest; no packet follows it
   */
  void awaitWritten(Instant last) {
    AtomicLong size = new AtomicLong(-1);
    AtomicLong sinceNanos = new AtomicLong();
    Await.until(
        "the last ping is in the file, and nothing follows it",
        PATIENCE,
        () -> {
          long now = System.nanoTime();
          if (size.getAndSet(Files.size(file)) != Files.size(file)) {
            sinceNanos.set(now);
          }
          return now - sinceNanos.get() > QUIET.toNanos() && isWritten(last);
        },
        dumpcap::said);
  }

  private boolean isWritten(Instant last) throws IOException {
    List<Map<Ping, Integer>> seen = seen(Files.readAllBytes(file));
    return seen.subList(0, 2).stream()
        .allMatch(one -> one.keySet().stream().anyMatch(ping -> !ping.sent().isBefore(last)));
  }

  /** Ends the capture, and counts. Fails where a packet did not make it into the file. */
  Tally stop() throws IOException {
    if (dumpcap.stop(names.size()).stream().anyMatch(dropped -> dropped > 0)) {
      throw new AssertionError("the capture is not whole: " + dumpcap.said());
    }
    return count(Files.readAllBytes(file));
  }

  /** A ping: its number, and when it was sent. */
  private record Ping(int number, long seconds, long micros) {
    Instant sent() {
      return Instant.ofEpochSecond(seconds, 1_000 * micros);
    }
  }

  /** By interface, how often each ping was seen there; leaves out a last block that is cut. */
  private List<Map<Ping, Integer>> seen(byte[] pcapng) {
    List<Map<Ping, Integer>> seen = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      seen.add(new HashMap<>());
    }
    ByteBuffer in = ByteBuffer.wrap(pcapng).order(ByteOrder.LITTLE_ENDIAN);
    if (in.getInt(0) != SECTION_HEADER || in.getInt(8) != 0x1a2b3c4d) {
      throw new AssertionError("not the format that is expected: " + file);
    }
    for (int at = 0; isWhole(in, at); at += in.getInt(at + 4)) {
      if (in.getInt(at) == ENHANCED_PACKET) {
        int number = in.getInt(at + 8);
        Ping ping = ping(pcapng, at + 28, in.getInt(at + 20));
        if (ping != null) {
          seen.get(number).merge(ping, 1, Integer::sum);
        }
      }
    }
    return seen;
  }

  private static boolean isWhole(ByteBuffer in, int at) {
    return in.limit() - at >= 12 && in.limit() - at >= in.getInt(at + 4);
  }

  private Tally count(byte[] pcapng) {
    List<Map<Ping, Integer>> seen = seen(pcapng);
    Set<Ping> lost = new HashSet<>(seen.get(0).keySet());
    lost.removeAll(seen.get(1).keySet());
    Set<Ping> looped = new HashSet<>();
    seen.forEach(
        one ->
            one.forEach(
                (ping, times) -> {
                  if (times > 1) {
                    looped.add(ping);
                  }
                }));
    return new Tally(seen.get(0).size(), lost.size(), looped.size(), where(lost, seen));
  }

  /** By the interfaces that saw them: how many, and the seconds in which they were sent. */
  private String where(Set<Ping> lost, List<Map<Ping, Integer>> seen) {
    Map<String, List<Ping>> groups = new TreeMap<>();
    for (Ping ping : lost) {
      StringBuilder on = new StringBuilder("seen on");
      for (int i = 0; i < names.size(); i++) {
        on.append(seen.get(i).containsKey(ping) ? " " + names.get(i) : "");
      }
      groups.computeIfAbsent(on.toString(), any -> new ArrayList<>()).add(ping);
    }
    StringBuilder text = new StringBuilder();
    groups.forEach(
        (on, pings) -> {
          Set<Instant> times = new TreeSet<>();
          pings.forEach(ping -> times.add(ping.sent().truncatedTo(ChronoUnit.MILLIS)));
          text.append(pings.size()).append(' ').append(on).append(", sent at ");
          text.append(times.stream().limit(MOST_TIMES).toList()).append("; ");
        });
    return text.toString();
  }

  /** The ping in a frame; null where it has none. */
  private static @Nullable Ping ping(byte[] all, int begin, int length) {
    ByteBuffer frame = ByteBuffer.wrap(all, begin, length).slice();
    int ip = 14;
    int type = Short.toUnsignedInt(frame.getShort(12));
    if (type == VLAN) {
      type = Short.toUnsignedInt(frame.getShort(16));
      ip = 18;
    }
    if (type != IPV4 || frame.get(ip + 9) != ICMP) {
      return null;
    }
    int icmp = ip + 4 * (frame.get(ip) & 0xf);
    if (frame.get(icmp) != ECHO_REQUEST) {
      return null;
    }
    int number = frame.getInt(icmp + 4); // identifier and sequence number
    // The sender writes the time as its processor has it.
    ByteBuffer host = frame.duplicate().order(ByteOrder.nativeOrder());
    return new Ping(number, host.getLong(icmp + 8), host.getLong(icmp + 16));
  }

  /** Ends the capture if it still runs. */
  @Override
  public void close() {
    dumpcap.close();
  }
}
