package io.lockstep.apps.learningswitch;

import io.lockstep.core.app.Noun;
import io.lockstep.core.app.NounArgument;
import io.lockstep.core.app.NounInput;
import io.lockstep.core.app.Rows;
import io.lockstep.core.app.TableRange;
import io.lockstep.core.app.TableSnapshot;
import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The noun {@code addresses}: what the learning switch knows, read from {@link LearnedTable}. A
 * switch has 8192 addresses at most, which one read holds; all switches may have more. Pure.
 */
final class LearnedAddresses {
  private static final NounArgument SWITCH =
      NounArgument.text(
              "switch",
              Pattern.compile("(of:|0x)?[0-9a-fA-F]{1,16}"),
              "a datapath id in hexadecimal, such as 1f")
          .optional();

  static final Noun NOUN =
      new Noun(
          "addresses",
          "the learned addresses, of all switches or of one, and where they are",
          List.of(SWITCH),
          LearnedAddresses::ranges,
          LearnedAddresses::rows);

  private static final HexFormat COLONS = HexFormat.ofDelimiter(":");
  private static final int VLAN_AT = LearnedTable.DPID_BYTES;
  private static final int ADDRESS_AT = VLAN_AT + LearnedTable.VLAN_BYTES;
  private static final int KEY_BYTES = ADDRESS_AT + LearnedTable.ADDRESS_BYTES;

  private LearnedAddresses() {}

  private static List<TableRange> ranges(Map<String, String> arguments) {
    String text = arguments.get(SWITCH.name());
    if (text == null) {
      return List.of(TableRange.all(LearnedTable.NAME));
    }
    byte[] dpid = new byte[LearnedTable.DPID_BYTES];
    SwitchTable.putLong(dpid, 0, Long.parseUnsignedLong(text.replaceFirst("of:|0x", ""), 16));
    return List.of(TableRange.prefix(LearnedTable.NAME, Bytes.wrap(dpid)));
  }

  private static Rows rows(NounInput input) {
    Rows.Builder rows = Rows.of("switch", "vlan", "address", "port", "silentSeconds");
    for (TableSnapshot table : input.tables()) {
      for (Entry entry : table.entries()) {
        add(rows, entry, input.wallMillis() / 1_000);
      }
    }
    return rows.build();
  }

  private static void add(Rows.Builder rows, Entry entry, long nowSeconds) {
    byte[] key = entry.key().shared();
    if (key.length != KEY_BYTES) {
      return; // an entry of another release
    }
    LearnedTable.Learned learned = LearnedTable.Learned.of(entry);
    int vlan = (key[VLAN_AT] & 0xff) << 8 | (key[VLAN_AT + 1] & 0xff);
    rows.add(
        HexFormat.of().formatHex(key, 0, VLAN_AT),
        vlan == LearnedTable.NO_VLAN ? "-" : vlan,
        COLONS.formatHex(key, ADDRESS_AT, KEY_BYTES),
        learned.port(),
        // The store's time, which is another clock than the node's.
        Math.max(0, nowSeconds - learned.seenSeconds()));
  }
}
