package io.lockstep.placer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The switch is one logical table behind every single flow-mod. {@code -Dplacer.packets=N} looks at
 * N packets behind each, {@code -Dplacer.changes=N} makes N changes, {@code -Dplacer.sets=N} begins
 * N times.
 */
class EquivalenceTest {
  private static final int PACKETS = Integer.getInteger("placer.packets", 200);
  private static final int CHANGES = Integer.getInteger("placer.changes", 120);
  private static final int SETS = Integer.getInteger("placer.sets", 2);
  private static final int RULES = 30;

  /** Where many rule sets matter more than many packets. */
  private static final int FEW_PACKETS = 5;

  private static final int MANY_SETS = 10;

  private static long packetsChecked;
  private static long stepsTaken;

  @AfterAll
  static void report() {
    System.out.printf("%d packets behind %d steps%n", packetsChecked, stepsTaken);
  }

  @ParameterizedTest
  @EnumSource(Profiles.class)
  void underChurn(Profiles profile) {
    for (int seed = 0; seed < SETS; seed++) {
      churn(profile, seed, 0, false, PACKETS);
    }
  }

  /** Some ways back of a rule come about with one rule set of many only. */
  @ParameterizedTest
  @EnumSource(Profiles.class)
  void underChurnOfManyRuleSets(Profiles profile) {
    for (int seed = 0; seed < MANY_SETS; seed++) {
      churn(profile, seed, 0, false, FEW_PACKETS);
    }
  }

  @ParameterizedTest
  @EnumSource(Profiles.class)
  void whileTheSwitchRefusesAtRandom(Profiles profile) {
    for (int seed = 100; seed < 100 + SETS; seed++) {
      churn(profile, seed, 0.1, false, PACKETS);
    }
  }

  @ParameterizedTest
  @EnumSource(Profiles.class)
  void whileMastersAreReplacedInTheMiddle(Profiles profile) {
    for (int seed = 200; seed < 200 + SETS; seed++) {
      churn(profile, seed, 0.05, true, PACKETS);
    }
  }

  /** No rule is left to the controller, not even one that comes back to life. */
  @ParameterizedTest
  @EnumSource(Profiles.class)
  void whereTheControllerServesNothingEveryRuleThatWinsIsInTheSwitch(Profiles profile) {
    for (int seed = 400; seed < 400 + SETS; seed++) {
      Random random = new Random(seed);
      RuleSets sets = new RuleSets(random);
      Rig rig = new Rig(profile.profile(), profile.plainSwitch(), random, PACKETS);
      rig.placer = new Placer("s1", profile.profile(), Rig.OPTIONS.withControllerServes(false));
      for (int i = 0; i < 2 * CHANGES; i++) {
        rig.run(change(rig, sets, random, profile));
        assertThat(rig.placer.violations()).isEmpty();
        for (PlacementImage.Known known : rig.placer.image().rules()) {
          assertThat(!known.live() || rig.placer.layerOf(known.rule().key()) < controller(rig))
              .as("%s, seed %s: %s", profile, seed, known)
              .isTrue();
        }
      }
    }
  }

  private static int controller(Rig rig) {
    return rig.profile.controller();
  }

  /** A test that never came to a kind of step says nothing of it. */
  @Test
  void everyKindOfStepIsLookedAt() {
    Set<String> kinds = new TreeSet<>();
    for (Profiles profile : Profiles.values()) {
      kinds.addAll(churn(profile, 300, 0, false, PACKETS).kinds.keySet());
    }
    assertThat(kinds)
        .contains(
            "ADD",
            "ADD cover",
            "ADD visible",
            "DELETE",
            "DELETE visible",
            "MODIFY",
            "MODIFY cover",
            "MODIFY visible",
            "NOTE",
            "NOTE visible");
  }

