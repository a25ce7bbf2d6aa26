package io.lockstep.core.southbound;

/** A change of the group table (OpenFlow 1.3.5 section 7.3.4.2). */
public record GroupMod(Operation operation, PortGroup group) {
  /** What to do. */
  public enum Operation {
    ADD,
    MODIFY
  }
}
