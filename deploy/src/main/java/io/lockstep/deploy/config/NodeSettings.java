package io.lockstep.deploy.config;

import io.lockstep.core.app.RankedApplication;
import io.lockstep.core.cluster.ListedProcess;
import io.lockstep.core.cluster.ListedProcess.Kind;
import io.lockstep.core.noun.AskedApplication;
import io.lockstep.core.path.PathConfig;
import io.lockstep.keys.Fingerprint;
import io.lockstep.keys.KeyFiles;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.store.TableSpec;
import io.lockstep.store.engine.bftsmart.ReplicaConfig;
import io.lockstep.store.typed.StoreAddress;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything the configuration file of one process says, checked and with defaults filled in.
 *
 * @param cluster the cluster's name; nodes of different clusters do not talk to each other
 * @param nodeId the id of this process: a node's, or a replica's where it is a process of its own
 * @param members all controller nodes
 * @param replicas all replicas of the store
 * @param replicaInside whether a replica of the store runs in this node's process
 * @param openflow where switches connect
 * @param admin where the admin HTTP listens; always a loopback address
 * @param adminNames host names under which the admin HTTP may be asked beside those of loopback
 * @param adminRemote where it listens for other machines; null for nowhere
 * @param domains sets of switches that are mastered together: the first value of the cluster's
 * @param applications what decides on packets
 * @param timeouts how long things may take
 * @param limits how much switches may ask
 * @param paths how paths change in unison
 * @param store where the replica of this process keeps its state
 * @param profiles what is configured of switches' flow tables; the first that contains a switch
 *     counts
 * @param security who may connect
 * @param log where and how the process logs
 * @param file the absolute path of the file itself
 */
