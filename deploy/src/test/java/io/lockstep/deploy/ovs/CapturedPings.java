package io.lockstep.deploy.ovs;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The pings in a file of dumpcap (pcapng, as a little-endian machine writes it). A ping is known by
 * its number and the time at which it was sent, which it carries. The file is read block by block,
 * since loops fill it: only one small entry for each ping is in memory. Used by one thread.
 */
final class CapturedPings {
  private static final int SECTION_HEADER = 0x0a0d0d0a;
  private static final int BYTE_ORDER = 0x1a2b3c4d;
  private static final int ENHANCED_PACKET = 6;

  /** Type and length, which begin each block. */
  private static final int HEAD = 8;

  /** More than any block of a capture of short frames has. */
  private static final int MOST_BLOCK = 1 << 20;

  private static final int VLAN = 0x8100;
  private static final int IPV4 = 0x0800;
  private static final int ICMP = 1;
  private static final int ECHO_REQUEST = 8;

  /** Times of lost pings that are shown, and characters about them. */
  private static final int MOST_TIMES = 40;

  private static final int MOST_WORDS = 20_000;

  private final Path file;
  private final List<String> names;

  /**
   * Reads nothing yet.
   *
   * @param names of the interfaces, in the order of the capture: the sender's, the receiver's, 30
   *     others at most
   */
  CapturedPings(Path file, List<String> names) {
    if (names.size() < 2 || names.size() > Integer.SIZE) {
      throw new IllegalArgumentException("2 to 32 interfaces, not " + names.size());
    }
    this.file = file;
    this.names = List.copyOf(names);
  }

  /**
   * What became of the pings.
   *
   * @param sent seen at the sender's interface
   * @param lost not seen at the receiver's
   * @param looped seen twice on one interface
   * @param where the lost ones were seen, and when they were sent; 20 000 characters at most
   */
  record Tally(int sent, int lost, int looped, String where) {
    /** Of no pings. */
    static final Tally NONE = new Tally(0, 0, 0, "");

    Tally plus(Tally other) {
      String both = where + other.where;
      return new Tally(
          sent + other.sent,
          lost + other.lost,
          looped + other.looped,
          both.substring(0, Math.min(both.length(), MOST_WORDS)));
    }
  }

  /** A ping: its number, and when it was sent. */
  private record Ping(int number, long seconds, long micros) {
    Instant sent() {
      return Instant.ofEpochSecond(seconds, 1_000 * micros);
    }
  }

  /** The interfaces that a ping was seen on, as bits. */
  private static final class Sightings {
    private int once;
    private int twice;

    void add(int number) {
      int bit = 1 << number;
      twice |= once & bit;
      once |= bit;
    }

    boolean on(int number) {
      return (once & (1 << number)) != 0;
    }

    boolean looped() {
      return twice != 0;
    }
  }

  private interface Reader {
    void seen(int number, Ping ping);
  }

  /** Whether sender and receiver have a ping that was sent at this time, or later. */
  boolean reach(Instant last) throws IOException {
    Sightings late = new Sightings();
    read(
        (number, ping) -> {
          if (!ping.sent().isBefore(last)) {
            late.add(number);
          }
        });
    return late.on(0) && late.on(1);
  }

  /** Counts all pings that the sender's interface has. */
  Tally tally() throws IOException {
    Map<Ping, Sightings> pings = new HashMap<>();
    read((number, ping) -> pings.computeIfAbsent(ping, any -> new Sightings()).add(number));
    int sent = 0;
    int looped = 0;
    Map<Ping, Sightings> lost = new HashMap<>();
    for (Map.Entry<Ping, Sightings> ping : pings.entrySet()) {
      Sightings seen = ping.getValue();
      looped += seen.looped() ? 1 : 0;
      sent += seen.on(0) ? 1 : 0;
      if (seen.on(0) && !seen.on(1)) {
        lost.put(ping.getKey(), seen);
      }
    }
    return new Tally(sent, lost.size(), looped, where(lost));
  }

  /** By the interfaces that saw them: how many, and the milliseconds in which they were sent. */
  private String where(Map<Ping, Sightings> lost) {
    Map<String, List<Ping>> groups = new TreeMap<>();
    lost.forEach(
        (ping, seen) -> {
          StringBuilder on = new StringBuilder("seen on");
          for (int i = 0; i < names.size(); i++) {
            on.append(seen.on(i) ? " " + names.get(i) : "");
          }
          groups.computeIfAbsent(on.toString(), any -> new ArrayList<>()).add(ping);
        });
    StringBuilder text = new StringBuilder();
    groups.forEach(
        (on, pings) -> {
          TreeSet<Instant> times = new TreeSet<>();
          pings.forEach(ping -> times.add(ping.sent().truncatedTo(ChronoUnit.MILLIS)));
          text.append(pings.size()).append(' ').append(on).append(", sent at ");
          text.append(times.stream().limit(MOST_TIMES).toList()).append("; ");
        });
    return text.toString();
  }

  // ---- the file ----

  /** Gives each ping of each interface; leaves out a last block that is cut. */
  private void read(Reader reader) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      ByteBuffer block = block(in);
      if (block == null || block.getInt(0) != SECTION_HEADER || block.getInt(HEAD) != BYTE_ORDER) {
        throw new AssertionError("not the format that is expected: " + file);
      }
      for (; block != null; block = block(in)) {
        if (block.getInt(0) == ENHANCED_PACKET) {
          Ping ping = ping(block.slice(28, block.getInt(20)));
          if (ping != null) {
            reader.seen(block.getInt(8), ping);
          }
        }
      }
    }
  }

  /** The next block; null at the end, and where the rest of it is missing. */
  private @Nullable ByteBuffer block(InputStream in) throws IOException {
    byte[] head = in.readNBytes(HEAD);
    if (head.length < HEAD) {
      return null;
    }
    int length = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
    if (length < HEAD + 4 || length > MOST_BLOCK) {
      throw new AssertionError("a block of " + length + " bytes: " + file);
    }
    byte[] block = Arrays.copyOf(head, length);
    int rest = in.readNBytes(block, HEAD, length - HEAD);
    return rest == length - HEAD ? ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN) : null;
  }

  /** The ping in a frame; null where it has none. */
  private static @Nullable Ping ping(ByteBuffer frame) {
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
}
