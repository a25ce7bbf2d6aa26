package io.lockstep.bench.placer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.runs.BenchException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What three nodes made of a phase of traffic at one switch. Names of the components are keys.
 *
 * @param rules at the switch
 * @param capacityShare entries of the hardware layer for each rule
 * @param phase swap or steady
 * @param swappedRules the heaviest rules that changed places with as many of the lightest
 * @param seconds of traffic in the phase
 * @param hardwareTrafficShareBefore at its beginning, of the traffic of this phase
 * @param hardwareTrafficShare at its end
 * @param fillShare what {@code fill} serves with the same weights, room and reserve
 * @param shareOfFill the share at the end over that of {@code fill}
 * @param changedPlaces places in hardware that have another rule at the end than at the beginning
 * @param flowMods that the switch got in the phase
 * @param flowModsPerPlace null where no place has another rule
 * @param mismatches packets that were not treated as the table says, at the end
 */
public record PhasePoint(
    String ruleSet,
    String profile,
    int rules,
    double capacityShare,
    String phase,
    int swappedRules,
    double seconds,
    double hardwareTrafficShareBefore,
    double hardwareTrafficShare,
    double fillShare,
    double shareOfFill,
    int changedPlaces,
    long flowMods,
    @Nullable Double flowModsPerPlace,
    double flowModsPerMinute,
    long mismatches) {
  /** The phase in which rules change places. */
  static final String SWAP = "swap";

  /** The phase in which traffic stays as it is. */
  static final String STEADY = "steady";

  /** A line for people. */
  String text() {
    return String.format(
        Locale.ROOT,
        "product, %s %s %d rules, %.0f %%, %s of %.0f s: %.3f of the traffic in hardware, then"
            + " %.3f = %.3f of fill; %d flow-mods (%.2f a minute), %d changed places%s, %d"
            + " mismatches",
        ruleSet,
        profile,
        rules,
        100 * capacityShare,
        phase,
        seconds,
        hardwareTrafficShareBefore,
        hardwareTrafficShare,
        shareOfFill,
        flowMods,
        flowModsPerMinute,
        changedPlaces,
        flowModsPerPlace == null
            ? ""
            : String.format(Locale.ROOT, " (%.2f for each)", flowModsPerPlace),
        mismatches);
  }

  /** The list as JSON. */
  static String json(List<PhasePoint> points) throws BenchException {
    try {
      return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(points) + "\n";
    } catch (JsonProcessingException e) {
      throw new BenchException("no JSON of the phases: " + e.getMessage(), e);
    }
  }
}
