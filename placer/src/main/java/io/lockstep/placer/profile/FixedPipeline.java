package io.lockstep.placer.profile;

import java.util.List;

/**
 * What is fixed around the only layer of a switch: what its other tables need before a packet gets
 * to the layer, and in which form the layer takes entries (docs/adr/0053).
 *
 * @param untaggedVlan the VLAN in which the switch carries frames without a tag; 0 where it takes
 *     them as they are
 * @param portEntries entries of other tables that each port needs, in the order in which they have
 *     to be written
 * @param output how entries of the layer send packets to a port
 * @param lastPriority the priority of the last entry of the layer, which sends packets to the
 *     controller. Those up to it are not for rules
 * @param apartTypes EtherTypes of packets that no entry takes which does not match the EtherType;
 *     the last entry is written once more for each
 */
public record FixedPipeline(
    int untaggedVlan,
    List<PortEntry> portEntries,
    Output output,
    int lastPriority,
    List<Integer> apartTypes) {

  /** How entries send packets to a port. */
  public enum Output {
    /** By an output action. */
    PORTS,
    /**
     * Through a group for the port and the VLAN, with the id {@code vlan << 16 | port}: an L2
     * interface group of OF-DPA (Abstract Switch Specification 2.01, section 4.3.1).
     */
    L2_INTERFACE
  }

  /** The frames that an entry for a port takes. */
  public enum FrameKind {
    /** All of the port. */
    ALL,
    /** Those with a tag of {@link #untaggedVlan}. */
    TAGGED,
    /** Those without a tag. */
    UNTAGGED
  }

  /**
   * An entry that each port needs.
   *
   * @param assigns whether it gives frames a tag of {@link #untaggedVlan}
   * @param next the table to which it leads
   */
  public record PortEntry(int table, int priority, FrameKind frames, boolean assigns, int next) {}

  public FixedPipeline {
    portEntries = List.copyOf(portEntries);
    apartTypes = List.copyOf(apartTypes);
  }

  /** Whether a table holds entries of ports. */
  public boolean isPortTable(int table) {
    return portEntries.stream().anyMatch(entry -> entry.table() == table);
  }

  /** The id of the group that leads to a port, 1 to 65535. */
  public int groupOf(long port) {
    return untaggedVlan << 16 | (int) port;
  }

  /** The port to which a group leads; 0 where the id is that of another kind of groups. */
  public int portOf(int group) {
    return group >>> 16 == untaggedVlan ? group & 0xffff : 0;
  }
}
