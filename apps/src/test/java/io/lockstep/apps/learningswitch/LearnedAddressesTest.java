package io.lockstep.apps.learningswitch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.NounArgument;
import io.lockstep.core.app.NounInput;
import io.lockstep.core.app.Rows;
import io.lockstep.core.app.TableRange;
import io.lockstep.core.app.TableSnapshot;
import io.lockstep.core.topology.NetworkPicture;
import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LearnedAddressesTest {
  private static final LearnedTable.Learned LEARNED = new LearnedTable.Learned(7, 940, 7, 1_024);

  private static Bytes hex(String hex) {
    return Bytes.wrap(HexFormat.of().parseHex(hex));
  }

  private static Entry entry(String key) {
    return new Entry(hex(key), LEARNED.bytes(), 1);
  }

  private static Rows shown(long wallMillis, Entry... entries) {
    TableRange range = TableRange.all(LearnedTable.NAME);
    return LearnedAddresses.NOUN
        .answer()
        .apply(
            new NounInput(
                Map.of(),
                ApplicationConfiguration.usual(List.of()),
                NetworkPicture.UNKNOWN,
                List.of(new TableSnapshot(range, List.of(entries), true)),
                wallMillis));
  }

  @Test
  void eachAddressIsShownWithItsPlaceAndItsSilence() {
    Rows rows =
        shown(
            1_000_999,
            entry("000000000000001f0000020000000001"),
            entry("ffffffffffffffff0ffe0a0b0c0d0e0f"));
    assertThat(rows.columns())
        .containsExactly("switch", "vlan", "address", "port", "silentSeconds");
    assertThat(rows.rows())
        .containsExactly(
            List.of("000000000000001f", "-", "02:00:00:00:00:01", "7", "60"),
            List.of("ffffffffffffffff", "4094", "0a:0b:0c:0d:0e:0f", "7", "60"));
  }

  @Test
  void aClockBehindTheStoresShowsNoNegativeTime() {
    assertThat(shown(1_000, entry("000000000000001f0000020000000001")).rows().get(0))
        .last()
        .isEqualTo("0");
  }

  @Test
  void anEntryOfAnotherFormIsLeftOut() {
    assertThat(shown(0, entry("01")).rows()).isEmpty();
  }

  @Test
  void oneSwitchIsReadByItself() {
    NounArgument argument = LearnedAddresses.NOUN.arguments().get(0);
    for (String text : List.of("1f", "0x1F", "of:000000000000001f")) {
      assertThat(argument.check().test(text)).as(text).isTrue();
      assertThat(LearnedAddresses.NOUN.reads().apply(Map.of("switch", text)))
          .containsExactly(
              new TableRange(LearnedTable.NAME, hex("000000000000001f"), hex("0000000000000020")));
    }
    assertThat(List.of("", "x", "1-2", "11111111111111111")).noneMatch(argument.check());
    assertThat(LearnedAddresses.NOUN.reads().apply(Map.of("switch", "ffffffffffffffff")))
        .containsExactly(new TableRange(LearnedTable.NAME, hex("ffffffffffffffff"), null));
    assertThat(LearnedAddresses.NOUN.reads().apply(Map.of()))
        .containsExactly(TableRange.all(LearnedTable.NAME));
  }
}
