package io.lockstep.core.flow.entry;

import io.lockstep.core.flow.entry.HeaderSpace.Inexpressible;
import java.util.List;
import java.util.Objects;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;

/**
 * Compares an entry that a switch reports with what it was sent. The cookie does not suffice: a
 * MODIFY of another controller changes an entry's actions and leaves its cookie as it is (OpenFlow
 * 1.3.5 section 6.4). Two wordings of one meaning are equal, since a switch may report either. Pure
 * and thread-safe.
 */
public final class EntryComparison {
  private EntryComparison() {}

  /** Whether two selectors match the same packets, as far as the header space can express them. */
  public static boolean sameMatch(TrafficSelector sent, TrafficSelector reported) {
    if (sent.equals(reported)) {
      return true;
    }
    try {
      return HeaderSpace.match(sent).equals(HeaderSpace.match(reported));
    } catch (Inexpressible e) {
      return false;
    }
  }

  /**
   * Whether two treatments do the same with a packet.
   *
   * @param table of the entry. In the first table no action is deferred yet, so to clear deferred
   *     actions does nothing there, and OpenFlow 1.0 cannot report it
   */
  public static boolean sameActions(int table, TrafficTreatment sent, TrafficTreatment reported) {
    return actions(sent.immediate()).equals(actions(reported.immediate()))
        && sameSet(actions(sent.deferred()), actions(reported.deferred()))
        && (table == 0 || sent.clearedDeferred() == reported.clearedDeferred())
        && Objects.equals(sent.tableTransition(), reported.tableTransition())
        && Objects.equals(sent.writeMetadata(), reported.writeMetadata())
        && sent.meters().equals(reported.meters());
  }

  /** A switch reports the action that does nothing as no action. */
  private static List<Instruction> actions(List<Instruction> instructions) {
    return instructions.stream().filter(one -> one.type() != Instruction.Type.NOACTION).toList();
  }

  /** Deferred actions are a set, whose order the switch decides (section 5.10). */
  private static boolean sameSet(List<Instruction> sent, List<Instruction> reported) {
    return sent.size() == reported.size() && reported.containsAll(sent);
  }
}
