package io.lockstep.bench.switchmodel;

import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.SoftwareProfile;
import io.lockstep.dataplane.traffic.Load;
import io.lockstep.dataplane.traffic.TcpFlow;
import io.lockstep.dataplane.traffic.Testbed;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Figs. 3 to 5: throughput of one TCP connection through each table, and at each software rate. */
final class ThroughputFigures {
  /** What an iperf gets through a port of 1 Gbit/s. */
  static final double LINE_RATE_MBIT = 941;

  static final double LINE_TOLERANCE_PERCENT = 1;
  private static final double WARM_UP_SECONDS = 2;
  private static final String MBIT = "Mbit/s";

  private final Findings findings;
  private final int seconds;
  private final double softwareTolerancePercent;

  /**
   * @param seconds measured, of the virtual clock
   * @param softwareTolerancePercent how far software's throughput may be from the paper's
   */
  ThroughputFigures(Findings findings, int seconds, double softwareTolerancePercent) {
    this.findings = findings;
    this.seconds = seconds;
    this.softwareTolerancePercent = softwareTolerancePercent;
  }

  /** One bar of Fig. 3. */
  void bar(HardwareProfile profile, String table, List<FlowMod> rules, double paper) {
    Load load = load(profile, rules);
    findings.point("3", profile.name(), table, load.mbit(), MBIT, paper);
    double tolerance = paper == LINE_RATE_MBIT ? LINE_TOLERANCE_PERCENT : softwareTolerancePercent;
    findings.near("3", profile.name() + " " + table, load.mbit(), paper, tolerance);
  }

  /** Fig. 4 or 5. */
  void rates(String figure, HardwareProfile profile, List<FlowMod> rules, int step, double paper) {
    SoftwareProfile software = profile.software();
    if (software == null) {
      throw new IllegalArgumentException(profile + " has no software");
    }
    int highest = software.maxPacketsPerSecond();
    double mbit = 0;
    double cpu = 0;
    boolean rises = true;
    for (int rate = step; rate <= highest; rate += step) {
      Load load = load(profile.withSoftwareRate(rate), rules);
      rises &= load.mbit() > mbit && load.cpuPercent() > cpu;
      mbit = load.mbit();
      cpu = load.cpuPercent();
      Double known = rate == highest ? paper : null;
      findings.point(figure, profile.name(), rate, mbit, MBIT, known);
      findings.point(figure, profile.name(), rate, cpu, "% CPU", null);
    }
    String end = String.format(Locale.ROOT, "%.1f Mbit/s at %.0f %% CPU", mbit, cpu);
    findings.check(figure, "throughput and CPU rise with the rate, to " + end, rises);
    findings.near(figure, "at " + highest + " pps", mbit, paper, softwareTolerancePercent);
  }

  private Load load(HardwareProfile profile, List<FlowMod> rules) {
    Testbed bed = new Testbed(profile);
    for (FlowMod rule : rules) {
      Optional<ModelError> refused = bed.apply(rule);
      if (refused.isPresent()) {
        throw new IllegalStateException(profile + " refuses " + rule + ": " + refused.get());
      }
    }
    TcpFlow flow = bed.iperf();
    flow.start();
    bed.run(flow, WARM_UP_SECONDS);
    return bed.run(flow, seconds);
  }
}
