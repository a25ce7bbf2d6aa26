package io.lockstep.core.flow.placed;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.entry.EntryComparison;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.placer.PlacementImage;
import io.lockstep.placer.PlacementImage.InLayer;
import io.lockstep.placer.RuleKey;
import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.flow.TrafficTreatment;

/**
 * Compares the entries that a read-back shows with those that the placer knows: by layer, priority,
 * match, cookie and actions. Gives the flow-mods that repair the difference. Pure.
 */
final class ReadBackRepair {
  /** Flow-mods that remove entries with the node's cookies and no rule, then put entries back. */
  final List<FlowMod> mods = new ArrayList<>();

  /** Rules whose own entry is missing or changed; a missing cover counts for none. */
  final Set<RuleKey> missingRules = new HashSet<>();

  int vanished;
  int strays;

  ReadBackRepair(SwitchPipeline pipeline, PlacementImage image, FlowTableSnapshot seen) {
    Map<FlowTableSnapshot.Location, InLayer> expected = new HashMap<>();
    image
        .entries()
        .forEach(e -> expected.put(new FlowTableSnapshot.Location(e.layer(), e.key()), e));
    mods.addAll(seen.strays);
    seen.ours.forEach(
        (at, entry) -> {
          if (!expected.containsKey(at) && !pipeline.isLast(pipeline.table(at.layer()), at.key())) {
            mods.add(pipeline.delete(pipeline.table(at.layer()), at.key()));
          }
        });
    strays = mods.size();
    List<FlowMod> missingMissEntries = seen.missingMissEntries(expected::containsKey);
    mods.addAll(missingMissEntries);
    List<InLayer> missing = new ArrayList<>();
    expected.forEach(
        (at, entry) -> {
          if (!isThere(pipeline, entry, seen.ours.get(at))) {
            missing.add(entry);
            if (entry.treatment() != null) {
              missingRules.add(entry.key());
            }
          }
        });
    vanished = missing.size() + missingMissEntries.size();
    Map<RuleKey, RuleKey> owners = owners(image, missing);
    // The last layer first, covers before rules, then from the highest priority down.
    missing.sort(
        Comparator.comparingInt((InLayer e) -> -e.layer())
            .thenComparing(e -> e.treatment() != null)
            .thenComparingInt(e -> -e.key().priority()));
    for (InLayer entry : missing) {
      RuleKey owner = owners.getOrDefault(entry.key(), entry.key());
      mods.add(pipeline.write(entry.layer(), entry.key(), owner, entry.treatment()));
    }
  }

  boolean needed() {
    return !mods.isEmpty();
  }

  /** The former cookie of an entry from before the switch was placed is no difference. */
  private static boolean isThere(SwitchPipeline pipeline, InLayer entry, @Nullable FlowStats seen) {
    if (seen == null) {
      return false;
    }
    boolean named;
    TrafficTreatment wanted;
    Bytes code = entry.treatment();
    if (code == null) {
      named = Cookies.isCover(seen.cookie());
      wanted = pipeline.cover(entry.layer());
    } else {
      named =
          !Cookies.isPlaced(seen.cookie())
              || seen.cookie() == SwitchPipeline.cookie(entry.key(), code);
      wanted = SwitchPipeline.treatment(code);
    }
    return named && EntryComparison.sameActions(seen.tableId(), wanted, seen.treatment());
  }

  /** The rule of each missing cover; a cover of a part of a rule has a key of its own. */
  private static Map<RuleKey, RuleKey> owners(PlacementImage image, List<InLayer> missing) {
    Map<RuleKey, RuleKey> owners = new HashMap<>();
    for (InLayer entry : missing) {
      if (entry.treatment() == null) {
        for (PlacementImage.Known known : image.rules()) {
          RuleKey rule = known.rule().key();
          if (rule.priority() == entry.key().priority()
              && rule.match().covers(entry.key().match())) {
            owners.put(entry.key(), rule);
          }
        }
      }
    }
    return owners;
  }
}
