package io.lockstep.core.flow.placed;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a switch, for people and programs; plain values. Of a switch that takes every rule
 * only the profile, the reason, the number of rules and what was put back.
 *
 * @param profile name of the switch's profile
 * @param reason why it has this profile
 * @param rules in the logical table, those that can win no packet included
 * @param waiting rules that wait in the queue
 * @param changing whether a change is under way, so that the switch or the store lacks a part of
 *     it; false for a switch that takes every rule
 * @param layers in the order in which a packet meets them
 * @param refused requested rules that the switch does not have; some where there are many
 * @param refusedCount how many there are
 * @param software rules served in software, with their traffic; pinned ones, then those with the
 *     most; some where there are many
 * @param softwareCount how many there are; copies of rules that hardware serves are none of them
 * @param vanished entries that the node put back so far
 * @param strays entries with the node's cookies that it removed so far
 * @param passing what applications install for packets; null where rules are not placed
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
    int softwareCount,
    long vanished,
    long strays,
    @Nullable PassingEntries passing) {
  public PlacementReport {
    layers = List.copyOf(layers);
    refused = List.copyOf(refused);
    software = List.copyOf(software);
  }

  /** Whether no rule waits and no change is under way: switch and store have everything. */
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
   * @param free how many more entries fit, by what they match
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

  /** How many more entries with such a match fit; -1 for no bound. */
  public record Free(String entries, long count) {}

  /** A requested rule that the switch does not have; the id is its flow id, or empty. */
  public record Refused(String id, String rule, String why) {}

  /**
   * A rule and its traffic.
   *
   * @param id its flow id, or empty
   * @param pinned whether the node keeps it in front, however little traffic it has
   */
  public record Served(
      String id, String rule, String layer, double bytesPerSecond, boolean pinned) {}

  /**
   * Entries that applications install for packets.
   *
   * @param installed those that the switch has
   * @param displaced rules whose place one of them with more traffic took so far
   * @param missing entries that the switch does not have and of which packets came to the node
   *     lately, the heaviest first; some where there are many
   * @param missingCount how many there are, as far as the node counts them
   */
  public record PassingEntries(
      int installed, long displaced, List<MissingEntry> missing, int missingCount) {
    public PassingEntries {
      missing = List.copyOf(missing);
    }
  }

  /**
   * An entry that the switch does not have.
   *
   * @param packetsPerSecond of it that came to the node, at least
   */
  public record MissingEntry(String id, String rule, double packetsPerSecond) {}

  /** The report on a switch that takes every rule, so that the node places none. */
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
        0,
        putBack,
        0,
        null);
  }
}
