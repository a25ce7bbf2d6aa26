package io.lockstep.core.flow.entry;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.onosproject.net.flow.FlowRule;

/**
 * The cookie of a flow entry names its owner: bits 63 to 60 hold the kind, bits 59 to 48 the owner,
 * and the rest is free. So a masked cookie selects, and deletes, the entries of one owner. No node
 * touches entries with other cookies.
 */
public final class Cookies {

  /** The bits of kind and owner. */
  public static final long OWNER_MASK = 0xffff_0000_0000_0000L;

  /** The node's own entries: table-miss and discovery. */
  public static final long SYSTEM = kind(0xA, 0);

  /** The table-miss entries of a placed switch. */
  public static final long TABLE_MISS = SYSTEM + 1;

  /** The entries that each port of a switch with a fixed pipeline needs. */
  public static final long PORT_ENTRY = SYSTEM + 2;

  /** The bits of a tag, with which an application marks its soft entries. */
  public static final long TAG_MASK = 0xffffL;

  private static final long KIND_MASK = 0xf000_0000_0000_0000L;
  private static final int KIND_INTENDED = 0xB;
  private static final int KIND_SOFT = 0xC;
  private static final int KIND_PLACED = 0xD;
  private static final int KIND_COVER = 0xE;
  private static final int KIND_PROBE = 0xF;
  private static final int OWNERS = 1 << 12;

  /** The bits of {@link #OWNER_MASK} of a probe's entries. */
  public static final long PROBE = kind(KIND_PROBE, 0x4c5);

  private Cookies() {}

  private static long kind(int kind, int owner) {
    return (long) kind << 60 | (long) owner << 48;
  }

  /** Owner bits of an application's soft entries; the same on every node. */
  public static long softEntriesOf(String application) {
    return kind(KIND_SOFT, Math.floorMod(application.hashCode(), OWNERS));
  }

  /** The cookie of an intended rule; the rule's id without its top four bits. */
  public static long intended(FlowRule rule) {
    return (rule.id().value() & ~KIND_MASK) | kind(KIND_INTENDED, 0);
  }

  /** The cookie of a placed rule, from a hash of its priority, match and treatment. */
  public static long placed(long hash) {
    return (hash & ~KIND_MASK) | kind(KIND_PLACED, 0);
  }

  /** The cookie of an entry that sends the packets of a placed rule on. */
  public static long cover(long hash) {
    return (hash & ~KIND_MASK) | kind(KIND_COVER, 0);
  }

  /** Whether the placer made an entry with this cookie: a rule or a cover. */
  public static boolean isPlaced(long cookie) {
    long kind = cookie & KIND_MASK;
    return kind == kind(KIND_PLACED, 0) || kind == kind(KIND_COVER, 0);
  }

  /** Whether an entry with this cookie sends packets of a placed rule on. */
  public static boolean isCover(long cookie) {
    return (cookie & KIND_MASK) == kind(KIND_COVER, 0);
  }

  /** Whether an entry with this cookie is the node's own. */
  public static boolean isSystem(long cookie) {
    return (cookie & KIND_MASK) == (SYSTEM & KIND_MASK);
  }

  /** Whether an entry with this cookie comes from an intended rule. */
  public static boolean isIntended(long cookie) {
    return (cookie & KIND_MASK) == kind(KIND_INTENDED, 0);
  }

  /** Whether an entry with this cookie is an application's soft entry. */
  public static boolean isSoft(long cookie) {
    return (cookie & KIND_MASK) == kind(KIND_SOFT, 0);
  }

  /** Whether an entry with this cookie belongs to a probe of the switch. */
  public static boolean isProbe(long cookie) {
    return (cookie & OWNER_MASK) == PROBE;
  }

  /** Whether a node or one of its applications made an entry with this cookie; no probe did. */
  public static boolean isOurs(long cookie) {
    return isSystem(cookie) || isIntended(cookie) || isSoft(cookie) || isPlaced(cookie);
  }

  /**
   * Checks that applications can tell their flow entries apart.
   *
   * @throws IllegalArgumentException naming two that cannot
   */
  public static void requireDistinct(List<String> applications) {
    Map<Long, String> names = new HashMap<>();
    for (String name : applications) {
      String other = names.put(softEntriesOf(name), name);
      if (other != null) {
        throw new IllegalArgumentException(
            "applications "
                + other
                + " and "
                + name
                + " would own each other's flow entries: rename one");
      }
    }
  }
}