public record NodeSettings(
    String cluster,
    String nodeId,
    List<Member> members,
    List<Replica> replicas,
    boolean replicaInside,
    OpenFlow openflow,
    Listener admin,
    List<String> adminNames,
    @Nullable Listener adminRemote,
    List<Domain> domains,
    Timeouts timeouts,
    RunApplications applications,
    Limits limits,
    PathConfig paths,
    StoreSettings store,
    List<ProfileChoice> profiles,
    LinkSecurity security,
    Log log,
    String file) {

  public NodeSettings {
    members = List.copyOf(members);
    replicas = List.copyOf(replicas);
    adminNames = List.copyOf(adminNames);
    domains = List.copyOf(domains);
    profiles = List.copyOf(profiles);
  }

  /**
   * The applications of the node, with their sections of the file applied.
   *
   * @param ranked in any order; a node asks them by {@link RankedApplication#ORDER}
   * @param tables those that they use
   * @param configured the same applications as their nouns need them
   */
  public record RunApplications(
      List<RankedApplication> ranked,
      Map<String, TableSpec> tables,
      List<ConfiguredApplication> configured) {
    public RunApplications {
      ranked = List.copyOf(ranked);
      configured = List.copyOf(configured);
      tables = Map.copyOf(tables);
    }
  }

  /**
   * An application with its nouns.
   *
   * @param jar where it comes from; null where it is part of the product
   */
  public record ConfiguredApplication(AskedApplication asked, int priority, @Nullable Path jar) {}

  /**
   * The log of the process.
   *
   * @param file a log file beside standard error, rotated; null for none
   * @param format {@code text} or {@code json}
   */
  public record Log(@Nullable String file, String format) {}

  /**
   * The profile of some switches.
   *
   * @param servedByNode packets a second of rules that they do not have, which the node serves
   */
  public record ProfileChoice(SwitchRange switches, SwitchProfile profile, int servedByNode) {}

  /**
   * A controller node.
   *
   * @param nodePort where the other nodes' connections arrive
   */
  public record Member(String id, String host, int nodePort) {}

  /**
   * A replica of the store.
   *
   * @param storePort where clients of the store connect
   * @param incarnation which machine it is: 0 for the first one under this id
   */
  public record Replica(String id, String host, int storePort, int incarnation) {
    /** The first machine under its id. */
    public Replica(String id, String host, int storePort) {
      this(id, host, storePort, 0);
    }

    /** Where the other replicas connect: always the next port. */
    public int peerPort() {
      return storePort + 1;
    }
  }

  /**
   * Where switches connect.
   *
   * @param plain the switches that may do so without TLS where it is not open to all
   * @param listed those whose own certificates are listed
   */
  public record OpenFlow(
      String host, int port, List<PlainSwitches> plain, List<ListedCertificate> listed) {
    public OpenFlow {
      plain = List.copyOf(plain);
      listed = List.copyOf(listed);
    }

    /** Whether only this machine reaches the port. */
    public boolean listensOnLoopback() {
      return host.matches(SettingsReader.LOOPBACK);
    }
  }

  /** Switches that a certificate of their own is for, whoever signed it. */
  public record ListedCertificate(Fingerprint fingerprint, List<SwitchRange> switches) {
    public ListedCertificate {
      switches = List.copyOf(switches);
    }
  }

  /** Switches that may connect without TLS, and from where. */
  public record PlainSwitches(List<SwitchRange> switches, List<Network> networks) {
    public PlainSwitches {
      switches = List.copyOf(switches);
      networks = List.copyOf(networks);
    }
  }

  /**
   * The machines of a network.
   *
   * @param address of one of them
   * @param prefixBits how many of its first bits all have in common
   */
  public record Network(InetAddress address, int prefixBits) {}

  /** Where something listens. */
  public record Listener(String host, int port) {}

  /**
   * A domain.
   *
   * @param switches datapath ids; ranges of one domain or of two do not overlap
   * @param preferredMasters node ids, the first one first; may be empty
   */
  public record Domain(String name, List<SwitchRange> switches, List<String> preferredMasters) {
    public Domain {
      switches = List.copyOf(switches);
      preferredMasters = List.copyOf(preferredMasters);
    }
  }

  /**
   * How long things may take.
   *
   * @param leaseMillis how long a silent node keeps its domains
   * @param storeRequestMillis when an unanswered store operation is reported as unknown
   * @param handshakeMillis how long a switch may take to introduce itself
   * @param linkProbeMillis pause between two link probes on a port
   * @param handBackMillis how long a preferred master must have been back before its domain returns
   * @param hostSilenceMillis how long a host may be silent before it is asked, and forgotten
   */
  public record Timeouts(
      int leaseMillis,
      int storeRequestMillis,
      int handshakeMillis,
      int linkProbeMillis,
      int handBackMillis,
      int hostSilenceMillis) {}

  /**
   * How much switches may ask of the node.
   *
   * @param packetsPerPort packet-ins per second from one port; 0 for no limit
   * @param packetsPerSwitch packet-ins per second from one switch; 0 for no limit
   * @param waitingPerSwitch decisions of one switch that may wait for the store
   */
  public record Limits(int packetsPerPort, int packetsPerSwitch, int waitingPerSwitch) {}

  /**
   * Where the replica of this process keeps its state.
   *
   * @param directory of its log and snapshots; null where it keeps them in memory only, so that all
   *     is gone when all replicas have stopped
   * @param snapshotMegabytes a snapshot is made whenever the log has grown by so much
   * @param stateMegabytes what the state may take of memory; 0 for a share of the heap
   */
  public record StoreSettings(
      @Nullable Path directory, int snapshotMegabytes, int stateMegabytes) {}

  /**
   * Who may connect to the ports of the cluster's own links.
   *
   * @param keys the files of this process; null where it has none
   * @param insecure whether the file says that everyone who reaches the ports may
   */
  public record LinkSecurity(@Nullable KeyFiles keys, boolean insecure) {}

  /** Every process that the file lists, for comparison with the lists of the others. */
  public List<ListedProcess> processes() {
    Stream<ListedProcess> nodes =
        members.stream()
            .map(one -> new ListedProcess(Kind.NODE, one.id(), one.host(), one.nodePort()));
    Stream<ListedProcess> stores =
        replicas.stream()
            .map(one -> new ListedProcess(Kind.REPLICA, one.id(), one.host(), one.storePort()));
    return Stream.concat(nodes, stores).toList();
  }

  /** The replica that runs in this process under this id. */
  public Optional<Replica> ownReplica() {
    return replicas.stream().filter(replica -> replica.id().equals(nodeId)).findFirst();
  }

  /**
   * The replicas in the order of their ids: their numbers in the engine, whatever the file says.
   */
  public List<Replica> replicasInOrder() {
    return replicas.stream().sorted(Comparator.comparing(Replica::id)).toList();
  }

  /** Where the store is. */
  public StoreAddress storeAddress() {
    List<Replica> inOrder = replicasInOrder();
    return new StoreAddress(
        cluster,
        IntStream.range(0, inOrder.size())
            .mapToObj(
                i ->
                    new ReplicaConfig.Member(
                        i,
                        inOrder.get(i).host(),
                        inOrder.get(i).storePort(),
                        inOrder.get(i).id(),
                        inOrder.get(i).incarnation()))
            .toList());
  }

  /**
   * The number of the replica that runs under this id, from 0 in the order of the ids.
   *
   * @throws IllegalStateException where there is none
   */
  public int replicaNumber() {
    List<Replica> inOrder = replicasInOrder();
    return IntStream.range(0, inOrder.size())
        .filter(number -> inOrder.get(number).id().equals(nodeId))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no replica is called " + nodeId));
  }
}
