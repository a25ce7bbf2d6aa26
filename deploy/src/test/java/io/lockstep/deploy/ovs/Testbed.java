package io.lockstep.deploy.ovs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Three nodes, the ring and a capture of what they say to each other, for one test class. Taken
 * down after the class, and also where the tests' process is told to end; shown after a failed
 * test.
 */
final class Testbed implements BeforeAllCallback, AfterTestExecutionCallback, AfterAllCallback {
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private @Nullable RingCluster cluster;
  private @Nullable RingNetwork network;
  private @Nullable Capture capture;
  private @Nullable Thread hook;

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    Requirements.orSkip();
    hook = new Thread(this::takeDown, "take down the testbed");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      setUp();
    } catch (IOException | RuntimeException | AssertionError e) {
      show();
      takeDown();
      throw e;
    }
  }

  private void setUp() throws IOException {
    // Short: the path of a socket in it has at most 107 bytes.
    Path directory = Files.createTempDirectory(Path.of("/tmp"), "lockstep-ring-");
    opened.push(() -> remove(directory));
    RingCluster nodes = new RingCluster(directory);
    cluster = nodes;
    opened.push(nodes);
    capture = Capture.start(directory.resolve("openflow.pcapng"), nodes.openflowPorts());
    opened.push(capture);
    long started = System.nanoTime();
    nodes.startAll();
    nodes.awaitReady();
    report("three nodes are ready %d ms after their start", millisSince(started));
    started = System.nanoTime();
    network =
        RingNetwork.start(Files.createDirectory(directory.resolve("ovs")), nodes.openflowPorts());
    opened.push(network);
    nodes.makeWhole();
    report("the switches are mastered, their links known, after %d ms", millisSince(started));
  }

  RingCluster cluster() {
    return there(cluster);
  }

  RingNetwork network() {
    return there(network);
  }

  Capture capture() {
    return there(capture);
  }

  private static <T> T there(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("the testbed is not set up");
    }
    return part;
  }

  /** Writes a measured value to the test's output. */
  static void report(String format, Object... values) {
    System.out.println("measured: " + String.format(Locale.ROOT, format, values));
  }

  static long millisSince(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos).toMillis();
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      System.out.println("---- failed: " + context.getDisplayName());
      show();
    }
  }

  private void show() {
    if (cluster != null) {
      System.out.println(cluster.describe());
    }
    if (network != null) {
      System.out.println(network.describe());
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    takeDown();
    if (hook != null) {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }

  private synchronized void takeDown() {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        System.out.println("taking down the testbed, going on: " + e);
      }
    }
  }

  private static void remove(Path directory) {
    try (Stream<Path> below = Files.walk(directory)) {
      for (Path each : below.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("removing " + directory, e);
    }
  }
}