  private static Rig churn(
      Profiles profile, long seed, double refusals, boolean replaced, int packets) {
    Random random = new Random(seed);
    RuleSets sets = new RuleSets(random);
    Rig rig = new Rig(profile.profile(), profile.plainSwitch(), random, packets);
    rig.refusals = refusals;
    try {
      rig.run(
          new Change.Fill(
              seed % 2 == 0 ? sets.fiveTuples(RULES, 0, 5, true) : sets.rules(RULES, true)));
      for (int i = 0; i < CHANGES; i++) {
        Change change = change(rig, sets, random, profile);
        if (replaced && random.nextInt(4) == 0) {
          replaceMaster(rig, change);
        } else {
          rig.run(change);
        }
        assertThat(rig.placer.violations()).isEmpty();
        if (random.nextInt(20) == 0) {
          rig.placer.forgetRefusals();
        }
      }
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(profile + ", seed " + seed + ": " + e.getMessage(), e);
    }
    packetsChecked += rig.packetsChecked;
    stepsTaken += rig.kinds.values().stream().mapToInt(Integer::intValue).sum();
    return rig;
  }

  private static Change change(Rig rig, RuleSets sets, Random random, Profiles profile) {
    List<PlacementImage.Known> rules = rig.placer.image().rules();
    for (PlacementImage.Known known : rules) {
      if (random.nextInt(8) == 0) {
        rig.placer.weigh(known.rule().key(), random.nextInt(100));
      }
    }
    RuleKey some = rules.isEmpty() ? null : rules.get(random.nextInt(rules.size())).rule().key();
    int kind = random.nextInt(20);
    if (some == null || kind < 6) {
      return new Change.Add(new WeightedRule(sets.rule(kind < 3, 4 * RULES), random.nextInt(100)));
    } else if (kind < 11) {
      return new Change.Remove(some);
    } else if (kind < 13) {
      return new Change.Treat(some, RuleSets.out(random.nextInt(7)));
    } else if (kind < 15) {
      return new Change.Reprioritize(some, 1 + random.nextInt(4 * RULES));
    } else if (kind < 17) {
      return random.nextBoolean() ? new Change.Improve() : new Change.Relieve();
    } else if (kind < 18) {
      return new Change.Tidy();
    } else if (kind < 19) {
      return new Change.Prepare(some, 1 + random.nextInt(5));
    }
    long units = profile == Profiles.IDEAL ? 1000 : profile.units() - random.nextInt(6);
    return new Change.Resize(profile == Profiles.IDEAL ? 0 : profile.scarce(), units);
  }

  /** The master dies behind some step; another goes on from the store's table and the switch. */
  private static void replaceMaster(Rig rig, Change change) {
    PlacementImage stored = rig.placer.image();
    if (!(rig.placer.plan(change) instanceof Plan plan)) {
      return;
    }
    int steps = plan.steps().isEmpty() ? 0 : rig.random.nextInt(plan.steps().size() + 1);
    rig.carryOut(plan, false, steps);
    List<LogicalChange> pending = new ArrayList<>();
    for (Step step : plan.steps()) {
      if (step.logical() != null) {
        pending.add(step.logical());
      }
    }
    PlacementImage read = new PlacementImage(stored.rules(), rig.readBack(), stored.capacities());
    RestoredPlacer restored =
        Placer.restore("s1", rig.profile, Rig.OPTIONS, read, pending).orElseThrow();
    assertThat(restored.conforms()).as("%s behind %s steps", plan, steps).isTrue();
    rig.placer = restored.placer();
    // The controller's own table is the new master's now.
    rig.logical.entries().clear();
    for (PlacementImage.Known known : rig.placer.image().rules()) {
      rig.logical.put(Rig.plain(known.rule().key(), known.rule().treatment()));
    }
    rig.check("with a new master");
    if (rig.placer.plan(new Change.Tidy()) instanceof Plan tidy) {
      rig.carryOut(tidy, false, tidy.steps().size());
    }
    if (restored.changesDone() == 0) {
      rig.run(change);
    }
  }
}
