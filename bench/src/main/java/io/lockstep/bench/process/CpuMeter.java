package io.lockstep.bench.process;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * CPU time of the processes of a run, with the resolution of the system's accounting (10 ms on
 * Linux). Immutable.
 */
public final class CpuMeter {
  private final List<ProcessHandle> servers;

  /**
   * A meter.
   *
   * @param servers the processes under load; empty where they are not ours and unknown
   */
  public CpuMeter(List<ProcessHandle> servers) {
    this.servers = List.copyOf(servers);
  }

  /** What was used so far. */
  public record Reading(long serverNanos, long clientNanos) {}

  /**
   * CPU time per answered operation, in microseconds, user and system. Names of the components are
   * keys of the result file.
   *
   * @param serverCpuMicros of all servers together; null where they are unknown
   * @param clientCpuMicros of the process that makes the load
   */
  public record Use(@Nullable Double serverCpuMicros, double clientCpuMicros) {
    /** Of all processes that are known, with the one that makes the load. */
    public double allCpuMicros() {
      return clientCpuMicros + (serverCpuMicros == null ? 0 : serverCpuMicros);
    }
  }

  /** Reads the clocks now; takes some ten microseconds for each process. */
  public Reading read() {
    long serverNanos = 0;
    for (ProcessHandle server : servers) {
      serverNanos += nanos(server);
    }
    return new Reading(serverNanos, nanos(ProcessHandle.current()));
  }

  /** What {@code operations} used between two readings. */
  public Use use(Reading from, Reading to, long operations) {
    double count = Math.max(1, operations);
    Double server =
        servers.isEmpty() ? null : micros((to.serverNanos() - from.serverNanos()) / count);
    return new Use(server, micros((to.clientNanos() - from.clientNanos()) / count));
  }

  private static double micros(double nanos) {
    return Math.round(nanos / 100) / 10.0;
  }

  private static long nanos(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }
}
