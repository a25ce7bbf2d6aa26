package io.lockstep.bench.switchmodel;

import io.lockstep.dataplane.flowtable.FlowEntry;
import io.lockstep.dataplane.flowtable.Location;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.traffic.Load;
import io.lockstep.dataplane.traffic.TcpFlow;
import io.lockstep.dataplane.traffic.Testbed;
import java.util.ArrayList;
import java.util.List;

/**
 * Section 5.3.2: 5 % of the hardware full of dummy rules, as many in software, each with a time-out
 * of 30 s and its number from 0 on, then the two rules of iperf. Once a second one looks at the
 * switch.
 */
final class PromotionRun {
  /** The rules are there half a second later, so that nothing happens just when one looks. */
  private static final int WARM_UP_SECONDS = 6;

  private static final int SHARE_PERCENT = 5;
  private static final int OFFSET_SECONDS = 30;

  /** How the dummies in software are numbered; the paper does not say. */
  enum DummyNumbering {
    /** From 0 again. */
    AGAIN,
    /** From where those in hardware end. */
    ON
  }

  private final Testbed bed;
  private final TcpFlow flow;
  private final List<Load> seconds = new ArrayList<>();
  private int promotedAtSecond = -1;
  private int leftInSoftware = -1;
  private int resentAtSecond = -1;

  /**
   * @param dummies that fill the hardware's share
   */
  PromotionRun(HardwareProfile profile, int dummies, DummyNumbering numbering) {
    this.bed = new Testbed(profile.withPolicyShare(SHARE_PERCENT));
    this.flow = bed.iperf();
    bed.time().runUntil(WARM_UP_SECONDS * 1_000_000_000L + 500_000_000);
    for (int i = 0; i < 2 * dummies; i++) {
      int number = numbering == DummyNumbering.ON ? i : i % dummies;
      bed.apply(IperfRules.dummy(i).withTimeouts(0, OFFSET_SECONDS + number));
    }
    sendIperfRules();
    flow.start();
    bed.run(flow, 0.5);
  }

  private void sendIperfRules() {
    bed.apply(IperfRules.iperf(1));
    bed.apply(IperfRules.iperf(2));
  }

  /**
   * Runs to a second of the axis.
   *
   * @param resendAfter seconds from the promotion until iperf's flow-mods are sent again; negative
   *     for never
   */
  PromotionRun until(int second, int resendAfter) {
    for (int now = WARM_UP_SECONDS + 1; now < second; now++) {
      Load load = bed.run(flow, 1);
      seconds.add(load);
      if (promotedAtSecond < 0 && iperfInHardware()) {
        promotedAtSecond = now;
        leftInSoftware = load.inSoftware();
      }
      if (promotedAtSecond >= 0 && resendAfter >= 0 && now + 1 == promotedAtSecond + resendAfter) {
        resentAtSecond = now + 1;
        sendIperfRules();
      }
    }
    return this;
  }

  private boolean iperfInHardware() {
    int found = 0;
    for (FlowEntry entry : bed.model().pipeline().tables().get(0).entries()) {
      boolean iperf = entry.hardTimeoutSeconds() == 0;
      found += iperf && entry.location() == Location.HARDWARE ? 1 : 0;
    }
    return found == 2;
  }

  /** What was seen, second by second. */
  List<Load> seconds() {
    return seconds;
  }

  /** The start of the second in which the last of both got into hardware; -1 for never. */
  int promotedAtSecond() {
    return promotedAtSecond;
  }

  /** Entries in software at that time. */
  int leftInSoftware() {
    return leftInSoftware;
  }

  /** When the flow-mods were sent again; -1 for never. */
  int resentAtSecond() {
    return resentAtSecond;
  }
}
