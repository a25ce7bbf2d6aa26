package io.lockstep.bench.network;

import io.lockstep.dataplane.flowtable.FlowEntry;
import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.NewFlows;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Makes the hosts known to the nodes before new flows are sent. Some hosts, evenly spread, announce
 * themselves with a broadcast, which every switch learns from; the flows are between these. Each
 * other host sends one datagram to one of these: a broadcast of each of thousands of hosts would be
 * a packet-in at each of hundreds of switches. Used by one thread.
 */
final class HostIntroduction {
  /** Hosts that new flows are between: enough pairs for a minute and more, see {@link NewFlows}. */
  private static final int TALKERS = 64;

  private static final int ROUNDS = 3;
  private static final int ROUND_SECONDS = 10;
  private static final int ASK_AGAIN_MILLIS = 500;
  private static final int PAUSE_MILLIS = 5;

  /** Five packet-ins a millisecond. */
  private static final int SWITCHES_PER_MILLI = 5;

  /** No flow: it is not counted. */
  private static final long NO_FLOW = -1;

  private final EmulatedNetwork network;
  private final NodeViews views;
  private final List<EmulatedHost> hosts;
  private final List<EmulatedHost> talkers = new ArrayList<>();

  HostIntroduction(EmulatedNetwork network, NodeViews views) {
    this.network = network;
    this.views = views;
    this.hosts = List.copyOf(network.hosts());
    int count = Math.min(TALKERS, hosts.size());
    for (int i = 0; i < count; i++) {
      talkers.add(hosts.get(i * hosts.size() / count));
    }
  }

  /** The hosts that new flows are between; may be fewer than two. */
  List<EmulatedHost> talkers() {
    return talkers;
  }

  /**
   * Introduces all hosts; some rounds for those that stay unknown.
   *
   * @return how many are still unknown
   */
  int introduce() throws InterruptedException {
    Set<EmulatedHost> unknown = Set.copyOf(hosts);
    for (int round = 0; round < ROUNDS && !unknown.isEmpty(); round++) {
      for (EmulatedHost talker : talkers) {
        if (unknown.contains(talker)) {
          talker.announce();
          Thread.sleep(PAUSE_MILLIS + network.switches().size() / SWITCHES_PER_MILLI);
        }
      }
      for (int i = 0; i < hosts.size(); i++) {
        EmulatedHost host = hosts.get(i);
        EmulatedHost to = talkers.get(i * talkers.size() / hosts.size());
        if (unknown.contains(host) && host != to) {
          host.sendDatagram(to.mac(), to.address(), NewFlows.PORT, NO_FLOW);
          Thread.sleep(PAUSE_MILLIS);
        }
      }
      unknown = unknownAfterAWhile();
    }
    return unknown.size();
  }

  private Set<EmulatedHost> unknownAfterAWhile() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ROUND_SECONDS);
    while (true) {
      Set<String> known = views.hosts();
      Set<EmulatedHost> unknown =
          hosts.stream()
              .filter(host -> !known.contains(host.mac().toString()))
              .collect(Collectors.toSet());
      if (unknown.isEmpty() || System.nanoTime() > deadline) {
        return unknown;
      }
      Thread.sleep(ASK_AGAIN_MILLIS);
    }
  }

  /** Switches that still have flow entries which expire by themselves. */
  List<String> withFlows() {
    List<CompletableFuture<String>> answers =
        network.switches().stream()
            .map(
                one ->
                    one.inspect(
                        model ->
                            model.pipeline().tables().stream()
                                    .flatMap(table -> table.entries().stream())
                                    .anyMatch(FlowEntry::hasTimeout)
                                ? one.name()
                                : ""))
            .toList();
    return answers.stream().map(CompletableFuture::join).filter(name -> !name.isEmpty()).toList();
  }
}
