package io.lockstep.core.flow;

import io.lockstep.core.state.TableView.Held;
import io.lockstep.store.Command;
import java.util.function.LongConsumer;
import org.onosproject.net.flow.FlowRule;

/**
 * Intended rules of the node's own rooms. A room writes them in one batch with records of its own,
 * so it gets commands here and submits them itself. The masters of the switches treat these rules
 * as any others: they install them, confirm them by a barrier, and record that with a fenced write.
 *
 * <p>Thread-safe.
 */
public final class RoomRules {
  private static final IntentTable INTENTS = new IntentTable();

  private final RuleTables tables;

  /** What this node knows of a rule. */
  public enum State {
    /** There is no intention: the switch does not have the rule, or lost it as requested. */
    ABSENT,
    /** The master has not said yet what became of the newest intention. */
    WAITING,
    /** The switch confirmed the newest intention. */
    INSTALLED,
    /** The switch, or its placer, refused the newest intention; the master tries it again. */
    REFUSED,
    /** The rule is to be removed, and the switch may still have it. */
    LEAVING
  }

  /**
   * A state as this node's views show it.
   *
   * @param error why the rule, or its removal, was refused, for people; empty otherwise
   */
  public record Known(State state, String error) {}

  /** The rules over the node's views. */
  public RoomRules(RuleTables tables) {
    this.tables = tables;
  }

  /** All intended rules, page by page. */
  public FlowCatalog catalog() {
    return new FlowCatalog(tables);
  }

  /** Adds a listener that hears of each switch whose rules or their states changed. */
  public void addListener(LongConsumer changedDpid) {
    tables.intents().addListener((key, old, now) -> changedDpid.accept(key.dpid()));
    tables.states().addListener((key, old, now) -> changedDpid.accept(key.dpid()));
  }

  /**
   * The command that intends a rule.
   *
   * @throws IllegalArgumentException for a rule with parts that cannot be stored
   */
  public static Command put(FlowRule rule) {
    return put(rule, false);
  }

  /**
   * The same.
   *
   * @param displaceable whether an entry with more traffic may take its place where a switch has no
   *     room
   */
  public static Command put(FlowRule rule, boolean displaceable) {
    return command(new Intent(rule, false, displaceable));
  }

  /** The command that asks for the removal of a rule. */
  public static Command remove(FlowRule rule) {
    return command(new Intent(rule, true));
  }

  private static Command command(Intent intent) {
    return new Command.Put(
        IntentTable.NAME, IntentKey.of(intent.rule()).encode(), INTENTS.encodeValue(intent));
  }

  /** What this node knows of the rule with an id at a switch. */
  public Known known(long dpid, long ruleId) {
    IntentKey key = new IntentKey(dpid, ruleId);
    Held<Intent> intent = tables.intents().held(key);
    if (intent == null) {
      return new Known(State.ABSENT, "");
    }
    RuleState said = tables.present(key);
    if (intent.value().remove()) {
      return new Known(State.LEAVING, said == null ? "" : said.error());
    }
    if (said == null) {
      return new Known(State.WAITING, "");
    }
    return new Known(said.installed() ? State.INSTALLED : State.REFUSED, said.error());
  }
}
