package io.lockstep.bench.placer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.Change;
import io.lockstep.placer.Placer;
import io.lockstep.placer.PlacerOptions;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Rule;
import io.lockstep.placer.profile.BuiltInProfiles;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StationRulesTest {
  private static final int RULES = 60;

  @Test
  void onlyATableThatEndsAPacketsWayMakesTheCase() {
    assertThat(BuiltInProfiles.names())
        .filteredOn(name -> StationRules.fit(BuiltInProfiles.get(name)))
        .containsExactly("5130-mac-ip");
  }

  @Test
  void stationsAreInTheTableOfAddressesAndTheListInTheTcam() {
    List<Rule> rules = StationRules.beside(RuleFamily.ACL.rules(RULES, new Random(1)));
    Placer placer =
        new Placer("s1", PlacerRun.scaled("5130-mac-ip", RULES, 0.25), PlacerOptions.standard());
    Plan plan =
        (Plan) placer.plan(new Change.Fill(RuleFamily.weighted(rules, false, new Random(2))));
    plan.steps().forEach(step -> placer.confirm(step, 0));
    assertThat(rules).filteredOn(rule -> placer.layerOf(rule.key()) == 0).hasSize(RULES / 2);
    assertThat(rules).anyMatch(rule -> placer.layerOf(rule.key()) == 1);
  }

  @Test
  void theStudyUsesTheTableWithoutAMismatch() {
    PlacerStudy study = new PlacerStudy(RuleFamily.ACL, "5130-mac-ip", RULES, 0.1, false);
    List<PlacerPoint> points = study.points(new PlacerStudy.Effort(1, 40, 20_000));
    assertThat(points).allMatch(point -> point.mismatches() == 0);
    assertThat(points)
        .filteredOn(point -> point.policy().equals("placer"))
        .singleElement()
        .satisfies(point -> assertThat(point.hardwareTrafficShare()).isGreaterThan(0.5));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void referencesHaveTheTableOfAddressesToo(boolean zipf) {
    PlacerStudy study = new PlacerStudy(RuleFamily.CHAINS, "5130-mac-ip", 18, 0.25, zipf);
    List<PlacerPoint> points = study.points(new PlacerStudy.Effort(20, 0, 20_000));
    assertThat(points).allMatch(point -> point.mismatches() == 0);
    assertThat(points)
        .filteredOn(point -> point.policy().equals("placer"))
        .singleElement()
        .satisfies(
            point -> assertThat(point.shareOfOptimum()).isBetween(0.9, 1 + 1e-9),
            point -> assertThat(point.hardwareTrafficShare()).isGreaterThan(0.5));
    assertThat(points)
        .filteredOn(point -> point.policy().equals("residualGreedy"))
        .allMatch(point -> point.hardwareTrafficShare() > 0.5);
  }
}
