package io.lockstep.demo;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * What {@code demo --ci} prints as its last line; the components are the keys.
 *
 * @param takeoverMillis from the kill until other nodes mastered all switches of the killed one; -1
 *     where it did not come to that
 */
@JsonPropertyOrder({
  "nodes",
  "domains",
  "switches",
  "hosts",
  "killedNode",
  "takeoverMillis",
  "pings",
  "pass"
})
record DemoResult(
    int nodes,
    int domains,
    int switches,
    int hosts,
    String killedNode,
    long takeoverMillis,
    Pings pings,
    boolean pass) {

  /**
   * Pings by when they were sent: before the kill; until a second after the take-over, in which the
   * new master proves its ports; after that.
   */
  @JsonPropertyOrder({"before", "during", "after"})
  record Pings(PingBoard.Counts before, PingBoard.Counts during, PingBoard.Counts after) {}

  /** One line. */
  String json() {
    try {
      return new ObjectMapper().writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a record of numbers is always JSON", e);
    }
  }
}
