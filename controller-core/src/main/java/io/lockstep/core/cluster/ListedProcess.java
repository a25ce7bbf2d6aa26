package io.lockstep.core.cluster;

import java.util.Comparator;

/**
 * A process of the cluster as a node's file lists it.
 *
 * @param kind what it is
 * @param id its name, unique among those of its kind
 * @param host as written in the file: two names of one address differ
 * @param port of a node where its peers connect, of a replica where clients of the store connect; 0
 *     where there is none
 */
public record ListedProcess(Kind kind, String id, String host, int port) {
  /** By kind and id. */
  static final Comparator<ListedProcess> ORDER =
      Comparator.comparing(ListedProcess::kind).thenComparing(ListedProcess::id);

  /** Kinds of processes. */
  public enum Kind {
    /** A controller node. */
    NODE("node", "nodePort"),
    /** A replica of the store. */
    REPLICA("replica", "storePort");

    private final String text;
    private final String portKey;

    Kind(String text, String portKey) {
      this.text = text;
      this.portKey = portKey;
    }
  }

  /** A member as a process. */
  static ListedProcess of(Member member) {
    return new ListedProcess(Kind.NODE, member.nodeId(), member.host(), member.witnessPort());
  }

  /** How messages call it, for example {@code replica n2}. */
  String name() {
    return kind.text + " " + id;
  }

  /**
   * How a replica that is a process of its own calls itself: the owner of its session with the
   * store, and where its list is published. No node is called like that.
   */
  public static String replicaName(String id) {
    return Kind.REPLICA.text + " " + id;
  }

  /** Whether this is a {@link #replicaName}. */
  static boolean isReplicaName(String name) {
    return name.startsWith(Kind.REPLICA.text + " ");
  }

  /** Where it is, for example {@code 10.0.0.2, storePort 7100}. */
  String where() {
    return host + ", " + kind.portKey + " " + port;
  }
}
