package io.lockstep.deploy.admin;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a node publishes about itself in the store, for those that ask another node (docs/adr/0039).
 * Names of the components are the JSON keys. A key that a node of another release does not know is
 * ignored, and one that is missing is null or 0.
 *
 * @param version of the program
 * @param uptimeMillis since the process started
 * @param ready whether the node can serve switches
 * @param notReadyBecause readable, null where it is ready
 * @param replica the replica in this process, null where there is none
 * @param domains that the node masters
 * @param switches that the node is connected to
 * @param machine what the process takes
 * @param perSecond rates since the last summary: {@code packetIns}, {@code decisions}, {@code
 *     drops}, {@code storeOperations}
 * @param sections a digest of each section of the configuration file that is to be the same on
 *     every node
 * @param troubles of switches, by datapath id; the first {@link #MAX_TROUBLES} only
 * @param certificateEndMillis when the certificate of the process ends, in milliseconds since 1970;
 *     0 where it has none
 * @param state what the replica's state takes; null where there is no replica
 */
public record SelfReport(
    String version,
    long uptimeMillis,
    boolean ready,
    @Nullable String notReadyBecause,
    @Nullable ReplicaSelf replica,
    int domains,
    int switches,
    @Nullable MachineReport machine,
    Map<String, Long> perSecond,
    Map<String, String> sections,
    Map<String, String> troubles,
    long certificateEndMillis,
    @Nullable StateReport state) {

  /** Troubles of switches in a summary at most. */
  public static final int MAX_TROUBLES = 8;

  /** Characters of a text in a summary at most; what is longer is cut. */
  public static final int MAX_CHARS = 100;

  public SelfReport {
    perSecond = perSecond == null ? Map.of() : Map.copyOf(perSecond);
    sections = sections == null ? Map.of() : Map.copyOf(sections);
    troubles = troubles == null ? Map.of() : Map.copyOf(troubles);
  }

  /** The same without the troubles of switches, which take most of the room. */
  public SelfReport withoutTroubles() {
    return new SelfReport(
        version,
        uptimeMillis,
        ready,
        notReadyBecause,
        replica,
        domains,
        switches,
        machine,
        perSecond,
        sections,
        Map.of(),
        certificateEndMillis,
        state);
  }

  /**
   * What the entries of a replica's state take.
   *
   * @param limitBytes what they may take under the cluster's rules; 0 for no limit
   */
  public record StateReport(long bytes, long limitBytes) {}

  /**
   * A replica of the store, with the other replicas by name.
   *
   * @param phase lower case, for example {@code operational}
   * @param leader the leading replica, null where unknown
   * @param lastInstance the last consensus instance applied here
   * @param reaches the replicas heard of recently, this one included
   * @param lost the others
   */
  public record ReplicaSelf(
      String phase,
      @Nullable String leader,
      long lastInstance,
      List<String> reaches,
      List<String> lost) {
    public ReplicaSelf {
      reaches = reaches == null ? List.of() : List.copyOf(reaches);
      lost = lost == null ? List.of() : List.copyOf(lost);
    }
  }

  /**
   * What the process takes of its machine.
   *
   * @param heapUsedBytes of the heap, garbage included
   * @param heapMostBytes the heap may take
   * @param cpuPercent of all processors together, -1 where unknown
   * @param diskFreeBytes of the disk of the replica's directory, -1 where there is none
   */
  public record MachineReport(
      long heapUsedBytes, long heapMostBytes, int cpuPercent, long diskFreeBytes) {}
}
