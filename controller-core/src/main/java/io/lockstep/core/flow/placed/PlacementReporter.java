package io.lockstep.core.flow.placed;

import io.lockstep.core.flow.placed.LogicalRule.Origin;
import io.lockstep.core.flow.placed.PlacementReport.Free;
import io.lockstep.core.flow.placed.PlacementReport.Layer;
import io.lockstep.core.flow.placed.PlacementReport.MissingEntry;
import io.lockstep.core.flow.placed.PlacementReport.PassingEntries;
import io.lockstep.core.flow.placed.PlacementReport.Refused;
import io.lockstep.core.flow.placed.PlacementReport.Served;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.placer.Explanation;
import io.lockstep.placer.PlacementImage;
import io.lockstep.placer.PlacementImage.Known;
import io.lockstep.placer.Placer;
import io.lockstep.placer.Refusal;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.profile.Capacity;
import io.lockstep.placer.profile.LayerKind;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.SwitchProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the state of one placed switch for operators and programs; changes nothing. Control loop
 * only.
 */
public final class PlacementReporter {
  /** Rules in one list of a report. */
  private static final int MAX_LISTED = 100;

  private static final String DISPLACEABLE =
      "where there is no room, an entry of an application with more traffic may take its place";

  private static final String UNKNOWN_TRAFFIC =
      "its traffic is not known: the switch counts packets of rules that it has";

  private final SwitchPlacement placement;
  private final ChangeQueue queue;
  private final WorkGate gate;
  private final SwitchRejections rejections;
  private final RuleTraffic traffic;
  private final TrafficAdmission admission;
  private final ReadBackHistory readBacks;
  private final String profileReason;
  private final Function<RuleKey, String> idOf;

  /**
   * A reporter on these parts of a switch's state.
   *
   * @param profileReason why the switch has its profile
   * @param idOf the id that operators know a rule by
   */
  PlacementReporter(
      SwitchPlacement placement,
      ChangeQueue queue,
      WorkGate gate,
      SwitchRejections rejections,
      RuleTraffic traffic,
      TrafficAdmission admission,
      ReadBackHistory readBacks,
      String profileReason,
      Function<RuleKey, String> idOf) {
    this.placement = placement;
    this.queue = queue;
    this.gate = gate;
    this.rejections = rejections;
    this.traffic = traffic;
    this.admission = admission;
    this.readBacks = readBacks;
    this.profileReason = profileReason;
    this.idOf = idOf;
  }

  /** What each layer holds; null before the agent read the switch. */
  public @Nullable PlacementReport report() {
    return gate.ready() ? reportOfRead() : null;
  }

  private PlacementReport reportOfRead() {
    PlacementImage image = placement.placer().image();
    SwitchProfile profile = placement.pipeline().profile();
    List<Known> software = software(image);
    List<Layer> layers = new ArrayList<>();
    for (int layer = 0; layer < profile.layers().size(); layer++) {
      layers.add(layer(image, layer));
    }
    List<Refused> refused = new ArrayList<>();
    for (Map.Entry<RuleKey, String> one : rejections.texts().entrySet()) {
      if (refused.size() < MAX_LISTED) {
        RuleKey key = one.getKey();
        refused.add(new Refused(idOf.apply(key), key.toString(), one.getValue()));
      }
    }
    return new PlacementReport(
        profile.name(),
        profileReason,
        image.rules().size(),
        queue.size(),
        gate.working(),
        layers,
        refused,
        rejections.size(),
        listed(software),
        software.size(),
        readBacks.entriesPutBack(),
        readBacks.entriesRemoved(),
        passing());
  }

  private PassingEntries passing() {
    List<PacketInRates.RatedEntry> missing = admission.missing();
    int installed = 0;
    for (PlacedRow row : placement.ledger().rows()) {
      installed += row.origin() == Origin.SOFT ? 1 : 0;
    }
    return new PassingEntries(
        installed,
        admission.displaced(),
        missing.stream()
            .limit(MAX_LISTED)
            .map(
                one ->
                    new MissingEntry(
                        idOf.apply(one.key()), one.key().toString(), one.packetsPerSecond()))
            .toList(),
        missing.size());
  }

