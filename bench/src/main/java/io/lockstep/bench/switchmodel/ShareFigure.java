package io.lockstep.bench.switchmodel;

import io.lockstep.dataplane.flowtable.Location;
import io.lockstep.dataplane.model.SwitchModel.Instance;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.traffic.Testbed;

/**
 * Fig. 2: entries in hardware for each share of the policy engine. Where the switch would hang, the
 * figure is that of the switch without that fault, and the hang is looked for by itself.
 */
final class ShareFigure {
  private static final String FIGURE = "2";
  private static final int STEP_PERCENT = 5;

  private ShareFigure() {}

  /**
   * @param capacity entries at 100 %
   */
  static void measure(HardwareProfile profile, int capacity, Findings findings) {
    boolean linear = true;
    for (int percent = 0; percent <= 100; percent += STEP_PERCENT) {
      int line = capacity * percent / 100;
      int held = held(profile.withoutHang(), percent, capacity + 10);
      linear &= held == line;
      findings.point(FIGURE, profile.name(), percent, held, "hardware rules", (double) line);
    }
    findings.check(FIGURE, profile.name() + ": floor(" + capacity + " x share)", linear);
  }

  private static int held(HardwareProfile profile, int percent, int offered) {
    Testbed bed = new Testbed(profile);
    boolean refused = !bed.model().setPolicyShare(percent);
    if (!refused || !bed.model().disableOpenFlow()) {
      throw new IllegalStateException("the share may change only while OpenFlow is disabled");
    }
    bed.model().setPolicyShare(percent);
    bed.model().enableOpenFlow();
    for (int i = 0; i < offered; i++) {
      bed.apply(IperfRules.dummy(i));
    }
    return bed.model().pipeline().count(Location.HARDWARE);
  }

  /** The hang of the 3500yl: with 60 % it lives, above it it does not survive 900 rules. */
  static void hang(HardwareProfile profile, Findings findings) {
    int good = rulesUntilHung(profile.withPolicyShare(60));
    int bad = rulesUntilHung(profile.withPolicyShare(65));
    findings.point("2-hang", profile.name(), 65, bad, "rules when it hung", null);
    findings.check(
        FIGURE,
        profile.name() + ": hangs with more than 900 rules above 60 %, not at 60 %",
        good < 0 && bad == 901);
  }

  /** -1 for never. */
  private static int rulesUntilHung(HardwareProfile profile) {
    Testbed bed = new Testbed(profile);
    for (int i = 1; i <= 1000; i++) {
      bed.apply(IperfRules.dummy(i));
      if (bed.model().instance() == Instance.HUNG) {
        return i;
      }
    }
    return -1;
  }
}
