package io.lockstep.placer;

import io.lockstep.store.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * One step of a plan: a flow-mod, or a note that changes the books only.
 *
 * @param kind what to send
 * @param layer of the profile, -1 for a note
 * @param entry priority and match to send; all flow-mods are strict
 * @param rule that the entry belongs to; its own key, except for a cover of a part of it
 * @param treatment of the entry, or null where it is a cover (as the profile says: goto or
 *     controller), is deleted, or for a note
 * @param visible whether packets are treated otherwise behind this step than before; exactly one
 *     step of a change is
 * @param logical what becomes true with the step
 */
public record Step(
    Kind kind,
    int layer,
    RuleKey entry,
    RuleKey rule,
    @Nullable Bytes treatment,
    boolean visible,
    @Nullable LogicalChange logical) {
  /** What to send. */
  public enum Kind {
    ADD,
    MODIFY,
    DELETE,
    /** Nothing. */
    NOTE
  }

  static Step note(RuleKey rule, boolean visible, LogicalChange logical) {
    return new Step(Kind.NOTE, -1, rule, rule, null, visible, logical);
  }

  /** Whether something is sent to the switch. */
  public boolean flowMod() {
    return kind != Kind.NOTE;
  }

  /** Whether the entry is or becomes a cover. */
  public boolean cover() {
    return treatment == null && (kind == Kind.ADD || kind == Kind.MODIFY);
  }
}
