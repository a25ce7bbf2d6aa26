package io.lockstep.core.flow.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.SwitchFeatures;
import io.lockstep.core.southbound.TableClaims;
import io.lockstep.core.southbound.TableClaims.Table;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.Cover;
import io.lockstep.placer.profile.LayerKind;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimedTablesTest {
  private static final int ALL = HeaderField.OPAQUE.bit() - 1;
  private static final int STATION =
      bits(HeaderField.VLAN_VID, HeaderField.ETH_DST, HeaderField.ETH_TYPE, HeaderField.IPV4_DST);
  private static final int MASKS =
      bits(HeaderField.ETH_DST, HeaderField.IPV4_SRC, HeaderField.IPV4_DST);

  private static int bits(HeaderField... fields) {
    int bits = 0;
    for (HeaderField field : fields) {
      bits |= field.bit();
    }
    return bits;
  }

  private static Table tcam(int number, long entries, Integer... next) {
    return new Table(number, "acl", entries, ALL, MASKS, 0, ALL, List.of(next));
  }

  private static Table stations(int number, long entries, Integer... next) {
    int optional = STATION & ~HeaderField.ETH_DST.bit();
    return new Table(number, "mac", entries, STATION, 0, 0, optional, List.of(next));
  }

  private static SwitchFeatures features(String maker, String model) {
    return new SwitchFeatures("OpenFlow 1.3", "127.0.0.1:1", maker, model, "", "", "", 0, 4);
  }

  private static SwitchProfiles.Chosen chosen(Table... tables) {
    return SwitchProfiles.NONE.of(1, features("ACME", "X"), TableClaims.of(List.of(tables)));
  }

  private static void assertIdeal(SwitchProfiles.Chosen chosen, String why) {
    assertThat(chosen.profile().name()).isEqualTo("ideal");
    assertThat(chosen.reason()).contains("'ACME'", why);
  }

  @Test
  void boundedTablesWithFieldsMakeAProfile() {
    SwitchProfiles.Chosen chosen = chosen(stations(0, 16_000, 1), tcam(1, 500));
    SwitchProfile profile = chosen.profile();
    assertThat(profile.name()).isEqualTo("table-features");
    assertThat(chosen.reason()).contains("table 0 'mac' holds 16000", "table 1 'acl' holds 500");
    LayerProfile mac = profile.layers().get(0);
    assertThat(mac.required()).isEqualTo(HeaderField.ETH_DST.bit());
    assertThat(mac.cover()).isEqualTo(Cover.GOTO);
    assertThat(mac.capacity().units()).isEqualTo(16_000);
    TernaryMatch station = TernaryMatch.any().with(HeaderField.ETH_DST, 5);
    assertThat(mac.holds(station, 0)).isTrue();
    assertThat(mac.holds(TernaryMatch.any(), 0)).isFalse();
    assertThat(mac.holds(TernaryMatch.any().withPrefix(HeaderField.ETH_DST, 0, 8), 0)).isFalse();
    LayerProfile acl = profile.layers().get(1);
    assertThat(acl.cover()).isEqualTo(Cover.CONTROLLER);
    assertThat(acl.kind()).isEqualTo(LayerKind.HARDWARE);
    assertThat(acl.reserveUnits()).isBetween(1, 64);
    assertThat(acl.holds(TernaryMatch.any().withPrefix(HeaderField.IPV4_DST, 0, 8), 0)).isTrue();
    assertThat(acl.holds(TernaryMatch.any().withPrefix(HeaderField.L4_DST, 0, 8), 0)).isFalse();
    assertThat(acl.holds(TernaryMatch.any().withOpaque("?"), 0)).isFalse();
  }

  /** adr/0048: a later table may decide over the entries of a table of this kind. */
  @Test
  void aTableCalledMacIpTakesNoRules() {
    Table first = stations(0, 16_000, 1);
    Table called =
        new Table(0, "MAC-IP", 16_000, first.matches(), 0, 0, first.optional(), List.of(1));
    SwitchProfiles.Chosen chosen = chosen(called, tcam(1, 500));
    TernaryMatch station = TernaryMatch.any().with(HeaderField.ETH_DST, 5);
    assertThat(chosen.profile().holds(0, station, 0)).isFalse();
    assertThat(chosen.profile().holds(1, station, 0)).isTrue();
    assertThat(chosen.reason()).contains("'MAC-IP' holds 16000, and takes no rules");
  }

  @Test
  void aTableLargerThanHardwareComesLastAndIsSoftware() {
    SwitchProfile profile =
        chosen(tcam(0, 128, 1, 2, 3), tcam(1, 1_000_000, 2, 3), tcam(2, 1_000_000, 3)).profile();
    assertThat(profile.layers())
        .extracting(LayerProfile::kind)
        .containsExactly(LayerKind.HARDWARE, LayerKind.SOFTWARE);
    assertThat(profile.layers().get(1).capacity().bounded()).isFalse();
  }

  @Test
  void tablesThatDoNotForwardOrAreNotReachedAreLeftOut() {
    Table vlans =
        new Table(
            1,
            "vlan",
            4096,
            bits(HeaderField.IN_PORT, HeaderField.VLAN_VID),
            0,
            0,
            bits(HeaderField.IN_PORT, HeaderField.VLAN_VID),
            List.of(2));
    assertThat(chosen(tcam(0, 100, 1, 2), vlans, tcam(2, 100)).profile().layers())
        .extracting(LayerProfile::table)
        .containsExactly(0, 2);
    assertThat(chosen(tcam(0, 100), tcam(1, 100)).profile().layers())
        .extracting(LayerProfile::table)
        .containsExactly(0);
  }

  @Test
  void whoClaimsTooMuchStaysIdeal() {
    List<Table> million = new ArrayList<>();
    for (int i = 0; i < 254; i++) {
      million.add(tcam(i, 1_000_000, i + 1));
    }
    assertIdeal(chosen(million.toArray(Table[]::new)), "1000000 entries in table 0");
    assertIdeal(chosen(tcam(0, 65_536)), "more than 16384");
    assertThat(chosen(stations(0, 65_535)).profile().name()).isEqualTo("table-features");
  }

  @Test
  void contradictionsStayIdealAndAreNamed() {
    assertIdeal(chosen(tcam(1, 100)), "tables are missing");
    assertIdeal(chosen(tcam(0, 0)), "holds 0 entries");
    int narrow = bits(HeaderField.ETH_DST);
    assertIdeal(chosen(new Table(0, "", 100, narrow, 0, 0, ALL, List.of())), "but not match on it");
    assertIdeal(chosen(new Table(0, "", 100, ALL, 0, 0, 0, List.of())), "contradict each other");
    int noType = ALL & ~HeaderField.ETH_TYPE.bit();
    assertIdeal(
        chosen(new Table(0, "", 100, noType, 0, 0, noType, List.of())), "but not on eth_type");
    int ports = bits(HeaderField.IN_PORT);
    assertIdeal(
        chosen(new Table(0, "", 100, ports, 0, 0, ports, List.of())),
        "does not match on destinations");
  }

  @Test
  void whoSaysNothingStaysIdeal() {
    assertIdeal(
        SwitchProfiles.NONE.of(1, features("ACME", "X"), TableClaims.none("it did not answer")),
        "it did not answer");
  }

  @Test
  void configurationWinsOverDescriptionAndThatOverTheTables() {
    TableClaims claims = TableClaims.of(List.of(tcam(0, 100)));
    SwitchProfiles configured =
        new SwitchProfiles(
            List.of(new SwitchProfiles.Choice(1, 1, BuiltInProfiles.get("ovs-small"))));
    SwitchFeatures hp = features("HPE", "5130-24G");
    assertThat(configured.of(1, hp, claims).profile().name()).isEqualTo("ovs-small");
    assertThat(configured.of(1, hp, claims).reason()).contains("configuration");
    assertThat(configured.of(2, hp, claims).profile().name()).isEqualTo("5130");
    assertThat(configured.of(2, hp, claims).reason()).contains("5130-24G");
    assertThat(configured.of(2, features("ACME", "X"), claims).profile().name())
        .isEqualTo("table-features");
  }

  @Test
  void withOpenFlow10OnlyASingleTableSaysWhereRulesGo() {
    SwitchFeatures old =
        new SwitchFeatures("OpenFlow 1.0", "127.0.0.1:1", "ACME", "X", "", "", "", 0, 1);
    TableClaims one = TableClaims.of(List.of(tcam(0, 100)));
    assertThat(SwitchProfiles.NONE.of(1, old, one).profile().openFlow()).isEqualTo("1.0");
    TableClaims two = TableClaims.of(List.of(stations(0, 100, 1), tcam(1, 100)));
    assertIdeal(SwitchProfiles.NONE.of(1, old, two), "cannot tell apart");
  }
}
