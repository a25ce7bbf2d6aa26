package io.lockstep.placer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.oracle.PlainEntry;
import io.lockstep.placer.oracle.PlainSwitch;
import io.lockstep.placer.profile.Capacity;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Covers that are wider than any rule, see ADR 0051. The switch is one logical table for every
 * packet of a small universe behind every single flow-mod, with covers of any match and priority.
 * {@code -Dplacer.changes=N} makes N changes, {@code -Dplacer.sets=N} begins N times.
 */
class AggregatedCoversTest {
  private static final int CHANGES = Integer.getInteger("placer.changes", 100);
  private static final int SETS = Integer.getInteger("placer.sets", 2);
  private static final PlacerOptions OPTIONS = Rig.OPTIONS.withAggregatedCovers(true);

  /** Switches with covers. */
  enum Switch {
    TWO_TABLES(Profiles.OVS_SMALL),
    /** Its first table cannot rewrite. */
    REWRITING(Profiles.OVS_REWRITING),
    /** A first table for few fields, and a bounded second one. */
    MAC_IP(Profiles.HP_5130_MAC_IP),
    /** Its second table holds no conditions beyond the fields, and its first one no stations. */
    NO_STATIONS(Profiles.HP_3500YL_13),
    /** A copy may need a copy. */
    THREE_TABLES(Profiles.OVS_SMALL),
    /** A copy may have no room. */
    THREE_SMALL_TABLES(Profiles.OVS_SMALL);

    private final Profiles profiles;

    Switch(Profiles profiles) {
      this.profiles = profiles;
    }

    private boolean three() {
      return this == THREE_TABLES || this == THREE_SMALL_TABLES;
    }

    private SwitchProfile profile() {
      SwitchProfile two = profiles.profile();
      if (!three()) {
        return two;
      }
      List<LayerProfile> layers = new ArrayList<>(two.layers());
      LayerProfile first = layers.get(0);
      layers.add(
          1,
          new LayerProfile(
              "middle",
              1,
              first.kind(),
              true,
              first.allowed(),
              first.required(),
              first.exactness(),
              first.rewrites(),
              this == THREE_TABLES ? layers.get(1).capacity() : Capacity.ofEntries(14),
              first.overflow(),
              first.cover(),
              this == THREE_TABLES ? 0 : 3));
      LayerProfile last = layers.get(2);
      layers.set(
          2,
          new LayerProfile(
              last.id(),
              2,
              last.kind(),
              true,
              last.allowed(),
              last.required(),
              last.exactness(),
              last.rewrites(),
              last.capacity(),
              last.overflow(),
              last.cover(),
              last.reserveUnits()));
      return new SwitchProfile(
          "three", "1.3", true, false, two.maxFlowModsPerChange(), layers, List.of());
    }

    private PlainSwitch plainSwitch() {
      if (!three()) {
        return profiles.plainSwitch();
      }
      ToLongFunction<PlainEntry> noTag = entry -> entry.tag() == null ? 1 : 0;
      return new PlainSwitch(
          List.of(
              new PlainSwitch.Part(12, noTag),
              new PlainSwitch.Part(this == THREE_TABLES ? Long.MAX_VALUE : 14, noTag),
              new PlainSwitch.Part(Long.MAX_VALUE, entry -> 1)),
          false);
    }
  }

  private int covers;
  private long packets;

  @ParameterizedTest
  @EnumSource(Switch.class)
  void underChurn(Switch kind) {
    for (int seed = 0; seed < SETS; seed++) {
      churn(kind, seed, 0, false, seed % 2 == 0);
    }
    report(kind);
  }

  @ParameterizedTest
  @EnumSource(Switch.class)
  void whileTheSwitchRefusesAtRandom(Switch kind) {
    for (int seed = 1000; seed < 1000 + SETS; seed++) {
      churn(kind, seed, 0.1, false, seed % 2 == 0);
    }
    report(kind);
  }

