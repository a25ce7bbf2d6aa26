package io.lockstep.placer.oracle;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * A switch: tables one after the other, and behind them a controller that knows the whole logical
 * table. What a table holds is told by a price list of its own.
 */
public final class PlainSwitch {
  /**
   * A part of the switch.
   *
   * @param room in whatever unit
   * @param price of an entry in that unit; 0 for one that this part cannot hold
   */
  public record Part(long room, ToLongFunction<PlainEntry> price) {}

  /** An entry that the switch must never be asked to hold. */
  public static final class Overflow extends RuntimeException {
    private static final long serialVersionUID = 1;

    Overflow(String message) {
      super(message);
    }
  }

  private final List<Part> parts;
  private final boolean hidden;
  private final List<PlainTable> tables = new ArrayList<>();

  /** Parts whose entries count for nothing: every packet goes on, and a later part decides. */
  private final Set<Integer> overridden = new HashSet<>();

  /**
   * A switch with nothing in it.
   *
   * @param hidden whether there is one table for the outside, which the switch divides by itself
   */
  public PlainSwitch(List<Part> parts, boolean hidden) {
    this.parts = parts;
    this.hidden = hidden;
    parts.forEach(part -> tables.add(new PlainTable()));
  }

  /** This switch, on which a later part decides over this one. */
  public PlainSwitch overridden(int part) {
    overridden.add(part);
    return this;
  }

  private int partFor(int asked, PlainEntry entry) {
    if (!hidden) {
      return asked;
    }
    for (int part = 0; part < parts.size(); part++) {
      if (parts.get(part).price.applyAsLong(entry) > 0) {
        return part;
      }
    }
    throw new Overflow("no part holds " + entry);
  }

  /** A flow-mod that adds. */
  public void add(int asked, PlainEntry entry) {
    int at = partFor(asked, entry);
    PlainTable table = tables.get(at);
    if (table.contains(entry)) {
      throw new IllegalStateException("added twice: " + entry);
    }
    table.put(entry);
    checkRoom(at, entry);
  }

  /** The part that has an entry; a switch that divides its table knows it by priority and match. */
  private int partWith(int asked, PlainEntry entry) {
    for (int part = 0; hidden && part < parts.size(); part++) {
      if (tables.get(part).contains(entry)) {
        return part;
      }
    }
    return asked;
  }

  /** A strict modification of what is there, which stays in its part. */
  public void modify(int asked, PlainEntry entry) {
    int at = partWith(asked, entry);
    PlainTable table = tables.get(at);
    if (!table.contains(entry)) {
      throw new IllegalStateException("not there: " + entry);
    }
    table.put(entry);
    checkRoom(at, entry);
  }

  /** A strict deletion of what is there. */
  public void delete(int asked, PlainEntry entry) {
    if (!tables.get(partWith(asked, entry)).remove(entry)) {
      throw new IllegalStateException("not there: " + entry);
    }
  }

  private void checkRoom(int at, PlainEntry added) {
    Part part = parts.get(at);
    long used = 0;
    for (PlainEntry entry : tables.get(at).entries()) {
      long price = part.price.applyAsLong(entry);
      if (price <= 0) {
        throw new Overflow("part " + at + " cannot hold " + entry);
      }
      used += price;
    }
    if (used > part.room) {
      throw new Overflow("part " + at + " has room for " + part.room + ", not for " + added);
    }
  }

  public PlainTable table(int part) {
    return tables.get(part);
  }

  /** What may happen to a packet, whichever of several equal entries the switch picks. */
  public Set<Object> actions(PlainPacket packet, PlainTable logical) {
    Set<Object> actions = new LinkedHashSet<>();
    follow(packet, 0, logical, actions);
    return actions;
  }

  private void follow(PlainPacket packet, int part, PlainTable logical, Set<Object> actions) {
    if (part == tables.size()) {
      actions.addAll(logical.actions(packet));
      return;
    }
    List<PlainEntry> winners = tables.get(part).winners(packet);
    boolean goesOn = winners.isEmpty();
    for (PlainEntry winner : winners) {
      if (winner.action() == null || overridden.contains(part)) {
        goesOn = true;
      } else {
        actions.add(String.valueOf(winner.action()));
      }
    }
    if (goesOn) {
      follow(packet, part + 1, logical, actions);
    }
  }
}
