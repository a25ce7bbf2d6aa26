package io.lockstep.placer;

import io.lockstep.store.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * One step of a plan: a flow-mod, or a note that changes only the placer's records.
 *
 * @param kind of message to send
 * @param layer of the profile, -1 for a note
 * @param entry priority and match to send; all flow-mods are strict
 * @param rule the rule to which the entry belongs: the key of the entry, except for a cover of a
 *     part of the rule
 * @param treatment of the entry; null for a cover (which goes to the next table or to the
 *     controller, as the profile says), for a deletion, and for a note
 * @param visible whether the treatment of packets changes with this step; exactly one step of a
 *     change is visible
 * @param logical the change of the logical table with this step
 */
public record Step(
    Kind kind,
    int layer,
    RuleKey entry,
    RuleKey rule,
    @Nullable Bytes treatment,
    boolean visible,
    @Nullable LogicalChange logical) {
  /** The messages to send. */
  public enum Kind {
    ADD,
    MODIFY,
    DELETE,
    /** No message. */
    NOTE
  }

  static Step note(RuleKey rule, boolean visible, LogicalChange logical) {
    return new Step(Kind.NOTE, -1, rule, rule, null, visible, logical);
  }

  /** Whether the step is a message to the switch. */
  public boolean flowMod() {
    return kind != Kind.NOTE;
  }

  /** Whether the entry is or becomes a cover. */
  public boolean cover() {
    return treatment == null && (kind == Kind.ADD || kind == Kind.MODIFY);
  }
}
