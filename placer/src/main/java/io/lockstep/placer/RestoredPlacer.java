package io.lockstep.placer;

import java.util.List;

/**
 * Holds a placer made from an image of its switch, and the entries to delete there before its use.
 *
 * @param placer goes on from there
 * @param changesDone how many of the pending changes the switch shows already
 * @param toDelete entries that belong to no rule, or must not be where they are; empty where the
 *     switch is one logical table. They are to be deleted before the placer is used, and are not
 *     confirmed to it
 */
public record RestoredPlacer(
    Placer placer, int changesDone, List<PlacementImage.InLayer> toDelete) {
  public RestoredPlacer {
    toDelete = List.copyOf(toDelete);
  }

  /** Whether the switch was found as the placer left it, at some step. */
  public boolean conforms() {
    return toDelete.isEmpty();
  }
}
