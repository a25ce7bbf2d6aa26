package io.lockstep.history.nemesis;

/**
 * What a replica says of itself.
 *
 * @param phase as in {@code ReplicaStatus.Phase}; SILENT where it says nothing
 * @param leader -1 where unknown
 */
record Status(String phase, int leader, long regency, long instance, boolean quorum) {
  static final Status SILENT = new Status("SILENT", -1, -1, -1, false);

  static Status parse(String text) {
    String[] parts = text.split(" ", -1);
    return new Status(
        parts[0],
        Integer.parseInt(parts[1]),
        Long.parseLong(parts[2]),
        Long.parseLong(parts[3]),
        Boolean.parseBoolean(parts[4]));
  }

  boolean recovering() {
    return phase.equals("RECOVERING");
  }

  boolean operational() {
    return phase.equals("OPERATIONAL") && quorum;
  }
}
