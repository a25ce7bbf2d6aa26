package io.lockstep.core.flow;

import io.lockstep.core.state.TableView.Held;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;

/**
 * All intended rules with their states, page by page, as this node's copy of the store has them:
 * the same on every node that follows the store. Thread-safe.
 */
public final class FlowCatalog {
  /** Rules of one page at most. */
  public static final int MAX_PAGE = 1_000;

  private static final Comparator<IntentKey> ORDER = FlowCatalog::compare;
  private static final int KEY_DIGITS = 32;

  private final RuleTables tables;

  FlowCatalog(RuleTables tables) {
    this.tables = tables;
  }

  /**
   * A rule.
   *
   * @param version of its intention
   * @param error why its switch refused it, or its removal; empty where it did not
   */
  public record KnownFlow(FlowRule rule, long version, FlowEntryState state, String error) {}

  /**
   * Rules in the order of switches and ids.
   *
   * @param next for the page behind this one; null where there is none
   */
  public record Page(List<KnownFlow> flows, @Nullable String next) {
    public Page {
      flows = List.copyOf(flows);
    }
  }

  /**
   * A page.
   *
   * @param after {@link Page#next} of the page before; empty for the first
   * @param limit 1 to {@link #MAX_PAGE}
   * @throws IllegalArgumentException where {@code after} comes from no page
   */
  public Page page(Predicate<FlowRule> wanted, String after, int limit) {
    IntentKey last = after.isEmpty() ? null : key(after);
    // The first keys behind the last page, the greatest of them on top; one more shows whether
    // there is a next page. So a page costs one walk over all rules, and memory for one page.
    PriorityQueue<IntentKey> first = new PriorityQueue<>(limit + 1, ORDER.reversed());
    tables
        .intents()
        .entries()
        .forEach(
            (key, held) -> {
              boolean isBehind = last == null || ORDER.compare(key, last) > 0;
              boolean fits = first.size() <= limit || ORDER.compare(key, first.element()) < 0;
              if (isBehind && fits && wanted.test(held.value().rule())) {
                first.add(key);
                if (first.size() > limit + 1) {
                  first.remove();
                }
              }
            });
    List<IntentKey> keys = new ArrayList<>(first);
    keys.sort(ORDER);
    boolean hasMore = keys.size() > limit;
    List<KnownFlow> flows = new ArrayList<>();
    for (IntentKey key : hasMore ? keys.subList(0, limit) : keys) {
      Held<Intent> held = tables.intents().held(key);
      if (held != null) {
        RuleState state = tables.present(key);
        flows.add(
            new KnownFlow(
                held.value().rule(),
                held.version(),
                tables.visible(key),
                state == null ? "" : state.error()));
      }
    }
    return new Page(flows, hasMore ? text(keys.get(limit - 1)) : null);
  }

  /** Boxes no numbers: each page compares the keys of all rules. */
  private static int compare(IntentKey one, IntentKey other) {
    int byDpid = Long.compareUnsigned(one.dpid(), other.dpid());
    return byDpid != 0 ? byDpid : Long.compareUnsigned(one.ruleId(), other.ruleId());
  }

  private static String text(IntentKey key) {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(key.dpid()) + hex.toHexDigits(key.ruleId());
  }

  private static IntentKey key(String text) {
    if (!text.matches("[0-9a-f]{" + KEY_DIGITS + "}")) {
      throw new IllegalArgumentException("'" + text + "' comes from no page");
    }
    return new IntentKey(
        HexFormat.fromHexDigitsToLong(text, 0, KEY_DIGITS / 2),
        HexFormat.fromHexDigitsToLong(text, KEY_DIGITS / 2, KEY_DIGITS));
  }
}
