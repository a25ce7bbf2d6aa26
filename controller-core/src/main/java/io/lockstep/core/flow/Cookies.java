package io.lockstep.core.flow;

import org.onosproject.net.flow.FlowRule;

/**
 * Whose a flow entry is, written into its cookie: bits 63 to 60 the kind, bits 59 to 48 the owner,
 * the rest free. So an owner's entries can be told, and deleted, by a masked cookie alone. Entries
 * with any other cookie are not ours and are never touched.
 */
public final class Cookies {

  /** The bits that tell kind and owner. */
  public static final long OWNER_MASK = 0xffff_0000_0000_0000L;

  /** The node's own entries: table-miss and discovery. */
  public static final long SYSTEM = kind(0xA, 0);

  private static final long KIND_MASK = 0xf000_0000_0000_0000L;
  private static final int KIND_INTENDED = 0xB;
  private static final int KIND_SOFT = 0xC;
  private static final int OWNERS = 1 << 12;

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

  /** Whether an entry with this cookie was made from an intended rule. */
  public static boolean isIntended(long cookie) {
    return (cookie & KIND_MASK) == kind(KIND_INTENDED, 0);
  }

  /** Whether an entry with this cookie is an application's soft entry. */
  public static boolean isSoft(long cookie) {
    return (cookie & KIND_MASK) == kind(KIND_SOFT, 0);
  }
}
