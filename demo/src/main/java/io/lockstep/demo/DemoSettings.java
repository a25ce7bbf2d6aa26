package io.lockstep.demo;

import io.lockstep.deploy.application.ApplicationCatalog;
import io.lockstep.deploy.application.ApplicationOptions;
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
 * @param applicationSection what each node's file says under {@code applications}
 */
record DemoSettings(
    boolean endsByItself,
    long calmMillis,
    long takeoverBoundMillis,
    long startBoundMillis,
    List<Path> applications,
    String applicationSection) {

  /** Nodes of the demo. */
  static final int NODES = 3;

  /** Shorter than the pause between a slow pair's pings: each of those needs new flow entries. */
  static final String SHORT_FLOWS = "learning-switch.idleTimeoutSeconds=1";

  private static final String USUAL =
      ApplicationOptions.section(ApplicationCatalog.BUILT_IN, List.of(SHORT_FLOWS), List.of());

  DemoSettings {
    applications = applications.stream().map(Path::toAbsolutePath).toList();
  }

  static DemoSettings forTerminal() {
    return new DemoSettings(false, 10_000, 4_000, 90_000, List.of(), USUAL);
  }

  static DemoSettings forCi() {
    return new DemoSettings(true, 4_000, 4_000, 90_000, List.of(), USUAL);
  }

  /** The same with applications of jars, and with what configures the applications. */
  DemoSettings with(List<Path> jars, String section) {
    return new DemoSettings(
        endsByItself, calmMillis, takeoverBoundMillis, startBoundMillis, jars, section);
  }

  /** What each node's command line has besides its configuration file. */
  List<String> nodeOptions() {
    return applications.stream().flatMap(jar -> Stream.of("--app", jar.toString())).toList();
  }
}
