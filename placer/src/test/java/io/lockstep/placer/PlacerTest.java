package io.lockstep.placer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.Capacity;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PlacerTest {
  private static final TernaryMatch IP = TernaryMatch.any().with(HeaderField.ETH_TYPE, 0x800);

  private static TernaryMatch net(int number) {
    return IP.withPrefix(HeaderField.IPV4_DST, (long) number << 24, 8);
  }

  private static SwitchProfile twoLayers(int entries, int reserve) {
    return BuiltInProfiles.get("ovs-small").withCapacity(0, Capacity.ofEntries(entries), reserve);
  }

  private static Placer placer(SwitchProfile profile) {
    return new Placer("s1", profile, PlacerOptions.standard());
  }

  private static Plan make(Placer placer, Change change) {
    Outcome outcome = placer.plan(change);
    assertThat(outcome).isInstanceOf(Plan.class);
    placer.confirm((Plan) outcome, 42);
    assertThat(placer.violations()).isEmpty();
    return (Plan) outcome;
  }

  private static Rule rule(int priority, TernaryMatch match, String treatment) {
    return Rule.of(priority, match, Bytes.utf8(treatment));
  }

  private static Change.Add add(int priority, TernaryMatch match, String treatment, double weight) {
    return new Change.Add(new WeightedRule(rule(priority, match, treatment), weight));
  }

  /** Two tables, of which the first cannot rewrite; treatments that begin with "set" rewrite. */
  private static Placer whereTheFirstCannotRewrite(int entries) {
    return rewriting(firstCannotRewrite(entries));
  }

  private static SwitchProfile firstCannotRewrite(int entries) {
    SwitchProfile whole = twoLayers(entries, 0);
    LayerProfile plain = whole.layers().get(0).withRewrites(0);
    return new SwitchProfile(
        "plain", "1.3", true, false, 64, List.of(plain, whole.layers().get(1)), List.of());
  }

  private static Placer rewriting(SwitchProfile profile) {
    return new Placer(
        "s1",
        profile,
        PlacerOptions.standard()
            .withControllerServes(false)
            .withRewrites(
                treatment -> treatment.toUtf8().startsWith("set") ? HeaderField.ETH_DST.bit() : 0));
  }

  @Test
  void aRuleThatRewritesGoesWhereThatIsPossible() {
    Placer placer = whereTheFirstCannotRewrite(8);
    make(placer, add(10, net(1), "a", 1));
    make(placer, add(10, net(2), "set", 1));
    assertThat(placer.layerOf(new RuleKey(10, net(1)))).isZero();
    assertThat(placer.layerOf(new RuleKey(10, net(2)))).isEqualTo(1);
    make(placer, new Change.Improve());
    assertThat(placer.layerOf(new RuleKey(10, net(2)))).as("however much room").isEqualTo(1);
    assertThat(placer.explain(new RuleKey(10, net(2))).orElseThrow().toString())
        .contains("cannot rewrite eth_dst");
  }

  @Test
  void aRuleThatIsToRewriteMovesBeforeItDoes() {
    Placer placer = whereTheFirstCannotRewrite(8);
    RuleKey key = new RuleKey(10, net(1));
    make(placer, add(10, net(1), "a", 1));
    Plan plan = make(placer, new Change.Treat(key, Bytes.utf8("set")));
    assertThat(placer.layerOf(key)).isEqualTo(1);
    Step visible = plan.steps().stream().filter(Step::visible).findFirst().orElseThrow();
    assertThat(visible.kind()).isEqualTo(Step.Kind.MODIFY);
    assertThat(visible.layer()).isEqualTo(1);
    assertThat(plan.steps().stream().filter(Step::visible)).hasSize(1);
  }

  @Test
  void whereNoLayerRewritesTheRuleIsRefusedByTheName() {
    LayerProfile only = firstCannotRewrite(8).layers().get(0);
    Placer placer =
        rewriting(new SwitchProfile("one", "1.3", true, false, 64, List.of(only), List.of()));
    Refusal refused = (Refusal) placer.plan(add(10, net(1), "set", 1));
    assertThat(refused.reason()).isEqualTo(Refusal.Reason.CANNOT_HOLD);
    assertThat(refused.message()).contains("the layer cannot rewrite eth_dst");
  }

  @Test
  void rulesThatComeTogetherNeedRoomTogether() {
    SwitchProfile whole = twoLayers(2, 0);
    SwitchProfile one =
        new SwitchProfile("one", "1.3", true, false, 64, List.of(whole.layers().get(0)), List.of());
    Placer placer = new Placer("s1", one, PlacerOptions.standard().withControllerServes(false));
    WeightedRule first = new WeightedRule(rule(10, net(1), "a"), 1);
    WeightedRule second = new WeightedRule(rule(10, net(2), "b"), 1);
    WeightedRule third = new WeightedRule(rule(5, IP, "c"), 1);
    assertThat(placer.whyNotAll(List.of(first, second), 64)).isNull();
    Refusal refused = Objects.requireNonNull(placer.whyNotAll(List.of(first, second, third), 64));
    assertThat(refused.reason()).isEqualTo(Refusal.Reason.NO_ROOM);
    assertThat(refused.rule()).isEqualTo(third.rule().key());
    assertThat(placer.image().rules()).as("it changes nothing").isEmpty();
    assertThat(placer.usedIn(0)).isZero();
    make(placer, new Change.Add(first));
    assertThat(placer.whyNotAll(List.of(second, third), 64)).isNotNull();
  }

  private static WeightedRule weighted(int priority, TernaryMatch match, String treatment) {
    return new WeightedRule(rule(priority, match, treatment), 1);
  }

  @Test
  void eachOfTheRulesThatComeTogetherHasTheBoundOfAChange() {
    SwitchProfile profile = firstCannotRewrite(8).withCapacity(1, Capacity.ofEntries(3), 0);
    Placer placer =
        rewriting(new SwitchProfile("two", "1.3", true, false, 2, profile.layers(), List.of()));
    for (int i = 1; i <= 3; i++) {
      make(placer, add(10, net(i), "set", 1));
    }
    WeightedRule coversThree = weighted(5, IP, "a");
    assertThat(placer.plan(new Change.Add(coversThree))).isInstanceOf(Refusal.class);
    List<WeightedRule> all =
        List.of(weighted(10, net(4), "a"), weighted(10, net(5), "a"), coversThree);
    assertThat(Objects.requireNonNull(placer.whyNotAll(all, 2)).reason())
        .isEqualTo(Refusal.Reason.TOO_MANY_STEPS);
    assertThat(placer.whyNotAll(all.subList(0, 2), 2)).isNull();
    assertThat(placer.whyNotAll(all, 4)).as("as its owner plans the last one").isNull();
    assertThat(placer.plan(new Change.Add(coversThree), 4)).isInstanceOf(Plan.class);
  }

  @Test
  void theReserveThatOneOfThemUsesDoesNotBarTheOthers() {
    SwitchProfile profile = firstCannotRewrite(8).withCapacity(1, Capacity.ofEntries(2), 1);
    Placer placer = rewriting(profile);
    List<WeightedRule> all =
        List.of(
            weighted(10, net(1), "set"), weighted(10, net(2), "set"), weighted(10, net(3), "a"));
    assertThat(placer.whyNotAll(all, 64)).isNull();
    all.forEach(one -> make(placer, new Change.Add(one)));
  }

  @Test
  void aChangeIsVisibleWithOneStep() {
    Placer placer = placer(twoLayers(4, 1));
    make(placer, add(10, net(1), "a", 1));
    for (Change change :
        List.of(
            add(20, IP, "b", 1),
            new Change.Treat(new RuleKey(10, net(1)), Bytes.utf8("c")),
            new Change.Remove(new RuleKey(20, IP)))) {
      Plan plan = make(placer, change);
      assertThat(plan.steps().stream().filter(Step::visible).count()).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void askingChangesNothing() {
    Placer placer = placer(twoLayers(4, 1));
    make(placer, add(10, net(1), "a", 1));
    PlacementImage before = placer.image();
    assertThat(placer.plan(add(20, net(1), "b", 9))).isInstanceOf(Plan.class);
    assertThat(placer.plan(new Change.Remove(new RuleKey(10, net(1))))).isInstanceOf(Plan.class);
    assertThat(placer.image()).isEqualTo(before);
  }

  @Test
  void onePriorityWithTwoTreatmentsIsRefusedAndBothAreNamed() {
    Placer placer = placer(twoLayers(4, 1));
    make(placer, add(10, net(1), "a", 1));
    Refusal refusal = (Refusal) placer.plan(add(10, IP, "b", 1));
    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.CONFLICT);
    assertThat(refusal.message())
        .contains("s1")
        .contains(net(1).toString())
        .contains("priority 10");
    Refusal whole =
        (Refusal)
            placer(twoLayers(4, 1))
                .plan(
                    new Change.Fill(
                        List.of(
                            new WeightedRule(rule(5, net(1), "a"), 1),
                            new WeightedRule(rule(5, IP, "b"), 1))));
    assertThat(whole.reason()).isEqualTo(Refusal.Reason.CONFLICT);
  }

  @Test
  void onePriorityWithOneTreatmentIsFine() {
    Placer placer = placer(twoLayers(4, 1));
    make(placer, add(10, net(1), "a", 1));
    make(placer, add(10, IP.with(HeaderField.IP_PROTO, 6), "a", 1));
  }

  @Test
  void whatNoTableHoldsIsRefusedWithSwitchTableRuleCapacityAndUse() {
    SwitchProfile profile =
        new SwitchProfile(
            "small",
            "1.3",
            true,
            false,
            64,
            List.of(
                BuiltInProfiles.get("5130-mac-ip")
                    .layers()
                    .get(0)
                    .withCapacity(Capacity.ofEntries(1), 0)),
            List.of());
    Placer placer = new Placer("s1", profile, PlacerOptions.standard().withControllerServes(false));
    Refusal strange = (Refusal) placer.plan(add(10, IP, "a", 1));
    assertThat(strange.reason()).isEqualTo(Refusal.Reason.CANNOT_HOLD);
    assertThat(strange.message())
        .isEqualTo(
            "s1, layer mac-ip (table 0): priority 10 (eth_type=0x800): the layer needs a match on"
                + " eth_dst (capacity 1 units, 0 used)");
    TernaryMatch mac = TernaryMatch.any().with(HeaderField.ETH_DST, 1);
    make(placer, add(10, mac, "a", 1));
    Refusal full = (Refusal) placer.plan(add(10, mac.with(HeaderField.ETH_DST, 2), "a", 1));
    assertThat(full.reason()).isEqualTo(Refusal.Reason.NO_ROOM);
    assertThat(full.message()).contains("mac-ip").contains("capacity 1 units, 1 used");
    Refusal set =
        (Refusal)
            new Placer("s2", profile, PlacerOptions.standard().withControllerServes(false))
                .plan(
                    new Change.Fill(
                        List.of(
                            new WeightedRule(rule(5, mac, "a"), 1),
                            new WeightedRule(rule(5, IP.with(HeaderField.IP_PROTO, 6), "a"), 1))));
    assertThat(set.message())
        .contains("s2")
        .contains("no layer can hold it")
        .contains("cannot match ip_proto");
  }

  @Test
  void improvementMovesWhatIsWorthItAndLeavesTheRest() {
    Placer placer = placer(twoLayers(2, 0));
    List<WeightedRule> rules = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      rules.add(new WeightedRule(rule(i, net(i), "a"), 10.0 * i));
    }
    make(placer, new Change.Fill(rules));
    assertThat(placer.layerOf(new RuleKey(4, net(4)))).isZero();
    assertThat(placer.layerOf(new RuleKey(1, net(1)))).isEqualTo(1);
    placer.weigh(new RuleKey(2, net(2)), 31);
    assertThat(((Plan) placer.plan(new Change.Improve())).steps()).isEmpty();
    placer.weigh(new RuleKey(2, net(2)), 100);
    Plan plan = make(placer, new Change.Improve());
    assertThat(plan.steps()).noneMatch(Step::visible);
    assertThat(placer.layerOf(new RuleKey(2, net(2)))).isZero();
    assertThat(placer.layerOf(new RuleKey(3, net(3)))).isEqualTo(1);
  }

  @Test
  void aChangeCostsAtMostWhatTheProfileAllows() {
    SwitchProfile profile = twoLayers(100, 10);
    Placer placer = placer(profile);
    List<WeightedRule> rules = new ArrayList<>();
    for (int i = 1; i <= 200; i++) {
      rules.add(new WeightedRule(rule(i, net(i), "a"), i));
    }
    make(placer, new Change.Fill(rules));
    for (Change change :
        List.of(
            add(300, IP, "b", 5), new Change.Remove(new RuleKey(300, IP)), new Change.Improve())) {
      assertThat(make(placer, change).flowMods()).isLessThanOrEqualTo(64);
    }
  }

  @Test
  void aShadowedRuleTakesNoEntryAndComesBack() {
    Placer placer = placer(twoLayers(4, 1));
    make(placer, add(10, net(1), "a", 5));
    make(placer, add(20, IP, "b", 1));
    assertThat(placer.explain(new RuleKey(10, net(1))).orElseThrow().layer()).isEqualTo("nowhere");
    assertThat(placer.usedIn(0)).isEqualTo(1);
    make(placer, new Change.Remove(new RuleKey(20, IP)));
    make(placer, new Change.Improve());
    assertThat(placer.layerOf(new RuleKey(10, net(1)))).isZero();
  }

  @Test
  void aFullTableIsFoundOutAndTheChangeGoesOnElsewhere() {
    Placer placer = placer(twoLayers(10, 0));
    Plan plan = (Plan) placer.plan(add(10, net(1), "a", 1));
    Plan other = (Plan) placer.refused(plan, 0, true);
    assertThat(other.steps().get(0).layer()).isEqualTo(1);
    placer.confirm(other, 0);
    assertThat(placer.layerOf(new RuleKey(10, net(1)))).isEqualTo(1);
    placer.forgetRefusals();
    make(placer, new Change.Improve());
    assertThat(placer.layerOf(new RuleKey(10, net(1)))).isZero();
  }

  @Test
  void aRefusedVisibleStepEndsTheChange() {
    Placer placer = placer(twoLayers(10, 0));
    make(placer, add(10, net(1), "a", 1));
    Plan plan = (Plan) placer.plan(new Change.Treat(new RuleKey(10, net(1)), Bytes.utf8("b")));
    Refusal refusal = (Refusal) placer.refused(plan, 0, false);
    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.REFUSED_BY_SWITCH);
  }

  @Test
  void explainsWhereWhySinceWhenAndWhatWouldMove() {
    Placer placer = placer(twoLayers(1, 0));
    make(placer, add(10, net(1), "a", 50));
    make(placer, add(10, net(2), "a", 5));
    Explanation front = placer.explain(new RuleKey(10, net(1))).orElseThrow();
    assertThat(front.layer()).isEqualTo("first");
    assertThat(front.sinceMillis()).isEqualTo(42);
    assertThat(front.rank()).isEqualTo(1);
    Explanation back = placer.explain(new RuleKey(10, net(2))).orElseThrow();
    assertThat(back.layer()).isEqualTo("second");
    assertThat(back.why().get(0))
        .isEqualTo(
            "first: would take 1 units with 0 covers; 0 of 1 are free, 0 are kept for moves");
    assertThat(back.wouldMove()).contains("its traffic passes about 50");
    assertThat(placer.explain(new RuleKey(1, IP))).isEmpty();
  }

  @Test
  void noRuleTakesThePlaceOfAPinnedOne() {
    Placer placer = placer(twoLayers(1, 0));
    make(placer, add(10, net(1), "a", 1e12));
    make(placer, add(10, net(2), "a", 5));
    RuleKey pinned = new RuleKey(10, net(1));
    Explanation back = placer.explain(new RuleKey(10, net(2)), pinned::equals).orElseThrow();
    assertThat(back.wouldMove()).isEqualTo("comes forward when 1 units come free");
  }

  @Test
  void aShrinkingLayerIsEmptiedFirst() {
    Placer placer = placer(twoLayers(10, 2));
    List<WeightedRule> rules = new ArrayList<>();
    for (int i = 1; i <= 8; i++) {
      rules.add(new WeightedRule(rule(i, net(i), "a"), i));
    }
    make(placer, new Change.Fill(rules));
    make(placer, new Change.Resize(0, 5));
    assertThat(placer.usedIn(0)).isEqualTo(3);
    assertThat(placer.layerOf(new RuleKey(8, net(8)))).isZero();
  }
}
