package io.lockstep.deploy.demo;

/**
 * How long the demo's scenes last.
 *
 * @param endsByItself whether it ends after the story; otherwise everything runs on until Ctrl-C
 * @param calmMillis pings before the kill, and again after the take-over
 * @param takeoverBoundMillis a longer take-over fails the demo
 * @param startBoundMillis what may pass until nodes are ready, switches mastered, pings answered
 */
record DemoSettings(
    boolean endsByItself, long calmMillis, long takeoverBoundMillis, long startBoundMillis) {

  /** Nodes of the demo. */
  static final int NODES = 3;

  static DemoSettings forTerminal() {
    return new DemoSettings(false, 10_000, 4_000, 90_000);
  }

  static DemoSettings forCi() {
    return new DemoSettings(true, 4_000, 4_000, 90_000);
  }
}
