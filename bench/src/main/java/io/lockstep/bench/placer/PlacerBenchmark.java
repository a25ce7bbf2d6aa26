package io.lockstep.bench.placer;

import io.lockstep.placer.Change;
import io.lockstep.placer.Outcome;
import io.lockstep.placer.Placer;
import io.lockstep.placer.PlacerOptions;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Rule;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time to plan: a whole rule set for an empty switch, and single changes, planned and
 * confirmed, of a switch that holds the set. One change takes a random rule out or puts it back, or
 * the last one, which every other overlaps, or one above all others, which shares packets with each
 * and hides none.
 */
@State(Scope.Thread)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 5)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseSerialGC"})
@SuppressWarnings("NullAway.Init") // set up by the harness
public class PlacerBenchmark {
  /** A value of the DSCP field, which most families leave free. */
  private static final int EXPEDITED = 46;

  /** Rules in the set. */
  @Param({"1000", "3000", "10000", "30000", "100000"})
  public int rules;

  @Param({"ACL", "FIREWALL", "IP_CHAIN"})
  public RuleFamily family;

  @Param({"3500yl-1.3"})
  public String profile;

  private final Random random = new Random(1);
  private SwitchProfile layers;
  private List<WeightedRule> wanted;
  private Placer placer;
  private WeightedRule last;
  private WeightedRule first;
  private int out = -1;
  private boolean lastIsOut;
  private boolean firstIsIn;

  /** Makes the rules and a switch that holds them. */
  @Setup
  public void fill() {
    layers = BuiltInProfiles.get(profile);
    wanted = RuleFamily.weighted(family.rules(rules, random), true, random);
    last = Collections.min(wanted, Comparator.comparingInt(one -> one.rule().key().priority()));
    first =
        new WeightedRule(
            Rule.of(
                rules + 1,
                MatchShape.IPV4.with(HeaderField.IP_DSCP, EXPEDITED),
                RuleFamily.output(1)),
            0);
    placer = new Placer("bench", layers, PlacerOptions.standard());
    placer.confirm((Plan) placer.plan(new Change.Fill(wanted)), 0);
  }

  /** Plans the filling of an empty switch. */
  @Benchmark
  @BenchmarkMode(Mode.SingleShotTime)
  public Outcome wholeSet() {
    return new Placer("bench", layers, PlacerOptions.standard()).plan(new Change.Fill(wanted));
  }

  /** One rule out, or the one that is out back in. */
  @Benchmark
  @BenchmarkMode(Mode.SampleTime)
  @Warmup(iterations = 3, time = 2)
  @Measurement(iterations = 5, time = 2)
  public Outcome singleChange() {
    Change change;
    if (out < 0) {
      out = random.nextInt(wanted.size());
      change = new Change.Remove(wanted.get(out).rule().key());
    } else {
      change = new Change.Add(wanted.get(out));
      out = -1;
    }
    return planned(change);
  }

  /** The rule that takes what all others leave, out or back in. */
  @Benchmark
  @BenchmarkMode(Mode.SampleTime)
  @Warmup(iterations = 3, time = 2)
  @Measurement(iterations = 5, time = 2)
  public Outcome lastRule() {
    lastIsOut = !lastIsOut;
    return planned(lastIsOut ? new Change.Remove(last.rule().key()) : new Change.Add(last));
  }

  /**
   * A rule above all others, in or back out.
   *
   * @throws IllegalStateException where the placer refuses it, since then nothing was measured
   */
  @Benchmark
  @BenchmarkMode(Mode.SampleTime)
  @Warmup(iterations = 3, time = 2)
  @Measurement(iterations = 5, time = 2)
  public Outcome firstRule() {
    firstIsIn = !firstIsIn;
    Outcome outcome =
        planned(firstIsIn ? new Change.Add(first) : new Change.Remove(first.rule().key()));
    if (!(outcome instanceof Plan)) {
      throw new IllegalStateException("refused: " + outcome);
    }
    return outcome;
  }

  private Outcome planned(Change change) {
    Outcome outcome = placer.plan(change);
    if (outcome instanceof Plan plan) {
      placer.confirm(plan, 0);
    }
    return outcome;
  }

  /** One round of improvement, planned only. */
  @Benchmark
  @BenchmarkMode(Mode.SingleShotTime)
  public Outcome improvement() {
    return placer.plan(new Change.Improve());
  }
}
