package io.lockstep.dataplane.profile;

import io.lockstep.dataplane.profile.EntryKind.TypeRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table of a pipeline that is fixed: it takes entries of certain kinds, and what becomes of a
 * packet that matches none is built in.
 *
 * @param kinds of its entries; none where it takes no entry at all
 * @param missClears whether a miss clears the action set
 * @param missNext the table to which a miss leads; {@link EntryKind#LAST} where the action set is
 *     carried out
 */
public record FixedTable(List<EntryKind> kinds, boolean missClears, int missNext) {
  public FixedTable {
    kinds = List.copyOf(kinds);
  }

  /**
   * The EtherType of packets that only entries of a kind of their own match; -1 where there is no
   * such type.
   */
  public int apartType() {
    for (EntryKind kind : kinds) {
      TypeRule rule = kind.etherType();
      if (rule != null && rule.not()) {
        return rule.value();
      }
    }
    return -1;
  }

  /** The kind of a name; null where there is none. */
  public @Nullable EntryKind kind(String name) {
    return kinds.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
  }
}
