package io.lockstep.bench.placer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.Plan;
import io.lockstep.placer.Rule;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacerBenchmarkTest {
  private static final int RULES = 2000;
  private static final int GROUPS = 10;

  @ParameterizedTest
  @EnumSource(names = {"ACL", "FIREWALL", "IP_CHAIN", "CLIQUES"})
  void changesOfTheFirstAndTheLastRuleArePlanned(RuleFamily family) {
    PlacerBenchmark benchmark = new PlacerBenchmark();
    benchmark.rules = RULES;
    benchmark.family = family;
    benchmark.profile = "3500yl-1.3";
    benchmark.fill();
    for (int i = 0; i < 4; i++) {
      assertThat(benchmark.firstRule()).isInstanceOf(Plan.class);
      assertThat(benchmark.lastRule()).isInstanceOf(Plan.class);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anyTwoRulesOfACliqueOverlapAndNoOthers(boolean exactPorts) {
    List<Rule> rules = RuleFamily.CLIQUES.rules(RULES, new Random(1), exactPorts);
    List<List<TernaryMatch>> cliques = new ArrayList<>();
    for (Rule rule : rules) {
      TernaryMatch match = rule.key().match();
      if (match.equals(MatchShape.IPV4)) {
        continue;
      }
      List<List<TernaryMatch>> met =
          cliques.stream().filter(some -> some.stream().anyMatch(match::overlaps)).toList();
      assertThat(met.size()).isLessThanOrEqualTo(1);
      if (met.isEmpty()) {
        cliques.add(new ArrayList<>(List.of(match)));
      } else {
        assertThat(met.get(0)).allMatch(match::overlaps);
        met.get(0).add(match);
      }
    }
    assertThat(cliques)
        .hasSize(GROUPS)
        .allSatisfy(some -> assertThat(some.size()).isBetween(RULES / 20, RULES / 5));
  }

  @Test
  void noRuleOfACliqueIsHidden() {
    List<Rule> rules = RuleFamily.CLIQUES.rules(RULES, new Random(1));
    for (Rule rule : rules) {
      assertThat(rules)
          .noneMatch(
              other ->
                  other.key().priority() > rule.key().priority()
                      && other.key().match().covers(rule.key().match()));
    }
  }
}
