package io.lockstep.core.path;

import java.util.List;

/**
 * A path as this node knows it now.
 *
 * @param hops those in force, from the ingress to the egress; while it changes those from which it
 *     comes
 * @param next those to which it changes; equal to {@code hops} at rest, empty where it is removed
 * @param tag the VLAN between the switches; 0 where packets stay as they come from the host
 * @param phase where a change is, as docs/adr/0033 names it
 * @param leftovers rules of earlier versions that may still be in their switches
 */
public record PathStatus(
    PathFlow flow, List<Hop> hops, List<Hop> next, int tag, String phase, int leftovers) {
  public PathStatus {
    hops = List.copyOf(hops);
    next = List.copyOf(next);
  }

  static PathStatus of(PathRow row) {
    boolean rests = row.phase() == PathRow.Phase.STEADY;
    return new PathStatus(
        row.flow(),
        row.current().hops(),
        rests ? row.current().hops() : row.target().hops(),
        row.current().tag(),
        row.phase().name(),
        row.leftovers().size());
  }
}
