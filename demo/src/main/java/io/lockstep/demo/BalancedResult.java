package io.lockstep.demo;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;

/**
 * What {@code demo --scenario load-balancer --ci} prints as its last line; the components are the
 * keys.
 *
 * @param connections that were established
 * @param perMember those of them that are open at the end, by the id of their member
 * @param broken established connections to living members that ended or are not answered
 * @param takeoverMillis from the kill until other nodes mastered all switches of the killed one; -1
 *     where it did not come to that
 */
@JsonPropertyOrder({
  "nodes",
  "domains",
  "members",
  "connections",
  "perMember",
  "broken",
  "killedNode",
  "killedMember",
  "takeoverMillis",
  "pass"
})
record BalancedResult(
    int nodes,
    int domains,
    int members,
    long connections,
    Map<String, Long> perMember,
    long broken,
    String killedNode,
    String killedMember,
    long takeoverMillis,
    boolean pass) {
  private static final int LEAST_MEMBERS = 3;
  private static final int LEAST_CONNECTIONS = 300;
  private static final int MOST_TAKEOVER_MILLIS = 2_000;

  /**
   * The same, passed or not.
   *
   * @param isOrderExact whether members took their connections in turn
   */
  static BalancedResult judged(BalancedResult seen, boolean isOrderExact) {
    boolean pass =
        isOrderExact
            && seen.members >= LEAST_MEMBERS
            && seen.connections >= LEAST_CONNECTIONS
            && seen.broken == 0
            && seen.takeoverMillis > 0
            && seen.takeoverMillis < MOST_TAKEOVER_MILLIS;
    return new BalancedResult(
        seen.nodes,
        seen.domains,
        seen.members,
        seen.connections,
        seen.perMember,
        seen.broken,
        seen.killedNode,
        seen.killedMember,
        seen.takeoverMillis,
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
