package io.lockstep.core.path;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the store has of a path.
 *
 * @param step of the {@link Transition}; 0 in phases that have none
 * @param current the version from which the path comes; in force when {@code phase} is STEADY
 * @param target the version to which it goes; {@link Route#NONE} when STEADY
 * @param ticket of the change to {@code target}
 * @param wish what is to come next; null for nothing. A further wish replaces it
 * @param leftovers slots that no packet meets, whose rules may still be in their switches
 * @param tagless whether a switch refused a rule with a tag, so that the path does without
 * @param asked the last ticket that was given
 * @param settled the last change that ended
 * @param why the present change goes back; empty where it goes on
 */
record PathRow(
    PathFlow flow,
    Phase phase,
    int step,
    Route current,
    Route target,
    long ticket,
    @Nullable Wish wish,
    Set<PathSlot> leftovers,
    boolean tagless,
    long asked,
    Settled settled,
    String why) {

  /** Slots whose rules may be left over at most; more changes wait. */
  static final int MAX_LEFTOVERS = 512;

  /** Characters of a reason at most. */
  static final int MAX_REASON = 256;

  /** Where a change is. */
  enum Phase {
    /** Nothing is under way. */
    STEADY(0),
    /** Rules are installed that no packet meets yet. */
    PREPARE(1),
    /** The rule of a step is on its way to its switch. */
    SWITCH(2),
    /** The rule of a step is confirmed; packets are under way that passed the switch before. */
    DRAIN(3),
    /** The rule of a step is on its way back to what it was. */
    REVERT(4),
    /** That is confirmed; packets are under way that passed the switch before. */
    REVERT_DRAIN(5);

    private final int code;

    Phase(int code) {
      this.code = code;
    }

    /** The phase in the store's format; never used again for another one. */
    int code() {
      return code;
    }

    /**
     * The phase with a code.
     *
     * @throws IllegalArgumentException where there is none
     */
    static Phase of(int code) {
      for (Phase phase : values()) {
        if (phase.code == code) {
          return phase;
        }
      }
      throw new IllegalArgumentException("unknown phase " + code + " of a path");
    }
  }

  /**
   * Hops that were requested.
   *
   * @param hops none to remove the path
   */
  record Wish(long ticket, List<Hop> hops) {
    Wish {
      hops = List.copyOf(hops);
      Route.check(hops);
    }
  }

  /**
   * A change that ended.
   *
   * @param why it did not take place, for people; empty where it did
   */
  record Settled(long ticket, String why) {
    Settled {
      why = shortened(why);
    }
  }

  PathRow {
    leftovers = Set.copyOf(leftovers);
    why = shortened(why);
  }

  private static String shortened(String text) {
    return text.length() > MAX_REASON ? text.substring(0, MAX_REASON) : text;
  }

  /** A path that is not there yet. */
  static PathRow none(PathFlow flow) {
    return new PathRow(
        flow,
        Phase.STEADY,
        0,
        Route.NONE,
        Route.NONE,
        0,
        null,
        Set.of(),
        false,
        0,
        new Settled(0, ""),
        "");
  }

  /** The row with a wish, which gets the next ticket. */
  PathRow wishing(List<Hop> hops) {
    Wish next = new Wish(asked + 1, hops);
    return new PathRow(
        flow, phase, step, current, target, ticket, next, leftovers, tagless, asked + 1, settled,
        why);
  }

  /** The row in another phase of the same change. */
  PathRow in(Phase next, int atStep) {
    return new PathRow(
        flow, next, atStep, current, target, ticket, wish, leftovers, tagless, asked, settled, why);
  }

  /** The row on its way back, for a reason. */
  PathRow revertingFor(String reason) {
    return new PathRow(
        flow,
        Phase.REVERT,
        step,
        current,
        target,
        ticket,
        wish,
        leftovers,
        tagless,
        asked,
        settled,
        reason);
  }

  /** The row at the begin of the change that it wishes. */
  PathRow beginning(Route next) {
    if (wish == null) {
      throw new IllegalStateException("nothing is wished");
    }
    Set<PathSlot> left = new LinkedHashSet<>(leftovers);
    next.rules().forEach(rule -> left.remove(rule.slot()));
    return new PathRow(
        flow,
        Phase.PREPARE,
        0,
        current,
        next,
        wish.ticket(),
        null,
        left,
        tagless,
        asked,
        settled,
        "");
  }

  /** The row at rest, with a version in force. */
  PathRow resting(
      Route inForce, @Nullable Wish next, Set<PathSlot> left, boolean without, Settled last) {
    return new PathRow(
        flow, Phase.STEADY, 0, inForce, Route.NONE, 0, next, left, without, asked, last, "");
  }
}
