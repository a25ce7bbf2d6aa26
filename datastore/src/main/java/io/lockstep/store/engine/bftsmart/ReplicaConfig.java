package io.lockstep.store.engine.bftsmart;

import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.PeerIdentity;
import io.lockstep.keys.PeerRole;
import io.lockstep.store.machine.ReplacedMachine;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of one replica. Equal on every replica of a cluster except for {@code
 * replicaId}.
 *
 * @param clusterId name that all replicas and clients share; 1 to 64 characters, no control
 *     characters
 * @param replicaId this replica
 * @param members all replicas, ids 0 to n-1 in order, n is 1, 3, 5 or 7; f = (n-1)/2 may crash;
 *     this replica listens at its own entry and dials the others
 * @param timing intervals and time-outs
 * @param limits bounds on memory
 * @param instancesPerEra after this many instances the replicas pause for a moment and continue
 *     with new numbers inside the library; 100 to {@value #MOST_INSTANCES_PER_ERA}, which is usual
 * @param keys of this replica's process, whose certificate names this member; null where links are
 *     neither authenticated nor encrypted. All replicas and clients have keys, or none has
 */
public record ReplicaConfig(
    String clusterId,
    int replicaId,
    List<Member> members,
    Timing timing,
    Limits limits,
    long instancesPerEra,
    @Nullable LinkKeys keys) {

  /** The most that the library's 32 bits allow; see docs/adr/0006. */
  public static final long MOST_INSTANCES_PER_ERA = LibraryNumbers.Era.MOST;

  private static final long FEWEST_INSTANCES_PER_ERA = 100;

  private static final int MAX_MEMBERS = 7;

  public ReplicaConfig {
    members = List.copyOf(members);
    checkCluster(clusterId, members);
    if (replicaId < 0 || replicaId >= members.size()) {
      throw new IllegalArgumentException(
          "replica " + replicaId + " is not one of the " + members.size() + " members");
    }
    if (instancesPerEra < FEWEST_INSTANCES_PER_ERA || instancesPerEra > MOST_INSTANCES_PER_ERA) {
      throw new IllegalArgumentException(instancesPerEra + " instances in an era");
    }
    if (keys != null) {
      checkKeys(clusterId, members.get(replicaId), keys.own());
      checkNames(members);
    }
  }

  private static void checkKeys(String clusterId, Member self, PeerIdentity own) {
    if (own.role() != PeerRole.NODE
        || !own.cluster().equals(clusterId)
        || !own.name().equals(self.name())) {
      throw new IllegalArgumentException(
          "the keys are of "
              + own
              + " of cluster '"
              + own.cluster()
              + "', not of node "
              + self.name()
              + " of cluster '"
              + clusterId
              + "'");
    }
  }

  private static void checkNames(List<Member> members) {
    if (members.stream().map(Member::name).distinct().count() < members.size()) {
      throw new IllegalArgumentException("with keys each member needs a name of its own");
    }
  }

  /** A replica without keys. */
  public ReplicaConfig(
      String clusterId,
      int replicaId,
      List<Member> members,
      Timing timing,
      Limits limits,
      long instancesPerEra) {
    this(clusterId, replicaId, members, timing, limits, instancesPerEra, null);
  }

  /** A replica with the usual timing and limits. */
  public static ReplicaConfig of(String clusterId, int replicaId, List<Member> members) {
    return new ReplicaConfig(
        clusterId, replicaId, members, Timing.usual(), Limits.usual(), MOST_INSTANCES_PER_ERA);
  }

  /** The same replica with another timing. */
  public ReplicaConfig with(Timing other) {
    return new ReplicaConfig(clusterId, replicaId, members, other, limits, instancesPerEra, keys);
  }

  /** The same replica with other limits. */
  public ReplicaConfig with(Limits other) {
    return new ReplicaConfig(clusterId, replicaId, members, timing, other, instancesPerEra, keys);
  }

  /** The same replica with shorter eras. */
  public ReplicaConfig withInstancesPerEra(long instances) {
    return new ReplicaConfig(clusterId, replicaId, members, timing, limits, instances, keys);
  }

  /** The same replica with keys, or without. */
  public ReplicaConfig withKeys(@Nullable LinkKeys other) {
    return new ReplicaConfig(clusterId, replicaId, members, timing, limits, instancesPerEra, other);
  }

  /** How many replicas may crash without stopping the cluster. */
  public int faults() {
    return (members.size() - 1) / 2;
  }

  Member self() {
    return members.get(replicaId);
  }

  static void checkCluster(String clusterId, List<Member> members) {
    if (!isClusterId(clusterId)) {
      throw new IllegalArgumentException(
          "cluster id must have 1 to 64 characters, no control characters: " + clusterId);
    }
    if (members.size() % 2 == 0 || members.size() > MAX_MEMBERS) {
      throw new IllegalArgumentException(
          "a store has 1, 3, 5 or 7 replicas, not " + members.size());
    }
    Set<String> addresses = new HashSet<>();
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get(i);
      if (member.id() != i) {
        throw new IllegalArgumentException("member " + i + " has id " + member.id());
      }
      if (!addresses.add(member.host() + ":" + member.port())
          || !addresses.add(member.host() + ":" + (member.port() + 1))) {
        throw new IllegalArgumentException("ports of " + member + " are used twice");
      }
    }
  }

  static boolean isClusterId(String name) {
    return !name.isEmpty()
        && name.length() <= 64
        && name.chars().noneMatch(Character::isISOControl);
  }

  /**
   * One replica's address. Clients connect to {@code port}, replicas to {@code port + 1}. Both are
   * bound on {@code host} only.
   *
   * @param id 0 to n-1
   * @param host name or address
   * @param port 1 to 65534
   * @param name of the node whose replica it is, as its certificate has it; empty where it does not
   *     matter, since there are no keys
   * @param incarnation which machine it is: 0 for the first one under this id, else the number that
   *     its row in the state has (docs/adr/0044)
   */
  public record Member(int id, String host, int port, String name, int incarnation) {
    /** A member without a name. */
    public Member(int id, String host, int port) {
      this(id, host, port, "");
    }

    /** The first machine under its id. */
    public Member(int id, String host, int port, String name) {
      this(id, host, port, name, 0);
    }

    public Member {
      if (incarnation < 0 || incarnation > ReplacedMachine.MAX_INCARNATION) {
        throw new IllegalArgumentException("incarnation " + incarnation + " of replica " + id);
      }
      if (port < 1 || port > 65_534) {
        throw new IllegalArgumentException("port " + port + " of replica " + id);
      }
    }

    int replicaPort() {
      return port + 1;
    }
  }

  /**
   * Intervals and time-outs, all in milliseconds.
   *
   * @param beatMillis between two beats to every peer
   * @param leaderTimeoutMillis how long a replica waits for the leader's beats before it suspects
   *     the leader, unless it sees that the process has ended; a leader change starts when enough
   *     others suspect the leader too
   * @param requestTimeoutMillis age at which a request is forwarded to the leader; at twice that
   *     age, if no decision was made meanwhile, a leader that still sends beats is replaced
   * @param linkTimeoutMillis without a byte from a peer before its link is closed and dialled again
   * @param stuckMillis without progress of its loop before a replica halts
   */
  public record Timing(
      int beatMillis,
      int leaderTimeoutMillis,
      int requestTimeoutMillis,
      int linkTimeoutMillis,
      int stuckMillis) {

    public Timing {
      if (beatMillis < 10
          || leaderTimeoutMillis < 3 * beatMillis
          || requestTimeoutMillis < leaderTimeoutMillis
          || linkTimeoutMillis < leaderTimeoutMillis
          || stuckMillis < linkTimeoutMillis) {
        throw new IllegalArgumentException(
            "need beat >= 10 ms, leader time-out >= 3 beats, request and link time-outs >= leader"
                + " time-out, stuck >= link time-out");
      }
    }

    /** 50, 1200, 1500, 5000 and 30000 ms. */
    public static Timing usual() {
      return new Timing(50, 1200, 1500, 5000, 30_000);
    }

    /** The same, for a replica that halts after another time without progress of its loop. */
    public Timing withStuckMillis(int millis) {
      return new Timing(
          beatMillis, leaderTimeoutMillis, requestTimeoutMillis, linkTimeoutMillis, millis);
    }
  }

  /**
   * Bounds on memory.
   *
   * @param maxBatchRequests requests in one consensus instance
   * @param maxBatchBytes bytes in one consensus instance; a larger request gets an instance of its
   *     own
   * @param maxRequestBytes bytes in one request
   * @param maxPendingRequests requests from clients that wait to be ordered; more are dropped, and
   *     their clients retry
   * @param maxPendingBytes of all clients' requests from their first byte until they are ordered; a
   *     client whose next request finds no room is not read
   * @param maxClientConnections connections at the client port
   * @param maxQueuedBytes bytes of replies to all clients in the queues of their sockets; a quarter
   *     as many may wait for room there
   * @param maxLinkBytes bytes that wait for one slow peer before its link is closed; the peer then
   *     fetches the messages that it missed
   * @param maxQueuedMessages messages from peers waiting to be processed
   * @param snapshotLogBytes bytes of decisions logged on disk between two snapshots
   */
  public record Limits(
      int maxBatchRequests,
      int maxBatchBytes,
      int maxRequestBytes,
      int maxPendingRequests,
      int maxPendingBytes,
      int maxClientConnections,
      int maxQueuedBytes,
      int maxLinkBytes,
      int maxQueuedMessages,
      long snapshotLogBytes) {

    public Limits {
      if (maxBatchRequests < 1
          || maxBatchBytes < 1024
          || maxRequestBytes < 1024
          || maxPendingRequests < maxBatchRequests
          || maxPendingBytes < 2 * maxRequestBytes
          || maxClientConnections < 1
          || maxQueuedBytes < 1 << 20
          || maxLinkBytes < 1 << 20
          || maxQueuedMessages < 1024
          || snapshotLogBytes < 1024) {
        throw new IllegalArgumentException("a limit is too small to work with");
      }
    }

    /**
     * Sized for a replica inside a controller node with a heap of 256 MiB; docs/ARCHITECTURE.md has
     * the sum.
     */
    public static Limits usual() {
      return new Limits(
          400,
          1 << 20,
          ClientConfig.MAX_REQUEST_BYTES,
          20_000,
          24 << 20,
          1024,
          64 << 20,
          24 << 20,
          100_000,
          64L << 20);
    }

    /** The same, with snapshots after this many bytes of decisions. */
    public Limits withSnapshotLogBytes(long bytes) {
      return new Limits(
          maxBatchRequests,
          maxBatchBytes,
          maxRequestBytes,
          maxPendingRequests,
          maxPendingBytes,
          maxClientConnections,
          maxQueuedBytes,
          maxLinkBytes,
          maxQueuedMessages,
          bytes);
    }

    /** The same, with another bound on the replies that wait for clients. */
    public Limits withMaxQueuedBytes(int bytes) {
      return new Limits(
          maxBatchRequests,
          maxBatchBytes,
          maxRequestBytes,
          maxPendingRequests,
          maxPendingBytes,
          maxClientConnections,
          bytes,
          maxLinkBytes,
          maxQueuedMessages,
          snapshotLogBytes);
    }

    /** The same, with another bound on the bytes that wait for one slow peer. */
    public Limits withMaxLinkBytes(int bytes) {
      return new Limits(
          maxBatchRequests,
          maxBatchBytes,
          maxRequestBytes,
          maxPendingRequests,
          maxPendingBytes,
          maxClientConnections,
          maxQueuedBytes,
          bytes,
          maxQueuedMessages,
          snapshotLogBytes);
    }

    /** The same, with another bound on the requests that wait to be ordered. */
    public Limits withMaxPendingBytes(int bytes) {
      return new Limits(
          maxBatchRequests,
          maxBatchBytes,
          maxRequestBytes,
          maxPendingRequests,
          bytes,
          maxClientConnections,
          maxQueuedBytes,
          maxLinkBytes,
          maxQueuedMessages,
          snapshotLogBytes);
    }

    /**
     * The largest frame between replicas: the message with which a new leader begins. It has the
     * last decided batch, the value accepted by each replica of a majority, and the leader's own
     * proposal.
     */
    int maxFrameBytes(int members) {
      int batches = 1 + (members / 2 + 1) + 1;
      return batches * (maxBatchBytes + maxRequestBytes) + (1 << 20);
    }
  }
}
