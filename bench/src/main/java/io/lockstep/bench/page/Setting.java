package io.lockstep.bench.page;

/**
 * Under what a point was measured.
 *
 * @param mode {@code messages} or {@code live}
 * @param durable whether the replicas kept their state on disk
 */
record Setting(String mode, boolean durable) implements Comparable<Setting> {
  /** In a few words. */
  String label() {
    return mode + ", state " + state();
  }

  /** Where the replicas kept their state. */
  String state() {
    return durable ? "on disk" : "in memory";
  }

  /** The paper's mode first, then memory before disk. */
  @Override
  public int compareTo(Setting other) {
    boolean first = mode.equals("messages");
    boolean otherFirst = other.mode.equals("messages");
    if (first != otherFirst) {
      return first ? -1 : 1;
    }
    int modes = mode.compareTo(other.mode);
    return modes != 0 ? modes : Boolean.compare(durable, other.durable);
  }
}
