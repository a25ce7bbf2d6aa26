package io.lockstep.history.nemesis;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Whom a fault meets.
 *
 * @param name a word for them
 */
record Victims(String name, List<Integer> ids) {
  Victims {
    ids = List.copyOf(ids);
  }

  /** Whether no majority is left. */
  boolean many() {
    return ids.size() > Cluster.SIZE / 2;
  }

  static List<Integer> all() {
    return IntStream.range(0, Cluster.SIZE).boxed().toList();
  }

  /** One replica, in half of the cases the leader. */
  static Victims one(Cluster cluster, Random random) throws InterruptedException {
    return one(cluster.leader(), random);
  }

  /** The same where the leader is known, or is -1; both draw as many numbers. */
  static Victims one(int knownLeader, Random random) {
    int leader = leader(knownLeader, random);
    if (random.nextBoolean()) {
      return new Victims("leader " + leader, List.of(leader));
    }
    int follower = other(leader, random);
    return new Victims("follower " + follower, List.of(follower));
  }

  /** All, or all but one. */
  static Victims several(Random random) {
    if (random.nextBoolean()) {
      return new Victims("all", all());
    }
    int spared = random.nextInt(Cluster.SIZE);
    return new Victims("all but " + spared, all().stream().filter(id -> id != spared).toList());
  }

  static int leader(Cluster cluster, Random random) throws InterruptedException {
    return leader(cluster.leader(), random);
  }

  private static int leader(int known, Random random) {
    int drawn = random.nextInt(Cluster.SIZE);
    return known >= 0 ? known : drawn;
  }

  static int other(int id, Random random) {
    return (id + 1 + random.nextInt(Cluster.SIZE - 1)) % Cluster.SIZE;
  }
}
