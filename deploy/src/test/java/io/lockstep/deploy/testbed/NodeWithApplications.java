package io.lockstep.deploy.testbed;

import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.topology.Topologies;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A node that some command line runs, and a network of two switches with two hosts each. Used by
 * one thread.
 */
public final class NodeWithApplications implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PING = Duration.ofSeconds(1);

  private final Path log;
  private final Process process;
  private final EmulatedNetwork network;

  private NodeWithApplications(Path log, Process process, int openflowPort) {
    this.log = log;
    this.process = process;
    this.network =
        EmulatedNetwork.start(
            Topologies.linear(2, 2),
            List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), openflowPort)));
  }

  /**
   * Starts the process, whose output goes to a log, and the network, whose switches wait for it.
   */
  public static NodeWithApplications start(ProcessBuilder command, Path log, int openflowPort)
      throws IOException {
    Process process =
        command.redirectErrorStream(true).redirectOutput(Redirect.to(log.toFile())).start();
    return new NodeWithApplications(log, process, openflowPort);
  }

  private EmulatedHost host(int host) {
    return network.hostNamed(network.topology().hosts().get(host).name());
  }

  /** The address of a host, numbered from 0. */
  public String mac(int host) {
    return host(host).mac().toString();
  }

  /** A host says so many times at once where it is; each time is a packet-in. */
  public void announce(int host, int times) {
    for (int i = 0; i < times; i++) {
      host(host).announce();
    }
  }

  /** Whether one ping from one host to another is answered within a second. */
  public boolean ping(int from, int to) {
    return ping(from, to, PING);
  }

  /** The same where it has to be answered, however busy the machine is. */
  public boolean reaches(int from, int to) {
    return ping(from, to, PATIENCE);
  }

  private boolean ping(int from, int to, Duration limit) {
    CompletableFuture<Long> answered = new CompletableFuture<>();
    host(from).pingOnce(host(to).address(), limit, answered::complete);
    try {
      // The host answers itself when its time is over, later where the machine is busy.
      return answered.get(2 * PATIENCE.toMillis(), TimeUnit.MILLISECONDS) >= 0;
    } catch (Exception e) {
      throw new AssertionError("ping from " + from + " to " + to, e);
    }
  }

  /** Waits until one host reaches another. */
  public void awaitPing(int from, int to) {
    Await.until(
        "host " + from + " reaches host " + to,
        PATIENCE,
        () -> {
          if (!process.isAlive()) {
            throw new IllegalStateException("the node ended with " + process.exitValue());
          }
          return ping(from, to);
        },
        this::log);
  }

  /** Whether the node runs. */
  public boolean running() {
    return process.isAlive();
  }

  /** What the node wrote. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return log + ": " + e;
    }
  }

  @Override
  public void close() {
    network.close();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
