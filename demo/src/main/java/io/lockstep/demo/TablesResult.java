package io.lockstep.demo;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * What {@code demo --scenario tables --ci} prints as its last line; the components are the keys.
 * Figures are of the small switch, of one second each.
 *
 * @param routes at each switch
 * @param installed routes that both switches had before there was traffic
 * @param shareBefore part of its packets that hardware forwards, when traffic began
 * @param shareAfter the same at the end
 * @param mbitBefore what it forwards in all
 * @param cpuBefore load of its processor, in percent
 * @param largeShare part of its packets that the hardware of the large switch forwards at the end
 * @param movedMillis from the first packet until the heavy routes were in hardware; -1 where it did
 *     not come to that
 */
@JsonPropertyOrder({
  "nodes",
  "switches",
  "routes",
  "installed",
  "shareBefore",
  "shareAfter",
  "mbitBefore",
  "mbitAfter",
  "cpuBefore",
  "cpuAfter",
  "largeShare",
  "movedMillis",
  "pass"
})
record TablesResult(
    int nodes,
    int switches,
    int routes,
    int installed,
    double shareBefore,
    double shareAfter,
    double mbitBefore,
    double mbitAfter,
    double cpuBefore,
    double cpuAfter,
    double largeShare,
    long movedMillis,
    boolean pass) {
  /** From this share on the heavy routes are in hardware. */
  static final double MOVED_SHARE = 0.5;

  /** The same, passed or not. */
  static TablesResult judged(TablesResult seen) {
    boolean pass =
        seen.installed == seen.switches * seen.routes
            && seen.shareBefore < MOVED_SHARE / 2
            && seen.shareAfter >= MOVED_SHARE
            && seen.mbitAfter > seen.mbitBefore
            && seen.cpuAfter < seen.cpuBefore
            && seen.largeShare == 1
            && seen.movedMillis > 0;
    return new TablesResult(
        seen.nodes,
        seen.switches,
        seen.routes,
        seen.installed,
        seen.shareBefore,
        seen.shareAfter,
        seen.mbitBefore,
        seen.mbitAfter,
        seen.cpuBefore,
        seen.cpuAfter,
        seen.largeShare,
        seen.movedMillis,
        pass);
  }

  /** One line. */
  String json() {
    try {
      return new ObjectMapper().writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a record of numbers is always JSON", e);
    }
  }
}
