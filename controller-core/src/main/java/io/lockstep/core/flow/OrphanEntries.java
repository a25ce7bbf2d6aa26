package io.lockstep.core.flow;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketIn;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;

/**
 * Finds entries without an intention, and deletes one when two read-backs in a row show it. Used by
 * one thread.
 */
final class OrphanEntries {
  private static final int MAX_BATCH = 256;

  private Set<Orphan> seen = new HashSet<>();

  /** What identifies an entry. */
  private record Orphan(int table, int priority, long cookie, TrafficSelector selector) {}

  /** The flow-mods that delete entries which the previous read-back showed, too; at most 256. */
  List<FlowMod> deletes(List<FlowStats> found) {
    List<FlowMod> deletes = new ArrayList<>();
    Set<Orphan> now = new HashSet<>();
    for (FlowStats entry : found) {
      Orphan orphan =
          new Orphan(entry.tableId(), entry.priority(), entry.cookie(), entry.selector());
      now.add(orphan);
      if (seen.contains(orphan) && deletes.size() < MAX_BATCH) {
        deletes.add(
            new FlowMod(
                FlowMod.Operation.DELETE_STRICT,
                entry.tableId(),
                entry.priority(),
                entry.cookie(),
                -1L,
                0,
                0,
                false,
                PacketIn.NO_BUFFER,
                entry.selector(),
                DefaultTrafficTreatment.emptyTreatment()));
      }
    }
    seen = now;
    return deletes;
  }
}
