package io.lockstep.placer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.profile.Capacity;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Entries that a rule does not need, since others win or catch the packets; see ADR 0046. */
class HiddenPacketsTest {
  private static final TernaryMatch IP = TernaryMatch.any().with(HeaderField.ETH_TYPE, 0x800);
  private static final TernaryMatch TCP = IP.with(HeaderField.IP_PROTO, 6);
  private static final int PACKETS = 500;

  private static TernaryMatch net(int bits) {
    return IP.withPrefix(HeaderField.IPV4_DST, 0x0A01_0100L, bits);
  }

  private static WeightedRule rule(int priority, TernaryMatch match, int port, double weight) {
    return new WeightedRule(Rule.of(priority, match, RuleSets.out(port)), weight);
  }

  /** A switch with so much room in its first table that checks every step. */
  private static Rig rig(int room, int reserve) {
    return new Rig(
        Profiles.OVS_SMALL.profile().withCapacity(0, Capacity.ofEntries(room), reserve),
        Profiles.OVS_SMALL.plainSwitch(),
        new Random(1),
        PACKETS);
  }

  private static List<WeightedRule> nested() {
    return List.of(rule(1, net(8), 1, 1000), rule(2, net(16), 2, 1), rule(3, net(24), 3, 2));
  }

  @Test
  void aCoverCatchesThePacketsOfTheRulesNestedInIt() {
    Rig rig = rig(2, 0);
    rig.run(new Change.Fill(nested()));
    assertThat(rig.placer.layerOf(new RuleKey(1, net(8)))).isZero();
    assertThat(rig.placer.usedIn(0)).isEqualTo(2);
    assertThat(rig.placer.violations()).isEmpty();
  }

  @Test
  void beforeTheRuleOfSuchACoverGoesTheOtherOneIsCovered() {
    Rig rig = rig(4, 2);
    rig.run(new Change.Fill(nested()));
    assertThat(rig.placer.layerOf(new RuleKey(1, net(8)))).isZero();
    assertThat(rig.run(new Change.Remove(new RuleKey(2, net(16))))).isInstanceOf(Plan.class);
    assertThat(rig.placer.layerOf(new RuleKey(1, net(8)))).isZero();
    assertThat(rig.placer.layerOf(new RuleKey(3, net(24)))).isEqualTo(1);
    assertThat(rig.placer.usedIn(0)).isEqualTo(2);
    assertThat(rig.placer.violations()).isEmpty();
  }

  @Test
  void beforeARuleGoesThatHidAnotherOneThatOneIsCovered() {
    Rig rig = rig(4, 2);
    TernaryMatch both = net(8).with(HeaderField.IP_PROTO, 6);
    rig.run(
        new Change.Fill(
            List.of(rule(1, net(8), 1, 900), rule(2, TCP, 2, 1), rule(3, both, 3, 800))));
    assertThat(rig.placer.weightIn(0)).isEqualTo(1700);
    assertThat(rig.placer.usedIn(0)).isEqualTo(2);
    Plan plan = (Plan) rig.run(new Change.Remove(new RuleKey(3, both)));
    Step first = plan.steps().get(0);
    assertThat(first.cover()).isTrue();
    assertThat(first.rule()).isEqualTo(new RuleKey(2, TCP));
    assertThat(plan.steps().get(1).visible()).isTrue();
    assertThat(rig.placer.layerOf(new RuleKey(1, net(8)))).isZero();
    assertThat(rig.placer.violations()).isEmpty();
  }

  @Test
  void aRuleWhosePacketsAreCaughtAnywayIsAddedBehindWithOneStep() {
    Rig rig = rig(2, 0);
    rig.run(new Change.Fill(nested()));
    Plan plan = (Plan) rig.run(new Change.Add(rule(4, net(32), 4, 1)));
    assertThat(plan.flowMods()).isEqualTo(1);
    assertThat(rig.placer.layerOf(new RuleKey(4, net(32)))).isEqualTo(1);
  }
}
