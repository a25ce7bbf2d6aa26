package io.lockstep.core.flow.placed;

import io.lockstep.core.flow.Cookies;
import io.lockstep.core.placer.PlacementImage.InLayer;
import io.lockstep.core.placer.RuleKey;
import io.lockstep.core.placer.profile.SwitchProfile;
import io.lockstep.core.placer.space.TernaryMatch;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The flow statistics of a switch, sorted by whose the entries are. */
final class Inventory {
  /** An entry of a layer. */
  record At(int layer, RuleKey key) {}

  /** What an entry's treatment is where nothing that is known explains its cookie. */
  private static final Object UNKNOWN = "unknown";

  private final Layout layout;

  /** Entries of the placer, or that an unplaced switch got from an intended rule. */
  final Map<At, FlowStats> ours = new HashMap<>();

  /** Entries with our cookies in no layer's place, to be deleted. */
  final List<FlowMod> strays = new ArrayList<>();

  /** Tables whose last entry is as it should be. */
  final List<Integer> missTables = new ArrayList<>();

  /** Units that others take in each layer. */
  final long[] foreignUnits;

  /** Entries of others in each layer. */
  final int[] foreignEntries;

  private Inventory(Layout layout) {
    this.layout = layout;
    foreignUnits = new long[layout.profile().layers().size()];
    foreignEntries = new int[foreignUnits.length];
  }

  static Inventory of(Layout layout, List<FlowStats> stats) {
    Inventory inventory = new Inventory(layout);
    stats.forEach(inventory::sort);
    return inventory;
  }

  private void sort(FlowStats entry) {
    SwitchProfile profile = layout.profile();
    if (entry.cookie() == Cookies.TABLE_MISS) {
      missTables.add(entry.tableId());
      return;
    } else if (Cookies.isProbe(entry.cookie())) {
      return; // gone before long, and no reason to move rules for it
    }
    TernaryMatch match;
    try {
      match = HeaderSpace.match(entry.selector());
    } catch (HeaderSpace.Inexpressible e) {
      foreign(entry, TernaryMatch.any().withOpaque("x"));
      return;
    }
    RuleKey key = new RuleKey(entry.priority(), match);
    boolean mine =
        Cookies.isPlaced(entry.cookie())
            || Cookies.isIntended(entry.cookie())
            || Cookies.isSoft(entry.cookie())
            || Cookies.isSystem(entry.cookie());
    if (!mine) {
      foreign(entry, match);
      return;
    }
    int layer = profile.layerOf(entry.tableId(), match);
    if (layer < 0) {
      strays.add(layout.delete(entry.tableId(), key));
    } else {
      ours.put(new At(layer, key), entry);
    }
  }

  /** What cannot be said which layer it is in counts in the first of its table. */
  private void foreign(FlowStats entry, TernaryMatch match) {
    SwitchProfile profile = layout.profile();
    int layer = profile.layerOf(entry.tableId(), match);
    for (int i = 0; i < profile.layers().size() && layer < 0; i++) {
      layer = profile.layers().get(i).table() == entry.tableId() ? i : layer;
    }
    if (layer >= 0) {
      foreignEntries[layer]++;
      foreignUnits[layer] += profile.layers().get(layer).capacity().plannedUnitsOf(match.fields());
    }
  }

  /** Units that are left for the placer in each layer. */
  List<Long> capacities() {
    List<Long> capacities = new ArrayList<>();
    for (int i = 0; i < foreignUnits.length; i++) {
      var capacity = layout.profile().layers().get(i).capacity();
      long left = capacity.units() - layout.missUnits(i) - foreignUnits[i];
      capacities.add(capacity.bounded() ? Math.max(0, left) : capacity.units());
    }
    return capacities;
  }

  /** Table-miss entries that are not there, as far as nothing of ours replaces them. */
  List<FlowMod> missingMissEntries() {
    List<FlowMod> missing = new ArrayList<>(layout.missEntries());
    missing.removeIf(mod -> missTables.contains(mod.tableId()));
    for (At at : ours.keySet()) {
      FlowStats entry = ours.get(at);
      boolean rules = entry != null && Cookies.isPlaced(entry.cookie());
      if (at.key().equals(Layout.MISS) && rules) {
        missing.removeIf(mod -> mod.tableId() == layout.table(at.layer()));
      }
    }
    return missing;
  }

  /** The entries as the placer reads them; {@code known} gives treatments that a key may have. */
  List<InLayer> entries(Known known) {
    List<InLayer> entries = new ArrayList<>();
    ours.forEach(
        (at, stats) -> {
          Object treatment = treatment(at, stats.cookie(), known);
          // The last entry of a table is nobody's, and what is to replace it does so at once.
          boolean nobodys = at.key().equals(Layout.MISS) && UNKNOWN.equals(treatment);
          if (!nobodys) {
            entries.add(new InLayer(at.layer(), at.key(), treatment));
          }
        });
    return entries;
  }

  private static @Nullable Object treatment(At at, long cookie, Known known) {
    if (Cookies.isCover(cookie)) {
      return null;
    }
    for (Bytes candidate : known.treatments(at.key(), cookie)) {
      return candidate;
    }
    return UNKNOWN;
  }

  /** Finds what an entry may be. */
  @FunctionalInterface
  interface Known {
    /** Treatments of a key that have this cookie. */
    List<Bytes> treatments(RuleKey key, long cookie);
  }
}