  /** Entries of applications that the switch does not have, of which packets came lately. */
  public List<RuleKey> missed() {
    return admission.missing().stream().map(PacketInRates.RatedEntry::key).toList();
  }

  /** The rules served in software, from the highest weight down: pinned ones first. */
  private List<Known> software(PlacementImage image) {
    SwitchProfile profile = placement.pipeline().profile();
    List<Known> software = new ArrayList<>();
    for (Known known : image.rules()) {
      int layer = placement.placer().layerOf(known.rule().key());
      if (known.live()
          && layer < profile.controller()
          && profile.layers().get(layer).kind() == LayerKind.SOFTWARE) {
        software.add(known);
      }
    }
    software.sort((a, b) -> Double.compare(b.weight(), a.weight()));
    return software;
  }

  /** The first of them, as many as a report has. */
  private List<Served> listed(List<Known> software) {
    SwitchProfile profile = placement.pipeline().profile();
    List<Served> served = new ArrayList<>();
    for (Known known : software.subList(0, Math.min(MAX_LISTED, software.size()))) {
      RuleKey key = known.rule().key();
      served.add(
          new Served(
              idOf.apply(key),
              key.toString(),
              profile.layers().get(placement.placer().layerOf(key)).id(),
              traffic(key, known.weight()),
              placement.pinned(key)));
    }
    return served;
  }

  /** The traffic of a rule: its weight in the placer, unless it is pinned. */
  private double traffic(RuleKey key, double weight) {
    return placement.pinned(key) ? traffic.bytesPerSecond(key) : weight;
  }

  /** The traffic of a layer's rules, without those that are pinned there. */
  private double trafficIn(PlacementImage image, int layer) {
    double sum = 0;
    for (Known known : image.rules()) {
      RuleKey key = known.rule().key();
      boolean here = known.live() && placement.placer().layerOf(key) == layer;
      sum += here && !placement.pinned(key) ? known.weight() : 0;
    }
    return sum;
  }

  private Layer layer(PlacementImage image, int number) {
    Placer placer = placement.placer();
    LayerProfile profile = placement.pipeline().profile().layers().get(number);
    int entries = 0;
    int covers = 0;
    for (PlacementImage.InLayer entry : image.entries()) {
      if (entry.layer() == number) {
        entries++;
        covers += entry.treatment() == null ? 1 : 0;
      }
    }
    boolean bounded = profile.capacity().bounded();
    long capacity = bounded ? placer.capacityOf(number) : -1;
    long left = Math.max(0, capacity - profile.reserveUnits() - placer.usedIn(number));
    List<Free> free = new ArrayList<>();
    for (Capacity.Cost cost : profile.capacity().costs()) {
      free.add(new Free(cost.what(), bounded ? left / cost.units() : -1));
    }
    String error = placement.errors().last(number);
    return new Layer(
        profile.id(),
        profile.table(),
        profile.kind().name().toLowerCase(Locale.ROOT),
        entries,
        covers,
        placer.usedIn(number),
        capacity,
        profile.reserveUnits(),
        readBacks.foreignIn(number),
        trafficIn(image, number),
        free,
        placement.errors().countIn(number),
        error == null ? "" : error);
  }

  /**
   * Why a rule is where it is; null before the agent read the switch, and where no one requests the
   * rule and the switch does not have it.
   */
  public @Nullable RuleReport explain(RuleKey key) {
    return gate.ready() ? explainInRead(key) : null;
  }

  private @Nullable RuleReport explainInRead(RuleKey key) {
    String rejected = rejections.text(key);
    Explanation known = placement.placer().explain(key, placement::pinned).orElse(null);
    if (known != null) {
      LogicalRule rule = placement.requested(key);
      List<String> why =
          rejected == null
              ? known.why()
              : List.of(
                  (rule == null ? "its removal" : "a change of it") + " is refused: " + rejected,
                  String.join("; ", known.why()));
      if (rule != null && rule.displaceable()) {
        why = Stream.concat(why.stream(), Stream.of(DISPLACEABLE)).toList();
      }
      return new RuleReport(
          key.toString(),
          known.layer(),
          known.sinceMillis(),
          traffic(key, known.weight()),
          placement.pinned(key),
          known.rank(),
          known.rules(),
          known.dependsOn().stream().map(RuleKey::toString).toList(),
          why,
          known.wouldMove());
    }
    if (placement.requested(key) == null) {
      return explainMissing(key);
    }
    return new RuleReport(
        key.toString(),
        rejected == null ? "waiting" : "refused",
        0,
        0,
        placement.pinned(key),
        0,
        placement.ledger().rows().size(),
        List.of(),
        List.of(rejected == null ? "its turn is to come" : rejected, UNKNOWN_TRAFFIC),
        rejected == null ? "" : "it is tried again when room comes, and every 15 s");
  }

