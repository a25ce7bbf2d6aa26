package io.lockstep.dataplane.openflow;

import org.jspecify.annotations.Nullable;

/**
 * Who is master of a switch, and the highest generation id seen (OpenFlow 1.3.5 section 6.3,
 * Multiple Controllers, and section 7.3.9). The generation id outlives connections. Invariant: at
 * most one connection is MASTER. Owned by the switch's event loop.
 */
final class Mastership {
  /** Reported while no controller has given one: all bits set. */
  static final long UNDEFINED = -1L;

  private boolean defined;
  private long generationId = UNDEFINED;
  private @Nullable Holder master;

  /** Highest generation id accepted, or {@link #UNDEFINED}. */
  long generationId() {
    return generationId;
  }

  /**
   * Asks for MASTER or SLAVE, which needs a generation id that is not older than the last one.
   *
   * @return false, with nothing changed, when it is stale
   */
  boolean claim(Holder holder, ControllerRole role, long requestedGeneration) {
    // Circular comparison, as the specification defines it.
    if (defined && requestedGeneration - generationId < 0) {
      return false;
    }
    defined = true;
    generationId = requestedGeneration;
    if (role == ControllerRole.MASTER && master != null && master != holder) {
      master.setRole(ControllerRole.SLAVE);
    }
    assign(holder, role);
    return true;
  }

  /** EQUAL is granted without a generation id. */
  void equal(Holder holder) {
    assign(holder, ControllerRole.EQUAL);
  }

  private void assign(Holder holder, ControllerRole role) {
    if (role == ControllerRole.MASTER) {
      master = holder;
    } else if (master == holder) {
      master = null;
    }
    holder.setRole(role);
  }

  /** The connection is gone; a master's place stays empty. */
  void left(Holder holder) {
    if (master == holder) {
      master = null;
    }
  }

  /** A connection that has a role. */
  interface Holder {
    void setRole(ControllerRole role);
  }
}
