package io.lockstep.core.flow;

import io.lockstep.placer.RuleKey;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Ids for operators of rules that have none of onos-api: those that applications install for
 * packets, and the node's own. An id follows from priority and match, so it is the same on every
 * node and after a restart. Pure.
 */
final class PassingIds {
  private static final long FNV_OFFSET = 0xcbf2_9ce4_8422_2325L;
  private static final long FNV_PRIME = 0x100_0000_01b3L;

  private PassingIds() {}

  /** The id: FNV-1a, 64 bits, of the rule's text. */
  static long of(RuleKey key) {
    long hash = FNV_OFFSET;
    for (byte octet : key.toString().getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (octet & 0xff)) * FNV_PRIME;
    }
    return hash;
  }

  /**
   * The rule with such an id; null where there is none.
   *
   * @param requested rules that are looked at first
   * @param missed rules that the switch does not have
   */
  static @Nullable RuleKey find(
      Collection<RuleKey> requested, Collection<RuleKey> missed, long id) {
    return Stream.concat(requested.stream(), missed.stream())
        .filter(key -> of(key) == id)
        .findFirst()
        .orElse(null);
  }
}
