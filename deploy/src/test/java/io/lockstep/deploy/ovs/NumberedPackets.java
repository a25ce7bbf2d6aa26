package io.lockstep.deploy.ovs;

import io.lockstep.deploy.ovs.CapturedPings.Tally;
import io.lockstep.deploy.testbed.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Every ping on some interfaces, captured until it is stopped. Used by one thread. */
final class NumberedPackets implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Frame, VLAN tag, IP and ICMP headers, and the time. */
  private static final int SNAPLEN = 80;

  /** So long nothing is written before all is; dumpcap writes what it has twice a second. */
  private static final Duration QUIET = Duration.ofMillis(1_500);

  private final Path file;
  private final int interfaces;
  private final CapturedPings pings;
  private final Dumpcap dumpcap;

  private NumberedPackets(Path file, List<String> names, Dumpcap dumpcap) {
    this.file = file;
    this.interfaces = names.size();
    this.pings = new CapturedPings(file, names);
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
          return now - sinceNanos.get() > QUIET.toNanos() && pings.reach(last);
        },
        dumpcap::said);
  }

  /** Ends the capture, and counts. Fails where a packet did not make it into the file. */
  Tally stop() throws IOException {
    if (dumpcap.stop(interfaces).stream().anyMatch(dropped -> dropped > 0)) {
      throw new AssertionError("the capture is not whole: " + dumpcap.said());
    }
    return pings.tally();
  }

  /** Ends the capture if it still runs. */
  @Override
  public void close() {
    dumpcap.close();
  }
}
