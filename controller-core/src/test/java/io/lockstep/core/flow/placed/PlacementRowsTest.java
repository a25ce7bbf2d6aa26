package io.lockstep.core.flow.placed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.flow.placed.LogicalRule.Origin;
import io.lockstep.core.southbound.SwitchFeatures;
import io.lockstep.core.southbound.TableClaims;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.store.Bytes;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onlab.packet.IpPrefix;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;

class PlacementRowsTest {
  private static PlacedRow row() throws Exception {
    LogicalRule rule =
        LogicalRule.of(
                7,
                DefaultTrafficSelector.builder()
                    .matchEthType((short) 0x800)
                    .matchIPDst(IpPrefix.valueOf("10.1.0.0/16"))
                    .build(),
                DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(3)).build(),
                Origin.SOFT)
            .withOwner(99)
            .withTimeouts(10, 20);
    return PlacedRow.of(rule, true, 12.5, 1_234);
  }

  private static void refusesEveryBeginning(Bytes whole, java.util.function.Consumer<Bytes> read) {
    for (int length = 0; length < whole.length(); length++) {
      Bytes cut = Bytes.wrap(Arrays.copyOf(whole.toArray(), length));
      assertThatThrownBy(() -> read.accept(cut)).isInstanceOf(RuntimeException.class);
    }
  }

  @Test
  void rowsComeBackAsTheyWere() throws Exception {
    PlacedRowTable table = new PlacedRowTable();
    Bytes bytes = table.encodeValue(row());
    assertThat(table.decodeValue(bytes)).isEqualTo(row());
    refusesEveryBeginning(bytes, table::decodeValue);
    RowKey key = RowKey.of(5, row().key());
    assertThat(table.decodeKey(table.encodeKey(key))).isEqualTo(key);
  }

  @Test
  void plansComeBackAsTheyWere() throws Exception {
    PlanTable table = new PlanTable();
    PlanRow plan =
        new PlanRow(
            "5130",
            4,
            List.of(16_000L, 1_536L),
            List.of(
                new PendingChange.Put(row()),
                new PendingChange.Live(row().key(), false),
                new PendingChange.Drop(row().key()),
                new PendingChange.Resize(1, 1_500)),
            true);
    Bytes bytes = table.encodeValue(plan);
    assertThat(table.decodeValue(bytes)).isEqualTo(plan);
    refusesEveryBeginning(bytes, table::decodeValue);
    assertThat(table.decodeKey(table.encodeKey(-5L))).isEqualTo(-5L);
  }

  @ParameterizedTest
  @CsvSource({
    "HP, 2920-24G Switch J9726A, OpenFlow 1.0, 2920",
    "HP, 3500yl-24G, OpenFlow 1.0, 3500yl-1.0",
    "Hewlett Packard, HP 3500yl, OpenFlow 1.3, 3500yl-1.3",
    "HPE, 5130-24G-4SFP+ EI JG932A, OpenFlow 1.3, 5130",
    "HPE, FF 5700-32XGT JG898A, OpenFlow 1.3, 5700",
    "Broadcom Corp., OF-DPA 2.0, OpenFlow 1.3, of-dpa",
    "HPE, something else, OpenFlow 1.3, ideal",
    "'Nicira, Inc.', Open vSwitch, OpenFlow 1.3, ideal",
    "Shop, 5130, OpenFlow 1.3, ideal"
  })
  void switchesAreKnownByWhatTheySay(String maker, String model, String protocol, String profile) {
    SwitchFeatures features =
        new SwitchFeatures(protocol, "127.0.0.1:1", maker, model, "", "", "", 0, 2);
    TableClaims none = TableClaims.none("not asked");
    assertThat(SwitchProfiles.NONE.of(1, features, none).profile().name()).isEqualTo(profile);
    SwitchProfiles configured =
        new SwitchProfiles(
            List.of(new SwitchProfiles.Choice(1, 4, BuiltInProfiles.get("ovs-small"))));
    assertThat(configured.of(4, features, none).profile().name()).isEqualTo("ovs-small");
    assertThat(configured.of(-1, features, none).profile().name()).isEqualTo(profile);
  }

  @Test
  void onlyWhatTakesEverythingIsWrittenStraight() {
    assertThat(BuiltInProfiles.names())
        .filteredOn(name -> SwitchProfiles.takesEverything(BuiltInProfiles.get(name)))
        .containsExactly("ideal");
  }
}
