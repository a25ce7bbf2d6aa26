package io.lockstep.core.flow;

import io.lockstep.placer.profile.ProfileException;
import io.lockstep.placer.profile.ProfileReader;
import io.lockstep.placer.profile.SwitchProfile;

/** Profiles of switches with one bounded table. */
final class OneTable {
  private OneTable() {}

  /** So many entries, the one for what matches nothing included. */
  static SwitchProfile of(int units) {
    return of(units, "");
  }

  /**
   * The same.
   *
   * @param more lines of the table's profile
   */
  static SwitchProfile of(int units, String more) {
    try {
      return ProfileReader.read(
          "one.yaml",
          """
          name: one
          openflow: "1.3"
          locations: visible
          layers:
            - id: first
              table: 0
              kind: hardware
              capacity: {units: %d}
              overflow: reject
              cover: controller
          """
                  .formatted(units)
              + more);
    } catch (ProfileException e) {
      throw new AssertionError(e);
    }
  }
}
