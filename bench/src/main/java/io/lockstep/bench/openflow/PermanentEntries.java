package io.lockstep.bench.openflow;

import java.util.LinkedHashMap;
import java.util.Map;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowModCommand;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/**
 * The flow entries without time-outs: what a controller installs at a switch once and may read
 * back. A delete that is not strict takes the entries with its match or, where it matches anything,
 * all, within its table and cookie; real switches also take those that its match contains. Owned by
 * the event loop.
 */
final class PermanentEntries {
  /** More are not remembered. */
  static final int MAX_ENTRIES = 1024;

  /** What makes an entry itself (OpenFlow 1.3.5 section 5.2). */
  record Key(TableId table, int priority, Match match) {}

  private final Map<Key, OFFlowMod> entries = new LinkedHashMap<>();

  /** The entries by key, as they were added. */
  Map<Key, OFFlowMod> all() {
    return entries;
  }

  /** Carries a flow-mod out. */
  void apply(OFFlowMod mod) {
    Key key = new Key(mod.getTableId(), mod.getPriority(), mod.getMatch());
    OFFlowModCommand command = mod.getCommand();
    if (command == OFFlowModCommand.DELETE_STRICT) {
      entries.remove(key);
    } else if (command == OFFlowModCommand.DELETE) {
      entries.values().removeIf(entry -> isDeletedBy(mod, entry));
    } else if (command == OFFlowModCommand.ADD
        && mod.getIdleTimeout() == 0
        && mod.getHardTimeout() == 0
        && (entries.size() < MAX_ENTRIES || entries.containsKey(key))) {
      entries.put(key, mod);
    }
  }

  private static boolean isDeletedBy(OFFlowMod delete, OFFlowMod entry) {
    U64 mask = delete.getCookieMask();
    return (delete.getTableId().equals(TableId.ALL)
            || delete.getTableId().equals(entry.getTableId()))
        && entry.getCookie().and(mask).equals(delete.getCookie().and(mask))
        && (delete.getMatch().getMatchFields().iterator().hasNext()
            ? delete.getMatch().equals(entry.getMatch())
            : true);
  }
}
