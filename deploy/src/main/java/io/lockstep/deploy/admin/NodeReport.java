package io.lockstep.deploy.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one node says of itself and the network, as it goes over the admin HTTP ({@code GET
 * /api/v1/status}; the parts have paths of their own). Names of the components are the JSON keys.
 *
 * @param cluster the cluster's name
 * @param node this node's id
 * @param version of the program
 * @param uptimeMillis since the process started
 * @param state where the store keeps its state
 * @param ready whether the node can serve switches now
 * @param notReadyBecause readable, null where it is ready
 * @param quorum whether a majority of the store's replicas answered this node recently
 * @param replica the replica in this process, null where there is none
 * @param domainVersions the versions of the domains; null where no node runs in this process
 * @param differences where configuration files differ from what the cluster agreed on
 * @param applicationFailures the applications and packet processors that failed here since the
 *     start
 */
public record NodeReport(
    String cluster,
    String node,
    String version,
    long uptimeMillis,
    String state,
    boolean ready,
    @Nullable String notReadyBecause,
    boolean quorum,
    @Nullable ReplicaReport replica,
    List<MemberReport> nodes,
    List<DomainReport> domains,
    List<SwitchReport> switches,
    List<LinkReport> links,
    List<HostReport> hosts,
    @Nullable DomainVersionsReport domainVersions,
    List<DifferenceReport> differences,
    List<ApplicationFailureReport> applicationFailures) {

  public NodeReport {
    // A node of an earlier release reports none.
    differences = differences == null ? List.of() : List.copyOf(differences);
    applicationFailures =
        applicationFailures == null ? List.of() : List.copyOf(applicationFailures);
  }

  /**
   * A node of the cluster.
   *
   * @param alive as the store's sessions say
   * @param drained whether an operator drained it
   * @param ageMillis how old {@code self} is; null where there is none
   * @param clockAheadMillis how far its wall clock is ahead of the reporting node's; null where
   *     {@code self} is
   * @param self what the node published last, also before it died; null where it never did, or
   *     where the reporting node does not see the store
   */
  public record MemberReport(
      String id,
      String host,
      boolean alive,
      boolean drained,
      @Nullable Long ageMillis,
      @Nullable Long clockAheadMillis,
      @Nullable SelfReport self) {

    /** A member of which nothing else is known. */
    public static MemberReport of(String id, String host, boolean alive, boolean drained) {
      return new MemberReport(id, host, alive, drained, null, null, null);
    }
  }

  /**
   * A replica of the store.
   *
   * @param id number of the replica, from 0 in the order of the replicas' names
   * @param phase lower case, for example {@code operational}
   * @param leader id of the leading replica, -1 where unknown
   * @param regency number of the leader's term
   * @param lastInstance the last consensus instance applied here
   * @param reachable replicas heard of recently, this one included
   * @param snapshotInstance the last instance in the newest snapshot, -1 where there is none
   * @param bytesSinceSnapshot decisions logged since then, or since the start
   * @param setAside files that were set aside at the start because of damage that others made up
   *     for
   * @param names of all replicas in the order of their ids, as this node's file has them
   */
  public record ReplicaReport(
      int id,
      String phase,
      int leader,
      long regency,
      long lastInstance,
      List<Integer> reachable,
      boolean quorum,
      long snapshotInstance,
      long bytesSinceSnapshot,
      List<String> setAside,
      List<String> names) {
    public ReplicaReport {
      // A node of an earlier release reports none.
      names = names == null ? List.of() : List.copyOf(names);
    }
  }

  /**
   * A domain.
   *
   * @param master id of the node that masters it, null for none
   * @param epoch number of its masterships so far
   */
  public record DomainReport(String name, @Nullable String master, long epoch, int switches) {}

  /**
   * The versions of the domains.
   *
   * @param inForce 0 where the store has none yet
   * @param next the one on its way, 0 where there is none
   * @param waitsFor the nodes that the next one waits for
   */
  public record DomainVersionsReport(long inForce, long next, List<String> waitsFor) {}

  /**
   * A difference between a node's file and the cluster.
   *
   * @param node whose file it is
   * @param file its path on that node's machine
   * @param place for example {@code domain west: switches}
   * @param here what the file says, {@code -} for nothing
   * @param cluster what the cluster says, {@code -} for nothing
   * @param remedy what to do
   */
  public record DifferenceReport(
      String node, String file, String place, String here, String cluster, String remedy) {}

  /**
   * The failures of an application: it threw, returned null or broke its contract.
   *
   * @param application its name; of a packet processor the name of its class
   * @param count since the start of the node
   * @param lastError one line of at most 200 characters, and three dots where it was cut
   * @param lastMillis when the last failure was, in milliseconds since 1970
   */
  public record ApplicationFailureReport(
      String application, long count, String lastError, long lastMillis) {}

  /**
   * A switch.
   *
   * @param dpid 16 hexadecimal digits
   * @param domain empty where no domain lists it
   * @param role this node's role at the switch: master, slave, equal, pending (granted, but this
   *     node may not act yet), or none where not connected
   * @param master id of the node that masters the switch's domain, null for none
   * @param connectedTo ids of the nodes known to be connected to it
   * @param trouble what stands between the wanted role and the switch, and what else is wrong at it
   *     or was within the last minute; empty where nothing is
   * @param address of the switch's end of this node's connection; empty where not connected
   */
  public record SwitchReport(
      String dpid,
      String domain,
      String role,
      @Nullable String master,
      List<String> connectedTo,
      String address,
      String protocol,
      String trouble,
      List<PortReport> ports) {}

  /** A port of a switch. */
  public record PortReport(long number, String name, boolean up) {}

  /** A link in one direction; datapath ids in 16 hexadecimal digits. */
  public record LinkReport(String fromSwitch, long fromPort, String toSwitch, long toPort) {}

  /** A host where it was seen last. */
  public record HostReport(String mac, List<String> ips, String atSwitch, long atPort) {}
}
