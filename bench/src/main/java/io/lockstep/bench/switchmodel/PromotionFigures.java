package io.lockstep.bench.switchmodel;

import io.lockstep.bench.switchmodel.PromotionRun.DummyNumbering;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.PromotionProfile;
import io.lockstep.dataplane.profile.PromotionProfile.Order;
import io.lockstep.dataplane.traffic.Load;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Figs. 6 to 8: rules that move into hardware, and what that does to the traffic. */
final class PromotionFigures {
  /** Where the paper saw the rules promoted. */
  private static final double PROMOTED_AT = 65;

  /** Between these the order of installation promotes them, by how rules are numbered. */
  private static final int FIFO_FROM = 56;

  private static final int FIFO_TO = 113;
  private static final int END = 130;
  private static final double SOFTWARE_MBIT_3500YL = 64;
  private static final double SOFTWARE_MBIT_2920 = 14;
  private static final double PROMOTED_MBIT = 940;
  private static final double PROMOTED_CPU_PERCENT = 2;
  private static final int RESEND_AFTER = 10;

  private final Findings findings;
  private final double softwareTolerancePercent;

  PromotionFigures(Findings findings, double softwareTolerancePercent) {
    this.findings = findings;
    this.softwareTolerancePercent = softwareTolerancePercent;
  }

  /** Figs. 6 and 7. */
  void rulesAndThroughput(HardwareProfile profile, int share) {
    PromotionRun run = new PromotionRun(profile, share, DummyNumbering.AGAIN).until(END, -1);
    int promoted = run.promotedAtSecond();
    boolean full = true;
    for (Load load : run.seconds()) {
      double second = load.fromSeconds() + 1;
      Double held = second <= promoted ? (double) share : null;
      full &= held == null || load.inHardware() == share;
      findings.point("6", profile.name(), second, load.inHardware(), "hardware rules", held);
      findings.point("6", profile.name(), second, load.inSoftware(), "software rules", null);
      Double cpu = second > PROMOTED_AT && second > promoted ? PROMOTED_CPU_PERCENT : null;
      findings.point("6", profile.name(), second, load.cpuPercent(), "% CPU", cpu);
      findings.point(
          "7", profile.name(), second, load.mbit(), "Mbit/s", throughputThen(second, promoted));
    }
    Load before = run.seconds().get(promoted / 2);
    Load after = run.seconds().get(run.seconds().size() - 1);
    findings.check("6", share + " rules in hardware until iperf's are there", full);
    findings.check(
        "6", "iperf's rules are promoted last", promoted > 0 && run.leftInSoftware() == 0);
    findings.near("6", "CPU afterwards", after.cpuPercent(), PROMOTED_CPU_PERCENT, 50);
    findings.check("6", "CPU falls", before.cpuPercent() > 10 * after.cpuPercent());
    findings.near("7", "before", before.mbit(), SOFTWARE_MBIT_3500YL, softwareTolerancePercent);
    findings.near("7", "after", after.mbit(), PROMOTED_MBIT, 1);
    order(profile, share, Order.FIFO, DummyNumbering.AGAIN, promoted);
    order(profile, share, Order.FIFO, DummyNumbering.ON, null);
    order(profile, share, Order.LIFO, DummyNumbering.AGAIN, null);
  }

  /**
   * The paper's value before the promotions, its and ours, and after them. The paper has no slope
   * between the two: at least one point there has no value, so that nothing is drawn.
   */
  private static @Nullable Double throughputThen(double second, int promoted) {
    if (second <= Math.min(PROMOTED_AT, promoted)) {
      return SOFTWARE_MBIT_3500YL;
    }
    return second > Math.max(PROMOTED_AT, promoted) + 1 ? PROMOTED_MBIT : null;
  }

  private void order(
      HardwareProfile profile,
      int share,
      Order order,
      DummyNumbering numbering,
      @Nullable Integer known) {
    PromotionProfile built = profile.promotion();
    if (built == null) {
      throw new IllegalArgumentException(profile + " promotes nothing");
    }
    PromotionProfile other = new PromotionProfile(order, built.rulesPerSecond(), false);
    int promoted =
        known != null
            ? known
            : new PromotionRun(profile.withPromotion(other), share, numbering)
                .until(END, -1)
                .promotedAtSecond();
    String how =
        order + (numbering == DummyNumbering.AGAIN ? ", numbered again from 0" : ", numbered on");
    findings.point("7", profile.name() + " " + how, "promoted", promoted, "s", PROMOTED_AT);
    boolean good =
        order == Order.FIFO
            ? promoted >= FIFO_FROM && promoted <= FIFO_TO
            : promoted >= 36 && promoted <= 40;
    findings.check(
        "7",
        how
            + ": promoted at "
            + promoted
            + " s, paper "
            + (int) PROMOTED_AT
            + " (FIFO "
            + FIFO_FROM
            + " to "
            + FIFO_TO
            + ", LIFO about 37)",
        good);
  }

  /** Fig. 8. */
  void deadUntilResent(HardwareProfile profile, int share) {
    PromotionRun run =
        new PromotionRun(profile, share, DummyNumbering.AGAIN).until(END, RESEND_AFTER);
    int promoted = run.promotedAtSecond();
    int resent = run.resentAtSecond();
    boolean silent = resent > promoted;
    for (Load load : run.seconds()) {
      double second = load.fromSeconds() + 1;
      boolean dead = second > promoted + 1 && second <= resent;
      silent &= !dead || load.mbit() == 0;
      Double paper = second < promoted ? (Double) SOFTWARE_MBIT_2920 : dead ? (Double) 0.0 : null;
      if (resent > 0 && second > resent + 1) {
        paper = ThroughputFigures.LINE_RATE_MBIT;
      }
      findings.point("8", profile.name(), second, load.mbit(), "Mbit/s", paper);
    }
    List<Load> seconds = run.seconds();
    findings.near(
        "8",
        "before",
        seconds.get(promoted / 2).mbit(),
        SOFTWARE_MBIT_2920,
        softwareTolerancePercent);
    findings.check(
        "8",
        "0 from the promotion at " + promoted + " s until the flow-mods came again at " + resent,
        silent);
    double after = seconds.get(seconds.size() - 1).mbit();
    findings.near("8", "after they came again", after, ThroughputFigures.LINE_RATE_MBIT, 1);
  }
}
