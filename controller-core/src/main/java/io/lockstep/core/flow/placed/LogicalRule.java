package io.lockstep.core.flow.placed;

import io.lockstep.core.flow.entry.HeaderSpace;
import io.lockstep.core.flow.entry.HeaderSpace.Inexpressible;
import io.lockstep.core.flow.entry.TreatmentCodec;
import io.lockstep.placer.RuleKey;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteWriter;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;

/**
 * A rule that the node requests of a switch: one priority and match.
 *
 * @param key priority and match
 * @param treatment in the bytes of {@link TreatmentCodec}, by which treatments are compared
 * @param origin who requests it
 * @param owner cookie of the application, for soft rules; else 0
 * @param idleSeconds after which the node removes it, where no packet matched it; 0 for never
 * @param hardSeconds after which the node removes it; 0 for never
 * @param formerCookie of its entry in a switch that was not placed before
 * @param displaceable whether an entry with more traffic may take its place
 */
public record LogicalRule(
    RuleKey key,
    Bytes treatment,
    Origin origin,
    long owner,
    int idleSeconds,
    int hardSeconds,
    long formerCookie,
    boolean displaceable) {

  /** Who requests a rule. */
  public enum Origin {
    /** The node's own, such as the one for link discovery. */
    SYSTEM,
    /** An intended rule of {@code FlowRuleService}. */
    INTENDED,
    /** An entry that an application installed in passing, for one flow. */
    SOFT;

    /** Whether these rules are pinned: they stay in front, however little traffic they have. */
    public boolean pinned() {
      return switch (this) {
        case SYSTEM -> true;
        case INTENDED, SOFT -> false;
      };
    }
  }

  private static final int MAX_PRIORITY = 0xffff;
  private static final Bytes PUNT = code(DefaultTrafficTreatment.builder().punt().build());

  /**
   * A rule from onos-api's types.
   *
   * @throws Inexpressible where the placer cannot take it; the message says what and why
   */
  public static LogicalRule of(
      int priority, TrafficSelector selector, TrafficTreatment treatment, Origin origin)
      throws Inexpressible {
    if (priority < 0 || priority > MAX_PRIORITY) {
      throw new Inexpressible("priority " + priority + " is not within 0 to " + MAX_PRIORITY);
    }
    if (treatment.tableTransition() != null) {
      throw new Inexpressible(
          "a transition to table "
              + treatment.tableTransition().tableId()
              + ": the tables of this switch are used as one");
    }
    Bytes code;
    try {
      code = code(treatment);
    } catch (IllegalArgumentException e) {
      throw new Inexpressible(String.valueOf(e.getMessage()));
    }
    return new LogicalRule(
        new RuleKey(priority, HeaderSpace.match(selector)),
        code,
        origin,
        0,
        0,
        0,
        0,
        origin == Origin.SOFT && sendsToPorts(treatment));
  }

  private static Bytes code(TrafficTreatment treatment) {
    ByteWriter code = new ByteWriter(64);
    TreatmentCodec.write(treatment, code);
    return code.toBytes();
  }

  /** Whether it only sends packets to the node. */
  public boolean onlyPunts() {
    return treatment.equals(PUNT);
  }

  /** This rule with time-outs. */
  public LogicalRule withTimeouts(int idle, int hard) {
    return new LogicalRule(key, treatment, origin, owner, idle, hard, formerCookie, displaceable);
  }

  /** This rule of an application. */
  public LogicalRule withOwner(long cookie) {
    return new LogicalRule(
        key, treatment, origin, cookie, idleSeconds, hardSeconds, formerCookie, displaceable);
  }

  /** This rule; an existing entry with this cookie is recognized as its entry. */
  public LogicalRule withFormerCookie(long cookie) {
    return new LogicalRule(
        key, treatment, origin, owner, idleSeconds, hardSeconds, cookie, displaceable);
  }

  /** This rule; whether an entry with more traffic may take its place. */
  public LogicalRule withDisplaceable(boolean mayBe) {
    return new LogicalRule(
        key, treatment, origin, owner, idleSeconds, hardSeconds, formerCookie, mayBe);
  }

  /**
   * Whether a treatment sends packets to ports or groups. Where it only drops them, or sends them
   * to the node, its rule may keep others from being served: such a rule is never displaced.
   */
  public static boolean sendsToPorts(TrafficTreatment treatment) {
    for (Instruction one : treatment.allInstructions()) {
      boolean toPort =
          one instanceof OutputInstruction o && !o.port().equals(PortNumber.CONTROLLER);
      if (toPort || one.type() == Instruction.Type.GROUP) {
        return true;
      }
    }
    return false;
  }
}
