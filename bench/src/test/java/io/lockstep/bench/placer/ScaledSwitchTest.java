package io.lockstep.bench.placer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.Change;
import io.lockstep.placer.Placer;
import io.lockstep.placer.PlacerOptions;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Rule;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies of one key have the same room, whether a node fills it or a reference. */
class ScaledSwitchTest {
  private static final int RULES = 100;
  private static final int OWN_UNITS = 12;

  /** Rules of the same traffic that share no packet, more than there is room for. */
  private static List<WeightedRule> rules() {
    List<WeightedRule> rules = new ArrayList<>();
    for (int i = 0; i < RULES; i++) {
      rules.add(
          new WeightedRule(
              Rule.of(
                  10,
                  MatchShape.IPV4.with(HeaderField.IPV4_DST, 0x0A00_0000L + i),
                  RuleFamily.output(1)),
              1));
    }
    return rules;
  }

  private static LayerProfile tcam(SwitchProfile profile) {
    return profile.layers().get(PlacerRun.tcam(profile));
  }

  /** The share of the rules that a node has in hardware if they come one after the other. */
  private static double placedByANode(ScaledSwitch model) {
    SwitchProfile profile = model.profile();
    int tcam = PlacerRun.tcam(profile);
    long left = tcam(profile).capacity().units() - OWN_UNITS;
    Placer placer =
        new Placer(
            "s1",
            profile.withCapacity(
                tcam, tcam(profile).capacity().withUnits(left), tcam(profile).reserveUnits()),
            PlacerOptions.standard().withControllerServes(false));
    int placed = 0;
    for (WeightedRule rule : rules()) {
      if (placer.plan(new Change.Add(rule)) instanceof Plan plan) {
        placer.confirm(plan, 0);
        placed += placer.layerOf(rule.rule().key()) == tcam ? 1 : 0;
      }
    }
    return (double) placed / RULES;
  }

  @ParameterizedTest
  @ValueSource(strings = {"5130", "5700", "ovs-small", "3500yl-1.3"})
  void aNodeAndTheReferencesHaveTheSameRoom(String name) throws IOException {
    ScaledSwitch model = ScaledSwitch.of(name, 60);
    SwitchProfile room = model.roomBeside(OWN_UNITS);
    double placed = placedByANode(model);
    assertThat(placed).isBetween(0.2, 0.6);
    for (StudiedPolicy policy : List.of(StudiedPolicy.PLACER, StudiedPolicy.RESIDUAL_GREEDY)) {
      assertThat(policy.run(room, rules(), 0, 1000, 1).hardwareTrafficShare())
          .as("%s", policy)
          .isEqualTo(placed);
    }
  }

  @Test
  void onlyALayerBehindTheTcamKeepsItsReserve() throws IOException {
    assertThat(tcam(ScaledSwitch.of("5130", 60).roomBeside(0)).reserveUnits()).isZero();
    assertThat(tcam(ScaledSwitch.of("ovs-small", 60).roomBeside(0)).reserveUnits()).isEqualTo(7);
  }
}
