package io.lockstep.placer.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Table 2 of "Performance Analysis of SDN Switches with Hardware and Software Flow Tables": in row
 * k the fields up to k are matched, but for those whose own row says 0 for the table; 0 says that
 * the table takes no rule with that field.
 */
class BuiltInProfilesTest {
  private static final List<HeaderField> ROWS =
      List.of(
          HeaderField.IN_PORT,
          HeaderField.VLAN_VID,
          HeaderField.VLAN_PCP,
          HeaderField.ETH_SRC,
          HeaderField.ETH_DST,
          HeaderField.ETH_TYPE,
          HeaderField.IP_DSCP,
          HeaderField.IPV4_SRC,
          HeaderField.IPV4_DST,
          HeaderField.IP_PROTO,
          HeaderField.L4_SRC,
          HeaderField.L4_DST);

  @ParameterizedTest
  @CsvSource({
    "2920,        0, 460 460 460 0 0 460 460 460 460 460 460 460",
    "3500yl-1.0,  0, 381 381 0 0 0 1526 1526 1526 1526 1526 1526 1526",
    "3500yl-1.3,  0, 0 0 0 0 0 1526 1526 1526 1526 1526 1526 1526",
    "5130,        1, 384 384 384 384 384 384 512 512 512 512 512 512",
    "5130-mac-ip, 1, 384 384 384 384 384 384 512 512 512 512 512 512",
    "5130-mac-ip, 0, 0 0 0 0 16000 16000 0 0 16000 0 0 0",
    "5700,        1, 640 640 640 640 640 512 512 512 512 512 512 512"
  })
  void holdWhatWasMeasured(String name, int layer, String cells) {
    LayerProfile profile = BuiltInProfiles.get(name).layers().get(layer);
    String[] cell = cells.split(" ", -1);
    TernaryMatch match = TernaryMatch.any();
    for (int row = 0; row < cell.length; row++) {
      TernaryMatch with = match.with(ROWS.get(row), 1);
      long found = profile.holds(with, 0) ? profile.capacity().entriesOf(with.fields()) : 0;
      if (!cell[row].equals("-")) {
        assertThat(found).as("row %s", row + 1).isEqualTo(Long.parseLong(cell[row]));
      }
      match = found > 0 ? with : match;
    }
  }

  /** HPE, 5700 OpenFlow Configuration Guide, appendix B: extensibility decides over mac-ip. */
  @ParameterizedTest
  @ValueSource(strings = {"5130", "5700"})
  void noRuleGoesToATableThatALaterOneDecidesOver(String name) {
    LayerProfile mac = BuiltInProfiles.get(name).layers().get(0);
    TernaryMatch station =
        TernaryMatch.any().with(HeaderField.VLAN_VID, 0x1001).with(HeaderField.ETH_DST, 1);
    assertThat(mac.holds(station, 0)).isFalse();
    assertThat(mac.whyNot(station, 0)).hasValueSatisfying(why -> assertThat(why).contains("later"));
    SwitchProfile ends = BuiltInProfiles.get("5130-mac-ip");
    assertThat(ends.holds(0, station, 0)).isTrue();
    assertThat(BuiltInProfiles.get(name).layerOf(0, station, 0)).isEqualTo(-1);
  }

  @ParameterizedTest
  @CsvSource({"5700,1,512", "5130,1,384", "2920,0,460"})
  void planOnTheSmallerNumberWhereSourcesDisagree(String name, int layer, int entries) {
    Capacity capacity = BuiltInProfiles.get(name).layers().get(layer).capacity();
    int port = HeaderField.IN_PORT.bit();
    assertThat(capacity.units() / capacity.plannedUnitsOf(port)).isEqualTo(entries);
  }

  /** OF-DPA Abstract Switch Specification 2.01, tables 120, 121 and 124. */
  @Test
  void rulesOfOfDpaMatchTheEtherTypeAndRewriteNoAddress() {
    SwitchProfile ofDpa = BuiltInProfiles.get("of-dpa");
    TernaryMatch station =
        TernaryMatch.any().with(HeaderField.VLAN_VID, 0).with(HeaderField.ETH_DST, 1);
    assertThat(ofDpa.whyNot(0, station, 0)).isEqualTo("needs a match on eth_type");
    TernaryMatch ip = station.with(HeaderField.ETH_TYPE, 0x0800);
    assertThat(ofDpa.holds(0, ip, HeaderField.IP_DSCP.bit())).isTrue();
    assertThat(ofDpa.rewrites(HeaderField.IPV4_DST.bit())).isFalse();
    assertThat(ofDpa.whyNot(0, ip.with(HeaderField.ARP_TPA, 1), 0)).contains("arp_tpa");
    assertThat(ofDpa.layers().get(0).capacity().bounded()).as("no size is published").isFalse();
    FixedPipeline fixed = Objects.requireNonNull(ofDpa.fixed());
    assertThat(fixed.groupOf(7)).as("VLAN 1, port 7: section 4.3.1").isEqualTo(0x0001_0007);
    assertThat(fixed.portOf(0x0001_0007)).isEqualTo(7);
    assertThat(fixed.portOf(0x1001_0007)).as("another type of groups").isZero();
    assertThat(fixed.apartTypes()).containsExactly(0x86dd);
  }
}