  @ParameterizedTest
  @EnumSource(Switch.class)
  void whileMastersAreReplacedInTheMiddle(Switch kind) {
    for (int seed = 2000; seed < 2000 + SETS; seed++) {
      churn(kind, seed, 0.05, true, seed % 2 == 0);
    }
    report(kind);
  }

  /** A removal moved a copy, with it its rule, and with that a cover of a layer done before. */
  @Test
  void aCopyThatMovesBackLeavesNoEarlierLayerExposed() {
    churn(Switch.THREE_SMALL_TABLES, 1044, 0.1, false, true);
  }

  private void report(Switch kind) {
    System.out.printf("%s: %d aggregated covers, %d packets%n", kind, covers, packets);
    assertThat(covers).isGreaterThan(SETS);
  }

  private void churn(
      Switch kind, long seed, double refusals, boolean replaced, boolean controllerServes) {
    Random random = new Random(seed);
    SmallUniverse universe = new SmallUniverse(random);
    Rig rig = new Rig(kind.profile(), kind.plainSwitch(), random, 0);
    rig.every = SmallUniverse.packets();
    rig.refusals = refusals;
    PlacerOptions options = OPTIONS.withControllerServes(controllerServes);
    rig.placer = new Placer("s1", kind.profile(), options);
    int change = 0;
    try {
      for (; change < CHANGES; change++) {
        if (random.nextInt(4) == 0) {
          aggregate(rig, universe, options);
        }
        Change next = change(rig, universe, random, kind);
        if (replaced && random.nextInt(3) == 0) {
          replaceMaster(rig, next, options);
        } else {
          rig.run(next);
        }
        assertThat(rig.placer.violations()).isEmpty();
        if (random.nextInt(20) == 0) {
          rig.placer.forgetRefusals();
        }
      }
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          kind + ", seed " + seed + ", change " + change + ": " + e.getMessage(), e);
    }
    covers += rig.kinds.getOrDefault("aggregated", 0);
    packets += rig.packetsChecked;
  }

  /** A cover of any match, at any priority, whether a rule needs it or not. */
  private static void aggregate(Rig rig, SmallUniverse universe, PlacerOptions options) {
    Random random = rig.random;
    int layer = random.nextInt(rig.profile.controller() - 1);
    RuleKey key = new RuleKey(1 + random.nextInt(40), universe.match());
    Placement placement = rig.placer.placement;
    if (!placement.aggregates.possible(layer)
        || !rig.profile.holds(layer, key.match(), 0)
        || key.match().opaque() != null
        || placement.rule(key) != null) {
      return;
    }
    Draft draft = new Draft(placement, 64, options.controllerServes());
    try {
      new AggregatePlanner(draft, options).put(key, layer, new RoomMaker(draft, new Moves(draft)));
    } catch (PlacementRefusedException impossible) {
      draft.finish();
      return;
    }
    List<Step> steps = draft.finish();
    rig.carryOut(new Plan(new Change.Improve(), steps), false, steps.size());
  }

  private static Change change(Rig rig, SmallUniverse universe, Random random, Switch kind) {
    List<PlacementImage.Known> rules = rig.placer.image().rules();
    for (PlacementImage.Known known : rules) {
      if (random.nextInt(8) == 0) {
        rig.placer.weigh(known.rule().key(), random.nextInt(3) == 0 ? random.nextInt(100) : 0);
      }
    }
    RuleKey some = rules.isEmpty() ? null : rules.get(random.nextInt(rules.size())).rule().key();
    int what = random.nextInt(rules.size() < 20 ? 16 : 21);
    if (some == null || what < 6) {
      return new Change.Add(new WeightedRule(universe.rule(), random.nextInt(100)));
    } else if (what < 9) {
      return new Change.Treat(some, RuleSets.out(random.nextInt(7)));
    } else if (what < 11) {
      return new Change.Reprioritize(some, 1 + random.nextInt(60));
    } else if (what < 14) {
      return random.nextInt(4) > 0 ? new Change.Improve() : new Change.Relieve();
    } else if (what < 15) {
      return new Change.Tidy();
    } else if (what < 16) {
      return new Change.Prepare(some, 1 + random.nextInt(5));
    } else if (what < 20) {
      return new Change.Remove(some);
    }
    int scarce = kind.three() ? 0 : kind.profiles.scarce();
    return new Change.Resize(
        scarce, (kind.three() ? 12 : kind.profiles.units()) - random.nextInt(6));
  }

  /** The master dies behind some step; another one goes on from what the switch shows. */
  private static void replaceMaster(Rig rig, Change change, PlacerOptions options) {
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
        Placer.restore("s1", rig.profile, options, read, pending).orElseThrow();
    assertThat(restored.conforms()).as("%s behind %s steps", plan, steps).isTrue();
    rig.placer = restored.placer();
    assertThat(rig.placer.violations()).isEmpty();
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

  // ---- what they are for ----

  private static final int IDLE = 200;
  private static final int LEARNED = 110;

  private static WeightedRule idle(long address) {
    TernaryMatch match =
        TernaryMatch.any().with(HeaderField.ETH_TYPE, 0x800).with(HeaderField.IPV4_DST, address);
    return new WeightedRule(Rule.of(40_000, match, RuleSets.out(9)), 0);
  }

  private static WeightedRule learned(int pair) {
    TernaryMatch match =
        TernaryMatch.any()
            .with(HeaderField.IN_PORT, 1 + pair % 24)
            .with(HeaderField.VLAN_VID, 0x1001)
            .with(HeaderField.ETH_DST, 0xA000 + pair)
            .with(HeaderField.ETH_SRC, 0xB000 + pair);
    return new WeightedRule(Rule.of(10, match, RuleSets.out(pair % 24)), 1000.0 / (1 + pair));
  }

  /** The share of traffic in the first table, with idle rules in so many networks. */
  private double share(int networks, boolean aggregated) {
    Random random = new Random(1);
    SwitchProfile profile =
        Profiles.OVS_SMALL.profile().withCapacity(0, Capacity.ofEntries(127), 8);
    ToLongFunction<PlainEntry> one = entry -> 1;
    Rig rig =
        new Rig(
            profile,
            new PlainSwitch(
                List.of(new PlainSwitch.Part(127, one), new PlainSwitch.Part(Long.MAX_VALUE, one)),
                false),
            random,
            700);
    rig.placer =
        new Placer(
            "s1", profile, OPTIONS.withControllerServes(false).withAggregatedCovers(aggregated));
    for (int i = 0; i < IDLE; i++) {
      long network = 0x0A00_0000L + ((long) (i % networks) << 16);
      rig.run(new Change.Add(idle(network + i / networks + 1)));
    }
    double all = 0;
    for (int i = 0; i < LEARNED; i++) {
      WeightedRule rule = learned(i);
      rig.run(new Change.Add(rule));
      all += rule.weight();
    }
    int flowMods = 0;
    int more = 1;
    for (int slice = 0; slice < 40 && more > 0; slice++) {
      more = ((Plan) rig.placer.plan(new Change.Improve(), 256)).flowMods();
      flowMods += more;
      rig.run(new Change.Improve());
    }
    assertThat(rig.placer.violations()).isEmpty();
    assertThat(more).isZero();
    System.out.printf(
        "%d idle rules in %d networks above %d learned entries: %.3f with %d flow-mods, %d packets%n",
        IDLE, networks, LEARNED, rig.placer.weightIn(0) / all, flowMods, rig.packetsChecked);
    return rig.placer.weightIn(0) / all;
  }

  @Test
  void idleRulesAboveLearnedEntriesLeaveTheirTrafficInHardware() {
    assertThat(share(1, false)).isZero();
    assertThat(share(1, true)).isGreaterThanOrEqualTo(0.95);
    assertThat(share(8, true)).isGreaterThanOrEqualTo(0.95);
  }
}
