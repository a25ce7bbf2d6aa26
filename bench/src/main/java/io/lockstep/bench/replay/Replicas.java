package io.lockstep.bench.replay;

import io.lockstep.bench.runs.BenchException;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Addresses of replicas as text. */
final class Replicas {
  /** The name of every cluster that is replayed against. */
  static final String CLUSTER = "replay";

  private static final int MOST_PORT = 65_534;

  private Replicas() {}

  /**
   * Reads {@code HOST:PORT,...}, in the order of the replicas' numbers. A replica listens at its
   * port and at the next one.
   */
  static List<Member> parse(String text) throws BenchException {
    List<Member> members = new ArrayList<>();
    for (String address : text.split(",", -1)) {
      int colon = address.lastIndexOf(':');
      int port = colon > 0 ? number(address.substring(colon + 1)) : 0;
      if (port < 1 || port > MOST_PORT) {
        throw new BenchException(
            "'"
                + address
                + "' is no HOST:PORT with a port from 1 to "
                + MOST_PORT
                + "; replicas are given as 10.0.0.1:7000,10.0.0.2:7000,10.0.0.3:7000");
      }
      members.add(new Member(members.size(), address.substring(0, colon), port));
    }
    if (members.size() < 3 || members.size() % 2 == 0) {
      throw new BenchException(
          members.size() + " replicas in '" + text + "': a cluster has 3, 5 or 7");
    }
    return members;
  }

  /** The text that {@link #parse} reads. */
  static String text(List<Member> members) {
    return members.stream()
        .map(member -> member.host() + ":" + member.port())
        .collect(Collectors.joining(","));
  }

  private static int number(String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
