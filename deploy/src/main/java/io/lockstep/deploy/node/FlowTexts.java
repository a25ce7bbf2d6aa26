package io.lockstep.deploy.node;

import io.lockstep.core.flow.text.ActionText;
import io.lockstep.core.flow.text.MatchText;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.onosproject.net.flow.FlowRule;

/**
 * Matches and treatments of rules as texts. Lists are read far more often than rules change, and to
 * write the texts costs more than all else of a list, so those of the last rules are kept.
 * Thread-safe.
 */
final class FlowTexts {
  /** How many rules have their texts kept; that is one page of the largest size. */
  static final int MAX_RULES = 1_000;

  /** By the rule's id. A changed rule is another object. */
  private final Map<Long, Texts> kept = new ConcurrentHashMap<>();

  /**
   * The texts of a rule.
   *
   * @param rule whose texts they are
   */
  record Texts(FlowRule rule, List<String> match, List<String> actions) {}

  Texts of(FlowRule rule) {
    long id = rule.id().value();
    Texts there = kept.get(id);
    if (there != null && there.rule == rule) {
      return there;
    }
    if (kept.size() >= MAX_RULES) {
      kept.clear();
    }
    Texts made =
        new Texts(rule, MatchText.format(rule.selector()), ActionText.format(rule.treatment()));
    kept.put(id, made);
    return made;
  }
}
