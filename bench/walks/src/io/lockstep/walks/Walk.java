package io.lockstep.walks;

/** The walks, each with its title, its bound, and what of its calls counts. */
enum Walk {
  PACKET_IN_KNOWN("packet-in, known", 40, false),
  PACKET_IN_NEW("packet-in, new", 40, false),
  DIRECT_RULE("direct rule", 18, false),
  WRITE("write", 35, true),
  WRITE_ALONE("write, without the state machine", 0, false),
  RESTART("restart", 25, true),
  RESTART_ALONE("restart, without the state machine", 0, false);

  private final String title;
  private final int bound;
  private final boolean withStateMachine;

  Walk(String title, int bound, boolean withStateMachine) {
    this.title = title;
    this.bound = bound;
    this.withStateMachine = withStateMachine;
  }

  String title() {
    return title;
  }

  /** The most working files it should have; empty where it is part of another walk. */
  String bound() {
    return bound == 0 ? "" : Integer.toString(bound);
  }

  boolean withStateMachine() {
    return withStateMachine;
  }

  /**
   * Whether a file can be on this walk.
   *
   * @param file below {@code io/lockstep/}
   */
  boolean covers(String file) {
    return switch (this) {
      case PACKET_IN_KNOWN, PACKET_IN_NEW ->
          !file.startsWith("store/engine/") && !file.startsWith("store/core/");
      case DIRECT_RULE -> !file.startsWith("store/");
      case WRITE, WRITE_ALONE, RESTART, RESTART_ALONE -> file.startsWith("store/");
    };
  }
}
