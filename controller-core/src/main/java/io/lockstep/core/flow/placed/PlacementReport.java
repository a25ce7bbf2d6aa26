package io.lockstep.core.flow.placed;

import io.lockstep.placer.PlacementImage;
import io.lockstep.placer.PlacementImage.Known;
import io.lockstep.placer.Placer;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.profile.Capacity;
import io.lockstep.placer.profile.LayerKind;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.SwitchProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The tables of a switch, for people and programs; plain values. Of a switch that takes every rule
 * only the profile, the reason, the number of rules and what was put back.
 *
 * @param profile name of the switch's profile
 * @param reason why it has this profile
 * @param rules in the logical table, those that can win no packet included
 * @param waiting rules whose turn is to come
 * @param changing whether a change is under way, so that the switch or the store does not know all
 *     of it yet; false for a switch that takes every rule
 * @param layers in the order in which a packet meets them
 * @param refused rules that are wanted and not there, some where there are many
 * @param refusedCount how many there are
 * @param software rules served in software, with their traffic; pinned ones, then those with the
 *     most
 * @param vanished entries that were put back so far
 * @param strays entries of ours that should not have been there, taken away so far
 */
public record PlacementReport(
    String profile,
    String reason,
    int rules,
    int waiting,
    boolean changing,
    List<Layer> layers,
    List<Refused> refused,
    int refusedCount,
    List<Served> software,
    long vanished,
    long strays) {
  private static final int MOST = 100;

  public PlacementReport {
    layers = List.copyOf(layers);
    refused = List.copyOf(refused);
    software = List.copyOf(software);
  }

  /** Whether no rule waits and no change is under way: switch and store know everything. */
  public boolean rests() {
    return waiting == 0 && !changing;
  }

  /**
   * A layer.
   *
   * @param kind hardware or software
   * @param entries rules and covers in it
   * @param capacity in units; -1 for no bound
   * @param foreign entries of others
   * @param bytesPerSecond that its rules serve, without those that are pinned
   * @param free how many entries fit still, by what they match
   * @param refused how often the switch refused what the profile says that the layer holds
   * @param lastError the last of these errors, empty for none
   */
  public record Layer(
      String id,
      int table,
      String kind,
      int entries,
      int covers,
      long used,
      long capacity,
      int reserve,
      int foreign,
      double bytesPerSecond,
      List<Free> free,
      long refused,
      String lastError) {
    public Layer {
      free = List.copyOf(free);
    }
  }

  /** How many entries that match so fit still; -1 for no bound. */
  public record Free(String entries, long count) {}

  /** A rule that is wanted and not there; the id is its flow id, or empty. */
  public record Refused(String id, String rule, String why) {}

  /**
   * A rule and its traffic.
   *
   * @param id its flow id, or empty
   * @param pinned whether the node keeps it in front, however little traffic it has
   */
  public record Served(
      String id, String rule, String layer, double bytesPerSecond, boolean pinned) {}

  /** Of a switch that takes every rule, so that nothing is placed there. */
  public static PlacementReport direct(SwitchProfiles.Chosen chosen, int rules, long putBack) {
    return new PlacementReport(
        chosen.profile().name(),
        chosen.reason(),
        rules,
        0,
        false,
        List.of(),
        List.of(),
        0,
        List.of(),
        putBack,
        0);
  }

  static PlacementReport of(PlacedSwitch of) {
    Placer placer = of.site.placer();
    PlacementImage image = placer.image();
    SwitchProfile profile = of.site.layout.profile();
    List<Layer> layers = new ArrayList<>();
    for (int layer = 0; layer < profile.layers().size(); layer++) {
      layers.add(layer(of, image, layer));
    }
    List<Refused> refused = new ArrayList<>();
    for (Map.Entry<RuleKey, String> one : of.refusals.texts().entrySet()) {
      if (refused.size() < MOST) {
        refused.add(new Refused(of.idOf(one.getKey()), one.getKey().toString(), one.getValue()));
      }
    }
    return new PlacementReport(
        profile.name(),
        of.reason(),
        image.rules().size(),
        of.queue.size(),
        of.turns().working(),
        layers,
        refused,
        of.refusals.size(),
        software(of, image),
        of.upkeep.vanished(),
        of.upkeep.strays());
  }

  /** The rules served in software, from the highest weight down: pinned ones first. */
  private static List<Served> software(PlacedSwitch of, PlacementImage image) {
    SwitchProfile profile = of.site.layout.profile();
    List<Known> software = new ArrayList<>();
    for (Known known : image.rules()) {
      int layer = of.site.placer().layerOf(known.rule().key());
      if (known.live()
          && layer < profile.controller()
          && profile.layers().get(layer).kind() == LayerKind.SOFTWARE) {
        software.add(known);
      }
    }
    software.sort((a, b) -> Double.compare(b.weight(), a.weight()));
    List<Served> served = new ArrayList<>();
    for (Known known : software.subList(0, Math.min(MOST, software.size()))) {
      RuleKey key = known.rule().key();
      served.add(
          new Served(
              of.idOf(key),
              key.toString(),
              profile.layers().get(of.site.placer().layerOf(key)).id(),
              of.upkeep.traffic(key, known.weight()),
              of.upkeep.pinned(key)));
    }
    return served;
  }

  /** The traffic of a layer's rules, without those that are pinned there. */
  private static double traffic(PlacedSwitch of, PlacementImage image, int layer) {
    double sum = 0;
    for (Known known : image.rules()) {
      boolean here = known.live() && of.site.placer().layerOf(known.rule().key()) == layer;
      sum += here && !of.upkeep.pinned(known.rule().key()) ? known.weight() : 0;
    }
    return sum;
  }

  private static Layer layer(PlacedSwitch of, PlacementImage image, int number) {
    Placer placer = of.site.placer();
    LayerProfile profile = of.site.layout.profile().layers().get(number);
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
    String error = of.upkeep.lastError(number);
    return new Layer(
        profile.id(),
        profile.table(),
        profile.kind().name().toLowerCase(Locale.ROOT),
        entries,
        covers,
        placer.usedIn(number),
        capacity,
        profile.reserveUnits(),
        of.upkeep.foreignIn(number),
        traffic(of, image, number),
        free,
        of.upkeep.refusedIn(number),
        error == null ? "" : error);
  }
}
