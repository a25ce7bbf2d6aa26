package io.lockstep.placer;

import java.util.List;

/**
 * A placer that was made from an image of its switch, and the entries to delete there before it is
 * used.
 *
 * @param placer the restored placer
 * @param changesDone the number of pending changes that the switch shows already
 * @param toDelete entries that belong to no rule, or must not be in their layer; empty if the
 *     switch behaves as one logical table. The owner deletes them before it uses the placer, and
 *     does not confirm them
 */
public record RestoredPlacer(
    Placer placer, int changesDone, List<PlacementImage.InLayer> toDelete) {
  public RestoredPlacer {
    toDelete = List.copyOf(toDelete);
  }

  /** Whether the switch is in a state that the placer left it in, after some step. */
  public boolean conforms() {
    return toDelete.isEmpty();
  }
}
