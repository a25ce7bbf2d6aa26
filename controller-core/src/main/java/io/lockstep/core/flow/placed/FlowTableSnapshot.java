package io.lockstep.core.flow.placed;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.entry.EntryComparison;
import io.lockstep.core.flow.entry.HeaderSpace;
import io.lockstep.core.flow.entry.RewrittenFields;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.placer.PlacementImage.InLayer;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.TernaryMatch;
import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.flow.TrafficTreatment;

/** The flow entries that one reading shows, sorted by who made them: this node or others. */
final class FlowTableSnapshot {
  /** An entry of a layer. */
  record Location(int layer, RuleKey key) {}

  /**
   * The treatment of an entry whose cookie no known rule explains. No rule has this treatment: that
   * of a rule takes at least three bytes.
   */
  private static final Bytes UNKNOWN = Bytes.empty();

  private final SwitchPipeline pipeline;

  /** Entries of the placer, or of an intended rule from before the switch was placed. */
  final Map<Location, FlowStats> ours = new HashMap<>();

  /** Deletions of entries with the node's cookies that no layer can hold. */
  final List<FlowMod> strays = new ArrayList<>();

  /** What the last entry of each table does. */
  private final Map<Integer, TrafficTreatment> lastEntries = new HashMap<>();

  /** Units that entries of others take in each layer. */
  final long[] foreignUnits;

  /** Entries of others in each layer. */
  final int[] foreignEntries;

  private FlowTableSnapshot(SwitchPipeline pipeline) {
    this.pipeline = pipeline;
    foreignUnits = new long[pipeline.profile().layers().size()];
    foreignEntries = new int[foreignUnits.length];
  }

  static FlowTableSnapshot of(SwitchPipeline pipeline, List<FlowStats> stats) {
    FlowTableSnapshot snapshot = new FlowTableSnapshot(pipeline);
    stats.forEach(snapshot::sort);
    return snapshot;
  }

  private void sort(FlowStats entry) {
    SwitchProfile profile = pipeline.profile();
    if (Cookies.isProbe(entry.cookie())) {
      return; // The probe removes it soon, so no rule has to move for it.
    }
    TernaryMatch match;
    try {
      match = HeaderSpace.match(entry.selector());
    } catch (HeaderSpace.Inexpressible e) {
      foreign(entry, TernaryMatch.any().withOpaque("x"));
      return;
    }
    RuleKey key = new RuleKey(entry.priority(), match);
    if (entry.cookie() == Cookies.TABLE_MISS && pipeline.isLast(entry.tableId(), key)) {
      lastEntries.put(entry.tableId(), entry.treatment());
      return;
    }
    if (!Cookies.isOurs(entry.cookie())) {
      foreign(entry, match);
      return;
    }
    int layer = profile.layerOf(entry.tableId(), match, RewrittenFields.of(entry.treatment()));
    if (layer < 0) {
      strays.add(pipeline.delete(entry.tableId(), key));
    } else {
      ours.put(new Location(layer, key), entry);
    }
  }

  /** Counts an entry of others; in the first layer of its table where the match names none. */
  private void foreign(FlowStats entry, TernaryMatch match) {
    SwitchProfile profile = pipeline.profile();
    int layer = profile.layerOf(entry.tableId(), match, RewrittenFields.of(entry.treatment()));
    for (int i = 0; i < profile.layers().size() && layer < 0; i++) {
      layer = profile.layers().get(i).table() == entry.tableId() ? i : layer;
    }
    if (layer >= 0) {
      foreignEntries[layer]++;
      foreignUnits[layer] += profile.layers().get(layer).capacity().plannedUnitsOf(match.fields());
    }
  }

  /** Units that others leave for the placer in each layer. */
  List<Long> capacities() {
    List<Long> capacities = new ArrayList<>();
    for (int i = 0; i < foreignUnits.length; i++) {
      var capacity = pipeline.profile().layers().get(i).capacity();
      long left = capacity.units() - pipeline.missUnits(i) - foreignUnits[i];
      capacities.add(capacity.bounded() ? Math.max(0, left) : capacity.units());
    }
    return capacities;
  }

  /**
   * Table-miss entries that the switch lacks, or that do something else than they should.
   *
   * @param replaced whether a rule replaces the last entry of a table
   */
  List<FlowMod> missingMissEntries(Predicate<Location> replaced) {
    List<FlowMod> missing = new ArrayList<>(pipeline.missEntries());
    missing.removeIf(
        mod -> {
          TrafficTreatment seen = lastEntries.get(mod.tableId());
          return seen != null && EntryComparison.sameActions(mod.tableId(), mod.treatment(), seen);
        });
    for (int i = 0; i < foreignUnits.length; i++) {
      int layer = i;
      if (replaced.test(new Location(layer, SwitchPipeline.MISS))) {
        missing.removeIf(mod -> mod.tableId() == pipeline.table(layer));
      }
    }
    return missing;
  }

  /** The same, where each entry of the placer at such a place counts as a rule. */
  List<FlowMod> missingMissEntries() {
    return missingMissEntries(this::isPlaced);
  }

  private boolean isPlaced(Location at) {
    FlowStats entry = ours.get(at);
    return entry != null && Cookies.isPlaced(entry.cookie());
  }

  /** The entries as the placer reads them; {@code known} gives treatments that a key may have. */
  List<InLayer> entries(Known known) {
    List<InLayer> entries = new ArrayList<>();
    ours.forEach(
        (at, stats) -> {
          Bytes treatment = treatment(at, stats.cookie(), known);
          // No rule explains this last entry of a table; one flow-mod replaces it.
          boolean unexplainedLast =
              at.key().equals(SwitchPipeline.MISS) && Objects.equals(treatment, UNKNOWN);
          if (!unexplainedLast) {
            entries.add(new InLayer(at.layer(), at.key(), treatment));
          }
        });
    return entries;
  }

  private static @Nullable Bytes treatment(Location at, long cookie, Known known) {
    if (Cookies.isCover(cookie)) {
      return null;
    }
    for (Bytes candidate : known.treatments(at.key(), cookie)) {
      return candidate;
    }
    return UNKNOWN;
  }

  /** Finds the rules that an entry may come from. */
  @FunctionalInterface
  interface Known {
    /** Treatments of a key that have this cookie. */
    List<Bytes> treatments(RuleKey key, long cookie);
  }
}
