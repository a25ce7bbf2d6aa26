package io.lockstep.dataplane.openflow;

/**
 * How a switch keeps its connections.
 *
 * @param firstBackoffMillis pause before the first reconnection; doubled each time
 * @param maxBackoffMillis longest pause
 * @param connectTimeoutMillis for the TCP connection
 * @param helloTimeoutMillis from connected to the controller's HELLO
 * @param echoIntervalMillis silence after which the controller is probed
 * @param silenceMillis silence after which the connection is given up
 * @param outboundBytes unsent bytes above which packet-ins are dropped and requests wait
 */
public record AgentSettings(
    int firstBackoffMillis,
    int maxBackoffMillis,
    int connectTimeoutMillis,
    int helloTimeoutMillis,
    int echoIntervalMillis,
    int silenceMillis,
    int outboundBytes) {
  /** 0.1 to 2 s back-off, 5 s time-outs, probes after 5 s, given up after 15 s, 1 MiB. */
  public static final AgentSettings ORDINARY =
      new AgentSettings(100, 2000, 5000, 5000, 5000, 15_000, 1 << 20);
}
