package io.lockstep.demo.emulate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far the network is at one moment.
 *
 * @param millis since its start
 * @param switches of the network
 * @param roleless switches of OpenFlow 1.0, which knows no masters
 * @param controllers in the order of the command line
 * @param mastered switches of which a controller is the master; null where no controller ever took
 *     a role
 * @param without the first switches without a master, with their datapath ids
 * @param traffic so far
 */
record Progress(
    long millis,
    int switches,
    int roleless,
    List<Connected> controllers,
    @Nullable Integer mastered,
    List<String> without,
    Traffic traffic) {
  Progress {
    controllers = List.copyOf(controllers);
    without = List.copyOf(without);
  }

  /**
   * One controller.
   *
   * @param switches that are connected to it
   * @param trouble of one of those that are not; null where there is none
   */
  record Connected(String controller, int switches, @Nullable String trouble) {}

  /**
   * Sums since the start.
   *
   * @param frames that cables carried
   * @param packetIns sent to controllers
   */
  record Traffic(long frames, long packetIns, PingTally.Counts pings) {}

  /** Whether every switch is connected to every controller. */
  boolean allConnected() {
    return controllers.stream().allMatch(each -> each.switches() == switches);
  }

  /** Whether every switch that can have a master has one, or no controller takes roles. */
  boolean allMastered() {
    return mastered == null || mastered == masterable();
  }

  /** Switches that can have a master. */
  int masterable() {
    return switches - roleless;
  }
}
