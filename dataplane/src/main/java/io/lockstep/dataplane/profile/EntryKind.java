package io.lockstep.dataplane.profile;

import io.lockstep.dataplane.packet.OxmField;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One kind of entries that a table of a fixed pipeline takes. Actions are words: a field that is
 * set, or one of {@link #OTHER_ACTIONS}.
 *
 * @param allowed fields that an entry may match on
 * @param required fields that it has to match on
 * @param exact fields that it matches in every bit or not at all
 * @param vlan which packets it is for, by their VLAN tag
 * @param etherType the EtherType that it has to match, or the one that it may not match
 * @param apply actions that may be applied at once
 * @param write actions that may be written into the action set
 * @param must actions that have to be there
 * @param clears whether it may clear the action set
 * @param next the table to which it has to send packets; {@link #LAST} for none
 * @param allowedBy the kind of an entry that has to allow the VLAN first which this one assigns;
 *     null for none
 */
public record EntryKind(
    String name,
    Set<OxmField> allowed,
    Set<OxmField> required,
    Set<OxmField> exact,
    Tag vlan,
    @Nullable TypeRule etherType,
    Set<String> apply,
    Set<String> write,
    Set<String> must,
    boolean clears,
    int next,
    @Nullable String allowedBy) {
  /** No table comes next. */
  public static final int LAST = -1;

  /** Sends to the controller. */
  public static final String CONTROLLER = "controller";

  /** Sends to a port. */
  public static final String OUTPUT = "output";

  /** A group for one port and one VLAN. */
  public static final String L2_INTERFACE = "l2_interface";

  /** Adds a VLAN tag. */
  public static final String PUSH_VLAN = "push_vlan";

  /** Removes a VLAN tag. */
  public static final String POP_VLAN = "pop_vlan";

  /** The words of actions that set no field. */
  public static final Set<String> OTHER_ACTIONS =
      Collections.unmodifiableSet(
          new TreeSet<>(Set.of(CONTROLLER, L2_INTERFACE, OUTPUT, PUSH_VLAN, POP_VLAN)));

  /** What the VLAN tag of a packet has to be. */
  public enum Tag {
    ANY,
    /** No tag: VLAN_VID is matched with OFPVID_NONE. */
    UNTAGGED,
    /** A tag with an id other than 0. */
    TAGGED
  }

  /**
   * A condition on the EtherType.
   *
   * @param not whether the entries are for all others; one that does not match on the EtherType
   *     then takes no packet with this one
   */
  public record TypeRule(int value, boolean not) {}

  public EntryKind {
    allowed = copy(allowed);
    required = copy(required);
    exact = copy(exact);
    apply = Set.copyOf(apply);
    write = Set.copyOf(write);
    must = Set.copyOf(must);
  }

  private static Set<OxmField> copy(Set<OxmField> fields) {
    EnumSet<OxmField> copy = EnumSet.noneOf(OxmField.class);
    copy.addAll(fields);
    return Collections.unmodifiableSet(copy);
  }
}
