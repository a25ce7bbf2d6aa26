package io.lockstep.demo;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * How long the demo's scenes last.
 *
 * @param endsByItself whether it ends after the story; otherwise everything runs on until Ctrl-C
 * @param calmMillis pings before the kill, and again after the take-over
 * @param takeoverBoundMillis a longer take-over fails the demo
 * @param startBoundMillis what may pass until nodes are ready, switches mastered, pings answered
 * @param applications jars that each node loads, absolute
 */
record DemoSettings(
    boolean endsByItself,
    long calmMillis,
    long takeoverBoundMillis,
    long startBoundMillis,
    List<Path> applications) {

  /** Nodes of the demo. */
  static final int NODES = 3;

  DemoSettings {
    applications = applications.stream().map(Path::toAbsolutePath).toList();
  }

  static DemoSettings forTerminal() {
    return new DemoSettings(false, 10_000, 4_000, 90_000, List.of());
  }

  static DemoSettings forCi() {
    return new DemoSettings(true, 4_000, 4_000, 90_000, List.of());
  }

  /** The same with applications of jars. */
  DemoSettings with(List<Path> jars) {
    return new DemoSettings(endsByItself, calmMillis, takeoverBoundMillis, startBoundMillis, jars);
  }

  /** What each node's command line has besides its configuration file. */
  List<String> nodeOptions() {
    return applications.stream().flatMap(jar -> Stream.of("--app", jar.toString())).toList();
  }
}
