package io.lockstep.placer.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    "5130,        0, 0 0 0 0 16000 16000 0 0 16000 0 0 0",
    "5700,        1, 640 640 640 640 640 512 512 512 512 512 512 512",
    "5700,        0, 0 - 0 0 65535 65535 0 0 65535 0 0 0"
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

  @ParameterizedTest
  @CsvSource({"5700,1,512", "5130,1,384", "2920,0,460"})
  void planOnTheSmallerNumberWhereSourcesDisagree(String name, int layer, int entries) {
    Capacity capacity = BuiltInProfiles.get(name).layers().get(layer).capacity();
    int port = HeaderField.IN_PORT.bit();
    assertThat(capacity.units() / capacity.plannedUnitsOf(port)).isEqualTo(entries);
  }
}
