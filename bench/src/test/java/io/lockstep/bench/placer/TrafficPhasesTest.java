package io.lockstep.bench.placer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.placer.Rule;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.space.HeaderField;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TrafficPhasesTest {
  private static List<WeightedRule> rules(double... weights) {
    List<WeightedRule> rules = new ArrayList<>();
    for (double weight : weights) {
      rules.add(
          new WeightedRule(
              Rule.of(
                  1,
                  MatchShape.IPV4.with(HeaderField.IPV4_DST, rules.size()),
                  RuleFamily.output(1)),
              weight));
    }
    return rules;
  }

  private static RuleKey key(int number) {
    return rules(new double[number + 1]).get(number).rule().key();
  }

  @Test
  void theHeaviestChangePlacesWithTheLightestThatHaveTraffic() {
    List<WeightedRule> rules = rules(5, 1, 0, 8, 3, 2);
    assertThat(TrafficPhases.swapped(rules, 2)).isEqualTo(rules(2, 8, 0, 1, 3, 5));
    assertThat(TrafficPhases.swapped(rules, 100)).isEqualTo(TrafficPhases.swapped(rules, 2));
    assertThat(TrafficPhases.swapped(rules, 0)).isEqualTo(rules);
  }

  @Test
  void aPlaceChangesItsRuleOnceWhereOneComesAndOneLeaves() {
    Set<RuleKey> before = Set.of(key(0), key(1), key(2));
    assertThat(TrafficPhases.changedPlaces(before, before)).isZero();
    assertThat(TrafficPhases.changedPlaces(before, Set.of(key(0), key(3), key(4)))).isEqualTo(2);
    assertThat(TrafficPhases.changedPlaces(before, Set.of(key(0)))).isEqualTo(2);
    assertThat(TrafficPhases.changedPlaces(Set.of(), before)).isEqualTo(3);
  }

  @Test
  void aShareIsOfAllTraffic() {
    assertThat(TrafficPhases.share(rules(3, 1, 4), Set.of(key(0), key(1)))).isEqualTo(0.5);
    assertThat(TrafficPhases.share(rules(0), Set.of(key(0)))).isZero();
  }

  @Test
  void thePointSaysWhatAPlaceAndAMinuteCost() throws Exception {
    List<WeightedRule> rules = rules(8, 4, 2, 1, 1);
    LoadedSwitch.Reading before = reading(10, key(3), key(4));
    LoadedSwitch.Reading after = reading(16, key(0), key(1));
    TrafficPhases.Outcome outcome =
        new TrafficPhases.Outcome(
            () -> 0.9, "ovs-small", PhasePoint.SWAP, 2, 30, rules, before, after);
    PhasePoint point = outcome.point("acl", 5, 0.25);
    assertThat(point.hardwareTrafficShareBefore()).isEqualTo(2 / 16.0);
    assertThat(point.hardwareTrafficShare()).isEqualTo(0.75);
    assertThat(point.shareOfFill()).isCloseTo(0.75 / 0.9, within(1e-9));
    assertThat(point.flowModsPerPlace()).isEqualTo(3.0);
    assertThat(point.flowModsPerMinute()).isEqualTo(12.0);
    assertThat(point.text()).contains("swap of 30 s", "0.833 of fill", "2 changed places (3.00");
    JsonNode list = new ObjectMapper().readTree(PhasePoint.json(List.of(point)));
    assertThat(list.get(0).get("flowModsPerPlace").asDouble()).isEqualTo(3.0);
    assertThat(list.get(0).get("phase").asText()).isEqualTo("swap");
  }

  private static LoadedSwitch.Reading reading(long flowMods, RuleKey... inHardware) {
    double share = TrafficPhases.share(rules(8, 4, 2, 1, 1), Set.of(inHardware));
    return new LoadedSwitch.Reading(
        new PlacedSwitchLoad.Treated(share, Set.of(inHardware), 5, 0), flowMods);
  }
}
