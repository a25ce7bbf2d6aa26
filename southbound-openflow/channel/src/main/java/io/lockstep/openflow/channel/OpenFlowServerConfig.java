package io.lockstep.openflow.channel;

/**
 * Settings of the OpenFlow server; {@link #defaults} and the {@code with} methods build one.
 *
 * @param address to listen on, a name or a number
 * @param port to listen on; 0 lets the system choose
 * @param eventLoops threads that serve the switches, at least 1
 * @param maxConnections at one time, in all
 * @param maxConnectionsPerAddress at one time, from one IP address
 * @param handshakeTimeoutMillis for each step of a handshake
 * @param probeTimeoutMillis how long a session whose datapath id appears on a second connection has
 *     to answer an echo
 * @param echoIntervalMillis silence after which the switch is asked for an echo
 * @param echoTimeoutMillis silence after that, which closes the connection
 * @param requestTimeoutMillis for each request to a switch
 * @param outboundLowWaterBytes outbound queue below which reading and sending go on
 * @param outboundHighWaterBytes outbound queue above which nothing is read, and packet-outs and
 *     flow-mods are refused
 * @param maxPendingRequests unanswered requests of one connection
 * @param maxPorts of one switch
 * @param maxStatsEntries of one statistics answer
 * @param maxOutboundBytes that wait to be sent to all switches together; a quarter for one of them
 * @param maxHandshakeOutboundBytes that wait for all connections in their handshake together; a
 *     32nd part for one of them
 */