  /** An entry that no one requests now; null where no packet of it came lately. */
  private @Nullable RuleReport explainMissing(RuleKey key) {
    for (PacketInRates.RatedEntry one : admission.missing()) {
      if (one.key().equals(key)) {
        String displaced = admission.whyDisplaced(key);
        return new RuleReport(
            key.toString(),
            "refused",
            0,
            0,
            false,
            0,
            placement.ledger().rows().size(),
            List.of(),
            List.of(
                displaced == null ? "the switch has no room for it" : displaced,
                String.format(
                    Locale.ROOT,
                    "its packets come to the node: at least %.1f a second",
                    one.packetsPerSecond())),
            String.format(
                Locale.ROOT,
                "it comes when room does, or with %.0f times the packets of the lightest entries"
                    + " in its place",
                TrafficAdmission.FACTOR));
      }
    }
    return null;
  }

  /** The last counters of a rule in the layer that serves it; null where it has none. */
  public @Nullable FlowStats counters(RuleKey key) {
    return traffic.counters(key);
  }

  // ---- sentences ----

  /** What the agent had to repair a moment ago; empty for nothing. */
  public String trouble(long nowMillis) {
    return readBacks.trouble(nowMillis);
  }

  /** What each layer holds and how much of it is used. */
  public String room() {
    List<String> layers = new ArrayList<>();
    for (int layer = 0; layer < placement.pipeline().profile().layers().size(); layer++) {
      LayerProfile profile = placement.pipeline().profile().layers().get(layer);
      Capacity capacity = profile.capacity();
      layers.add(
          String.format(
              "layer %s (table %d) capacity %s, %s used",
              profile.id(),
              profile.table(),
              capacity.bounded()
                  ? placement.ledger().capacityOf(layer, capacity) + " units"
                  : "unbounded",
              placement.known() ? placement.placer().usedIn(layer) : "none known to be"));
    }
    return String.join("; ", layers);
  }

  /** Why a rule, or its change, is refused. */
  String rejection(RuleKey key, Refusal refusal) {
    boolean present = placement.ledger().row(key) != null;
    return withError(refusal.message(key), refusal) + (present ? "; it stays as it was" : "");
  }

  /** Why the rule of a refusal leaves the switch. */
  String rejection(Refusal refusal) {
    return withError(refusal.message(), refusal);
  }

  private String withError(String message, Refusal refusal) {
    String error = placement.errors().last(refusal.layer());
    return message + (error == null ? "" : "; the switch last said " + error);
  }

  /** Why a rule is not installed that the switch confirmed too often. */
  String missing(RuleKey key) {
    return String.format(
        "%s: %s: the switch confirmed it %d times and does not have it as it was sent (%s)",
        placement.name(), key, FalseConfirmations.TOO_OFTEN, room());
  }

  /** Why no rule is installed in a switch that rejects what every rule needs, by rule. */
  Map<RuleKey, String> unprepared(FlowModSequence.Failure failure) {
    Map<RuleKey, String> reasons = new LinkedHashMap<>();
    failure
        .rejected()
        .ifPresent(
            rejected ->
                placement
                    .allRequested()
                    .keySet()
                    .forEach(key -> reasons.put(key, unprepared(key, rejected))));
    return reasons;
  }

  private String unprepared(RuleKey key, FlowModSequence.Rejected rejected) {
    return String.format(
        "%s, table %d: %s: the switch refuses what every rule needs there, so none is installed:"
            + " %s (%s)",
        placement.name(), rejected.table(), key, rejected.error(), room());
  }
}
