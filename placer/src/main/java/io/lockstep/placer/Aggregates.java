package io.lockstep.placer;

import io.lockstep.placer.profile.Cover;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The aggregated covers of a placement: each stands for many rules above the terminal entries of
 * its layer. Its match is wider than these rules, so it takes packets of rules that are terminal in
 * its own layer, too. Each of these has a copy in the next layer, which serves what the cover
 * takes. See ADR 0051. Belongs to one {@link Placement}.
 */
final class Aggregates {
  /** The owner of all aggregated covers in steps; no rule has this key. */
  static final RuleKey OWNER = new RuleKey(-1, TernaryMatch.any());

  /** Fields whose bits divide traffic. Nearly all of it has the same type and protocol. */
  private static final HeaderField[] DIVIDING = {
    HeaderField.ETH_DST,
    HeaderField.ETH_SRC,
    HeaderField.IPV4_DST,
    HeaderField.IPV4_SRC,
    HeaderField.IPV6_DST_HIGH,
    HeaderField.IPV6_DST_LOW,
    HeaderField.IPV6_SRC_HIGH,
    HeaderField.IPV6_SRC_LOW
  };

  private final Placement placement;

  /** Owns the entries; not a rule of the logical table. */
  final PlacedRule owner;

  Aggregates(Placement placement, int controller) {
    this.placement = placement;
    this.owner = new PlacedRule(new Rule(OWNER, Bytes.empty()), 0, 0, false, -1, controller, 0);
  }

  /** Whether a layer can have aggregated covers: they need a next layer for the copies. */
  boolean possible(int layer) {
    return layer >= 0
        && layer + 1 < placement.controller()
        && placement.layers.get(layer).profile.cover() == Cover.GOTO;
  }

  /** Whether there is one. */
  boolean any() {
    return !owner.entries.isEmpty();
  }

  /** Those of a layer. */
  List<Entry> in(int layer) {
    List<Entry> here = new ArrayList<>();
    for (Entry entry : owner.entries) {
      if (entry.layer == layer) {
        here.add(entry);
      }
    }
    return here;
  }

  /** Those of a layer that take packets of a key which is terminal there. */
  List<Entry> taking(RuleKey key, int layer) {
    List<Entry> taking = new ArrayList<>();
    for (Entry entry : owner.entries) {
      if (entry.layer == layer && takes(entry, key)) {
        taking.add(entry);
      }
    }
    return taking;
  }

  /** Whether one of them takes packets of a key in a layer. */
  boolean take(RuleKey key, int layer) {
    for (int i = 0; i < owner.entries.size(); i++) {
      Entry entry = owner.entries.get(i);
      if (entry.layer == layer && takes(entry, key)) {
        return true;
      }
    }
    return false;
  }

  /** With equal priorities a switch may choose either entry. */
  private static boolean takes(Entry aggregate, RuleKey key) {
    return aggregate.key.priority() >= key.priority() && aggregate.match().overlaps(key.match());
  }

  /** Whether an entry must stay as long as its rule is terminal in the layer before. */
  boolean needCopy(Entry entry) {
    return entry.terminal()
        && entry.layer > 0
        && take(entry.key, entry.layer - 1)
        && placement.terminal(entry.owner, entry.layer - 1);
  }

  /**
   * The part of a rule's packets that the layer would serve in spite of its aggregated covers, if
   * they were spread over all addresses; from 0 to 1.
   */
  double partServed(PlacedRule rule, int layer) {
    double served = 1;
    for (int i = 0; i < owner.entries.size(); i++) {
      Entry entry = owner.entries.get(i);
      if (entry.layer == layer && takes(entry, rule.key)) {
        served -= partTaken(entry.match(), rule.match());
      }
    }
    return Math.max(0, served);
  }

  /** The part of a rule's packets that an overlapping match takes. */
  static double partTaken(TernaryMatch aggregate, TernaryMatch rule) {
    int bits = 0;
    for (HeaderField field : DIVIDING) {
      bits += Long.bitCount(aggregate.mask(field) & ~rule.mask(field));
    }
    return Math.scalb(1.0, -bits);
  }

  /** The key of a rule that a step would leave without a copy that it needs; null for none. */
  @Nullable RuleKey exposedBy(Step step) {
    if (!step.flowMod()) {
      return null;
    }
    Entry there = placement.layers.get(step.layer()).entry(step.entry());
    if (there != null && step.treatment() == null && needCopy(there)) {
      return there.owner.key;
    }
    if (step.logical() != null && there != null && entriesElsewhere(there)) {
      return there.owner.key;
    }
    if (step.treatment() != null) {
      PlacedRule rule = placement.rule(step.rule());
      boolean copied = rule != null && placement.terminal(rule, step.layer() + 1);
      return !copied && take(step.entry(), step.layer()) ? step.rule() : null;
    }
    return step.kind() == Step.Kind.ADD && step.rule().equals(OWNER)
        ? uncopied(step.entry(), step.layer()).stream().map(rule -> rule.key).findAny().orElse(null)
        : null;
  }

  /** Whether one step on this entry could not change what happens to all packets of its rule. */
  private static boolean entriesElsewhere(Entry entry) {
    for (Entry other : entry.owner.entries) {
      if (other.terminal() && other.layer != entry.layer) {
        return true;
      }
    }
    return false;
  }

  /** Rules of a layer without a copy that an aggregated cover of this key would need. */
  List<PlacedRule> uncopied(RuleKey aggregate, int layer) {
    RuleKey above = new RuleKey(aggregate.priority() + 1, aggregate.match());
    List<PlacedRule> uncopied = placement.terminalsBelow(above, layer);
    uncopied.removeIf(rule -> placement.terminal(rule, layer + 1));
    return uncopied;
  }
}
