package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import java.util.List;

/**
 * What a node found out about hosts. {@link HostEntities} makes it true of the record and all
 * indexes at once. Each may be repeated.
 */
sealed interface HostChange {
  /** Hosts that one change concerns at most. */
  int MAX_HOSTS = 256;

  /**
   * One method for each kind. A class that lacks the method for a new kind does not compile.
   *
   * @param <R> what the methods give
   */
  interface Visitor<R> {
    R see(See see);

    R move(Move move);

    R expire(Expire expire);

    R adopt(Adopt adopt);
  }

  /** Calls the method for this kind of change. */
  <R> R accept(Visitor<R> visitor);

  /** How many hosts it concerns; the store does work for each. */
  default int hosts() {
    return 1;
  }

  /** A host sent something at a place where it is, or where it is new. */
  record See(HostSighting sighting) implements HostChange {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.see(this);
    }
  }

  /**
   * A host is at the place of the sighting now. Ends every claim of a move of the host.
   *
   * @param from where it was before; where it is neither there nor at the new place, the change is
   *     stale unless a claim was verified
   * @param claimVersion of the claim that was verified; 0 where the old place needs no verification
   */
  record Move(HostSighting sighting, SwitchPort from, long claimVersion) implements HostChange {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.move(this);
    }
  }

  /**
   * Hosts are not at a place any more. Those that are elsewhere stay.
   *
   * @param gone 1 to {@link #MAX_HOSTS}
   */
  record Expire(SwitchPort place, List<HostKey> gone) implements HostChange {
    public Expire {
      gone = List.copyOf(gone);
      check(gone);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.expire(this);
    }

    @Override
    public int hosts() {
      return gone.size();
    }
  }

  /**
   * Hosts of the table that earlier releases wrote are taken over from there.
   *
   * @param known 1 to {@link #MAX_HOSTS}
   */
  record Adopt(List<HostKey> known) implements HostChange {
    public Adopt {
      known = List.copyOf(known);
      check(known);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.adopt(this);
    }

    @Override
    public int hosts() {
      return known.size();
    }
  }

  private static void check(List<HostKey> hosts) {
    if (hosts.isEmpty() || hosts.size() > MAX_HOSTS) {
      throw new IllegalArgumentException(
          hosts.size() + " hosts in a change, allowed are 1 to " + MAX_HOSTS);
    }
  }
}
