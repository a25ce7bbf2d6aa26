package io.lockstep.bench.placer;

import io.lockstep.placer.Rule;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.List;

/**
 * The case of a switch with a table of MAC addresses before its TCAM. Every second rule delivers to
 * a station, in a VLAN without an access list. The others are the list of another VLAN. Below an
 * access list no station could be in that table, since a cover of an access rule does not fit
 * there.
 */
final class StationRules {
  private static final int WITH_LIST = 0x100A;
  private static final int WITHOUT_LIST = 0x1014;

  private StationRules() {}

  /** Whether a table before the TCAM holds rules for stations. */
  static boolean fit(SwitchProfile profile) {
    List<LayerProfile> before = profile.layers().subList(0, PlacerRun.tcam(profile));
    return profile.locationsVisible()
        && before.stream().anyMatch(layer -> layer.holds(station(1), 0));
  }

  /** The rules, every second one for a station instead; priorities and treatments stay. */
  static List<Rule> beside(List<Rule> rules) {
    List<Rule> made = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      Rule rule = rules.get(i);
      TernaryMatch match =
          i % 2 == 1 ? station(i) : rule.key().match().with(HeaderField.VLAN_VID, WITH_LIST);
      made.add(Rule.of(rule.key().priority(), match, rule.treatment()));
    }
    return made;
  }

  private static TernaryMatch station(int number) {
    return TernaryMatch.any()
        .with(HeaderField.VLAN_VID, WITHOUT_LIST)
        .with(HeaderField.ETH_DST, 0x0200_0000_0000L + number);
  }
}