public record OpenFlowServerConfig(
    String address,
    int port,
    int eventLoops,
    int maxConnections,
    int maxConnectionsPerAddress,
    int handshakeTimeoutMillis,
    int probeTimeoutMillis,
    int echoIntervalMillis,
    int echoTimeoutMillis,
    int requestTimeoutMillis,
    int outboundLowWaterBytes,
    int outboundHighWaterBytes,
    int maxPendingRequests,
    int maxPorts,
    int maxStatsEntries,
    int maxOutboundBytes,
    int maxHandshakeOutboundBytes) {

  /** The port that IANA gave to OpenFlow. */
  public static final int OPENFLOW_PORT = 6653;

  /** Refuses values that make no sense, naming them. */
  public OpenFlowServerConfig {
    atLeast("port", port, 0);
    if (port > 0xffff) {
      throw new IllegalArgumentException("port " + port + " > 65535");
    }
    atLeast("eventLoops", eventLoops, 1);
    atLeast("maxConnections", maxConnections, 1);
    atLeast("maxConnectionsPerAddress", maxConnectionsPerAddress, 1);
    atLeast("handshakeTimeoutMillis", handshakeTimeoutMillis, 1);
    atLeast("probeTimeoutMillis", probeTimeoutMillis, 1);
    atLeast("echoIntervalMillis", echoIntervalMillis, 1);
    atLeast("echoTimeoutMillis", echoTimeoutMillis, 1);
    atLeast("requestTimeoutMillis", requestTimeoutMillis, 1);
    atLeast("outboundLowWaterBytes", outboundLowWaterBytes, 1);
    atLeast("outboundHighWaterBytes", outboundHighWaterBytes, outboundLowWaterBytes);
    atLeast("maxPendingRequests", maxPendingRequests, 1);
    atLeast("maxPorts", maxPorts, 1);
    atLeast("maxStatsEntries", maxStatsEntries, 1);
    atLeast("maxOutboundBytes", maxOutboundBytes, outboundHighWaterBytes);
    atLeast("maxHandshakeOutboundBytes", maxHandshakeOutboundBytes, 64 * 1024);
  }

  private static void atLeast(String name, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(name + " " + value + " < " + least);
    }
  }

  /** What serves a network of some hundred switches. */
  public static OpenFlowServerConfig defaults() {
    return new OpenFlowServerConfig(
        "0.0.0.0",
        OPENFLOW_PORT,
        2,
        4096,
        1024,
        5000,
        1000,
        5000,
        5000,
        5000,
        256 * 1024,
        1024 * 1024,
        1024,
        8192,
        200_000,
        48 * 1024 * 1024,
        2 * 1024 * 1024);
  }

  /** The same on another address and port. */
  public OpenFlowServerConfig withListen(String newAddress, int newPort) {
    return new OpenFlowServerConfig(
        newAddress,
        newPort,
        eventLoops,
        maxConnections,
        maxConnectionsPerAddress,
        handshakeTimeoutMillis,
        probeTimeoutMillis,
        echoIntervalMillis,
        echoTimeoutMillis,
        requestTimeoutMillis,
        outboundLowWaterBytes,
        outboundHighWaterBytes,
        maxPendingRequests,
        maxPorts,
        maxStatsEntries,
        maxOutboundBytes,
        maxHandshakeOutboundBytes);
  }

  /** The same with another number of threads. */
  public OpenFlowServerConfig withEventLoops(int newEventLoops) {
    return new OpenFlowServerConfig(
        address,
        port,
        newEventLoops,
        maxConnections,
        maxConnectionsPerAddress,
        handshakeTimeoutMillis,
        probeTimeoutMillis,
        echoIntervalMillis,
        echoTimeoutMillis,
        requestTimeoutMillis,
        outboundLowWaterBytes,
        outboundHighWaterBytes,
        maxPendingRequests,
        maxPorts,
        maxStatsEntries,
        maxOutboundBytes,
        maxHandshakeOutboundBytes);
  }

  /** The same with other caps on connections. */
  public OpenFlowServerConfig withCaps(int newMaxConnections, int newMaxConnectionsPerAddress) {
    return new OpenFlowServerConfig(
        address,
        port,
        eventLoops,
        newMaxConnections,
        newMaxConnectionsPerAddress,
        handshakeTimeoutMillis,
        probeTimeoutMillis,
        echoIntervalMillis,
        echoTimeoutMillis,
        requestTimeoutMillis,
        outboundLowWaterBytes,
        outboundHighWaterBytes,
        maxPendingRequests,
        maxPorts,
        maxStatsEntries,
        maxOutboundBytes,
        maxHandshakeOutboundBytes);
  }

  /** The same with other deadlines, in milliseconds. */
  public OpenFlowServerConfig withDeadlines(
      int newHandshake, int newProbe, int newEchoInterval, int newEcho, int newRequest) {
    return new OpenFlowServerConfig(
        address,
        port,
        eventLoops,
        maxConnections,
        maxConnectionsPerAddress,
        newHandshake,
        newProbe,
        newEchoInterval,
        newEcho,
        newRequest,
        outboundLowWaterBytes,
        outboundHighWaterBytes,
        maxPendingRequests,
        maxPorts,
        maxStatsEntries,
        maxOutboundBytes,
        maxHandshakeOutboundBytes);
  }

  /** The same with other bounds on what waits to be sent, in bytes. */
  public OpenFlowServerConfig withOutbound(
      int newMaxOutboundBytes, int newMaxHandshakeOutboundBytes) {
    return new OpenFlowServerConfig(
        address,
        port,
        eventLoops,
        maxConnections,
        maxConnectionsPerAddress,
        handshakeTimeoutMillis,
        probeTimeoutMillis,
        echoIntervalMillis,
        echoTimeoutMillis,
        requestTimeoutMillis,
        outboundLowWaterBytes,
        outboundHighWaterBytes,
        maxPendingRequests,
        maxPorts,
        maxStatsEntries,
        newMaxOutboundBytes,
        newMaxHandshakeOutboundBytes);
  }

  /** How often deadlines are looked at. */
  int tickMillis() {
    int shortest =
        Math.min(
            Math.min(probeTimeoutMillis, requestTimeoutMillis),
            Math.min(echoIntervalMillis, echoTimeoutMillis));
    return Math.max(5, Math.min(250, shortest / 8));
  }
}
