package io.lockstep.bench.placer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.Change;
import io.lockstep.placer.Placer;
import io.lockstep.placer.PlacerOptions;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Step;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.choice.Policy;
import io.lockstep.placer.profile.SwitchProfile;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlacerRunTest {
  private static List<WeightedRule> rules(RuleFamily family, int count) {
    Random random = new Random(3);
    return RuleFamily.weighted(family.rules(count, random), true, random);
  }

  @ParameterizedTest
  @EnumSource(RuleFamily.class)
  void noPacketIsTreatedOtherwiseThanTheTableSays(RuleFamily family) {
    SwitchProfile profile = PlacerRun.scaled("ovs-small", 60, 0.25);
    PlacerRun run = new PlacerRun(profile, Policy.PLACER, rules(family, 60), 1).run(60, 20_000);
    assertThat(run.mismatches()).isZero();
    assertThat(run.packets()).isGreaterThanOrEqualTo(20_000);
    assertThat(run.hardwareTrafficShare()).isBetween(0.1, 1.0);
  }

  @Test
  void theRefereeSeesWhatIsLeftOut() {
    SwitchProfile profile = PlacerRun.scaled("ovs-small", 60, 0.5);
    Placer placer = new Placer("s1", profile, PlacerOptions.standard());
    Plan plan = (Plan) placer.plan(new Change.Fill(rules(RuleFamily.RANDOM, 60)));
    Referee referee = new Referee(profile.controller(), new Random(1));
    int covers = 0;
    for (Step step : plan.steps()) {
      covers += step.cover() ? 1 : 0;
      if (!step.cover()) {
        referee.step(step, 200);
      }
    }
    assertThat(covers).isPositive();
    assertThat(referee.mismatches()).isPositive();
  }

  @Test
  void aFamilyGivesDifferentRulesAndTheSameForTheSameSeed() {
    for (RuleFamily family : RuleFamily.values()) {
      assertThat(rules(family, 100)).doesNotHaveDuplicates().isEqualTo(rules(family, 100));
    }
  }
}
