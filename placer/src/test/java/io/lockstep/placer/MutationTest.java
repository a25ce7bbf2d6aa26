package io.lockstep.placer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.placer.oracle.PlainSwitch;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Broken plans: the oracle must see that they are. */
class MutationTest {
  private static void carryOut(UnaryOperator<List<Step>> breakIt) {
    Random random = new Random(7);
    Profiles profile = Profiles.OVS_SMALL;
    Rig rig = new Rig(profile.profile(), profile.plainSwitch(), random, 500);
    Plan plan =
        (Plan) rig.placer.plan(new Change.Fill(new RuleSets(random).fiveTuples(60, 0, 4, true)));
    int step = 0;
    for (Step next : breakIt.apply(new ArrayList<>(plan.steps()))) {
      rig.carryOut(next);
      rig.check("behind step " + step++);
    }
    assertThat(rig.packetsChecked).isGreaterThan(10_000);
  }

  @Test
  void theWholePlanIsRight() {
    carryOut(steps -> steps);
  }

  @Test
  void aCoverThatIsLeftOutIsSeen() {
    assertThatThrownBy(
            () ->
                carryOut(
                    steps -> {
                      assertThat(steps.removeIf(step -> step.layer() == 0 && step.cover()))
                          .isTrue();
                      return steps;
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the table says");
  }

  /** A profile that believes in a mac-ip table, on a switch that lets extensibility decide. */
  @Test
  void aRuleInATableThatALaterOneDecidesOverIsSeen() {
    Random random = new Random(7);
    PlainSwitch overridden = Profiles.HP_5130_MAC_IP.plainSwitch().overridden(0);
    Rig rig = new Rig(Profiles.HP_5130_MAC_IP.profile(), overridden, random, 500);
    TernaryMatch station = TernaryMatch.any().with(HeaderField.ETH_DST, 0xA0);
    Rule rest = Rule.of(5, TernaryMatch.any(), RuleSets.out(2));
    rig.run(new Change.Add(new WeightedRule(rest, 1)));
    Change add = new Change.Add(new WeightedRule(Rule.of(10, station, RuleSets.out(1)), 1));
    assertThatThrownBy(() -> rig.run(add))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the table says");
  }

  @Test
  void aRuleBeforeItsCoverIsSeen() {
    assertThatThrownBy(
            () ->
                carryOut(
                    steps -> {
                      int last = 0;
                      for (int i = 1; i < steps.size(); i++) {
                        Step step = steps.get(i - 1);
                        if (step.cover() && step.layer() == 0 && !steps.get(i).cover()) {
                          last = i;
                        }
                      }
                      assertThat(last).isPositive();
                      Collections.swap(steps, last - 1, last);
                      return steps;
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the table says");
  }
}
