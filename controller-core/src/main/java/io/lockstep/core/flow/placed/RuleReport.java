package io.lockstep.core.flow.placed;

import io.lockstep.placer.Explanation;
import io.lockstep.placer.RuleKey;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Why a rule is where it is, for people and programs; plain values.
 *
 * @param layer a layer's id, "nowhere" for one that can win no packet, "refused" or "waiting"
 * @param sinceMillis since when, in milliseconds since 1970; 0 where it is nowhere
 * @param bytesPerSecond its traffic
 * @param pinned whether the node keeps it in front, however little traffic it has
 * @param rank 1 for the rule with the most traffic, behind those that are pinned
 * @param dependsOn rules above it for some of the same packets, some where there are many
 * @param why sentences
 * @param wouldMove what would move it
 */
public record RuleReport(
    String rule,
    String layer,
    long sinceMillis,
    double bytesPerSecond,
    boolean pinned,
    int rank,
    int rules,
    List<String> dependsOn,
    List<String> why,
    String wouldMove) {
  public RuleReport {
    dependsOn = List.copyOf(dependsOn);
    why = List.copyOf(why);
  }

  static @Nullable RuleReport of(PlacedSwitch of, RuleKey key) {
    String refused = of.refusals.text(key);
    Explanation known = of.site.placer().explain(key, of.upkeep::pinned).orElse(null);
    if (known != null) {
      List<String> why =
          refused == null
              ? known.why()
              : List.of("a change of it is refused: " + refused, String.join("; ", known.why()));
      return new RuleReport(
          key.toString(),
          known.layer(),
          known.sinceMillis(),
          of.upkeep.traffic(key, known.weight()),
          of.upkeep.pinned(key),
          known.rank(),
          known.rules(),
          known.dependsOn().stream().map(RuleKey::toString).toList(),
          why,
          known.wouldMove());
    }
    if (!of.wanted.containsKey(key)) {
      return null;
    }
    return new RuleReport(
        key.toString(),
        refused == null ? "waiting" : "refused",
        0,
        0,
        of.upkeep.pinned(key),
        0,
        of.site.ledger.rows().size(),
        List.of(),
        List.of(refused == null ? "its turn is to come" : Objects.requireNonNull(refused)),
        refused == null ? "" : "it is tried again when room comes, and every 15 s");
  }
}
