package io.lockstep.deploy.ovs;

import io.lockstep.deploy.testbed.Await;
import io.lockstep.openflow.channel.ovs.OvsHost;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.BitSet;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One host pings another, on and on, until it is closed. A reader thread of its own counts;
 * thread-safe.
 */
final class Pinging implements AutoCloseable {
  /** Pause between two pings. */
  static final int INTERVAL_MILLIS = 20;

  /** Installed rules answer in a millisecond; a busy machine may need seconds. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private static final Pattern REPLY =
      Pattern.compile("\\[(\\d+)\\.(\\d{3})\\d*] \\d+ bytes from .*icmp_seq=(\\d+).*");
  private static final int SEQUENCE_NUMBERS = 1 << 16;

  private final OvsHost from;
  private final OvsHost to;
  private final Process process;
  private final BitSet answered = new BitSet();
  private final StringBuilder otherLines = new StringBuilder();
  private int highest;
  private int duplicates;
  private long firstReplyAtMillis = -1;
  private long lastReplyAtMillis = -1;
  private long longestGapMillis;

  private Pinging(OvsHost from, OvsHost to, Process process) {
    this.from = from;
    this.to = to;
    this.process = process;
  }

  /**
   * What became of the pings.
   *
   * @param lost sent and not answered, although a later one was
   * @param duplicates second answers to one ping: a loop
   * @param longestGapMillis longest time between two answers
   */
  record Tally(int answered, int lost, int duplicates, long longestGapMillis) {}

  /** Begins. */
  static Pinging start(OvsHost from, OvsHost to) {
    String interval = String.format(Locale.ROOT, "%.3f", INTERVAL_MILLIS / 1000.0);
    Process process = from.spawn("ping", "-n", "-D", "-i", interval, "-W", "2", to.ip());
    Pinging pinging = new Pinging(from, to, process);
    Thread reader = new Thread(pinging::read, pinging.toString());
    reader.setDaemon(true);
    reader.start();
    return pinging;
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        take(line);
      }
    } catch (IOException ended) {
      // closed while it was read
    }
  }

  private synchronized void take(String line) {
    Matcher reply = REPLY.matcher(line);
    if (!reply.matches()) {
      if (otherLines.length() < 2000) {
        otherLines.append(line).append('\n');
      }
      return;
    }
    long atMillis = Long.parseLong(reply.group(1)) * 1000 + Long.parseLong(reply.group(2));
    int sequence = Integer.parseInt(reply.group(3));
    if (answered.get(sequence)) {
      duplicates++;
      return;
    }
    answered.set(sequence);
    highest = Math.max(highest, sequence);
    if (highest == SEQUENCE_NUMBERS - 1) {
      throw new IllegalStateException("too long a test: the sequence numbers begin anew");
    }
    if (firstReplyAtMillis < 0) {
      firstReplyAtMillis = atMillis;
    } else {
      longestGapMillis = Math.max(longestGapMillis, atMillis - lastReplyAtMillis);
    }
    lastReplyAtMillis = atMillis;
  }

  /** Waits for the first answer; gives the wall clock's milliseconds when it came in. */
  long awaitFirstReply(Duration atMost) {
    Await.until(this + " gets an answer", atMost, this::replied, this::said);
    synchronized (this) {
      return firstReplyAtMillis;
    }
  }

  private synchronized boolean replied() {
    return firstReplyAtMillis >= 0;
  }

  /**
   * Waits for pings that are sent from now on to be answered, and counts up to the last of them.
   */
  Tally tally() {
    int seen;
    synchronized (this) {
      seen = highest;
    }
    Await.until(
        this + " goes on after answer " + seen, PATIENCE, () -> highestAbove(seen + 3), this::said);
    synchronized (this) {
      // The last three may still overtake one another.
      int lost = 0;
      for (int sequence = 1; sequence <= seen; sequence++) {
        lost += answered.get(sequence) ? 0 : 1;
      }
      return new Tally(answered.cardinality(), lost, duplicates, longestGapMillis);
    }
  }

  /**
   * Waits until no ping before the newest answer is open, or patience ends: the first ones go over
   * a controller, and later ones overtake them.
   */
  void awaitLateReplies() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (hasGap() && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(INTERVAL_MILLIS));
    }
  }

  private synchronized boolean hasGap() {
    return answered.nextClearBit(1) < highest;
  }

  private synchronized boolean highestAbove(int sequence) {
    return highest > sequence;
  }

  private synchronized String said() {
    return otherLines.toString();
  }

  @Override
  public String toString() {
    return "ping from " + from.name() + " to " + to.name();
  }

  /** Ends it, within seconds. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().orTimeout(5, TimeUnit.SECONDS).join();
  }
}
