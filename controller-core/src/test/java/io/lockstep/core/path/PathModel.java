package io.lockstep.core.path;

import io.lockstep.core.path.ModelStore.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.flow.DefaultTrafficSelector;

/**
 * A network of switches, three nodes and a store, whose every step comes at any moment: views lag,
 * messages linger, nodes die, packets stay on links. Only the time in flight is kept: no packet is
 * under way for longer.
 *
 * <p>Switches are numbered from 1; port N of a switch leads to switch N, port {@link #HOST} to its
 * host.
 */
final class PathModel {
  static final long HOST = 99;
  static final PathFlow FLOW = new PathFlow(DefaultTrafficSelector.emptySelector(), 10);

  private static final int NODES = 3;

  final ModelStore store = new ModelStore();
  final List<String> violations = new ArrayList<>();
  final Map<Long, ModelSwitch> switches = new HashMap<>();
  final Set<List<Hop>> asked = new HashSet<>();
  int delivered;

  /** Tags that there are, from 1 on. */
  int tags = 64;

  /** Whether each packet has to take one version from its begin to its end. */
  boolean wholeVersions;

  private final Random random;
  private final long flightMillis;
  private final Driver driver;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Packet> packets = new ArrayList<>();
  private long nowMillis;

  /** Decides the moves of paths: the product's steps, or something worse to compare with. */
  @FunctionalInterface
  interface Driver {
    NextStep next(PathRow row, Snapshot view, long waitedMillis, int freeTag);
  }

  /** A node's view, and when it saw the row of it. */
  private static final class Node {
    int view;
    long rowVersion = -1;
    long sinceMillis;
    boolean alive = true;
  }

  private static final class Packet {
    final long bornMillis;
    final List<Hop> taken = new ArrayList<>();
    final Set<String> links = new HashSet<>();
    long at;
    int tag;

    Packet(long bornMillis, long at) {
      this.bornMillis = bornMillis;
      this.at = at;
    }
  }

  /**
   * A network in which nothing was asked for yet.
   *
   * @param flightMillis longer than any packet is under way
   */
  PathModel(Random random, int size, long flightMillis, Driver driver) {
    this.random = random;
    this.flightMillis = flightMillis;
    this.driver = driver;
    for (int i = 0; i < NODES; i++) {
      nodes.add(new Node());
    }
    for (long dpid = 1; dpid <= size; dpid++) {
      ModelSwitch one = new ModelSwitch(dpid);
      one.masteredBy(random.nextInt(NODES));
      switches.put(dpid, one);
    }
  }

  /** Asks for a path over these switches; none to remove it. */
  void wish(List<Long> dpids) {
    List<Hop> hops = hops(dpids);
    Snapshot now = store.now();
    PathRow row = now.row() == null ? PathRow.none(FLOW) : now.row();
    asked.add(hops);
    store.write(
        now.row() == null ? 0 : now.rowVersion(),
        NextStep.Write.of(row.wishing(hops), List.of(), List.of()));
  }

  static List<Hop> hops(List<Long> dpids) {
    List<Hop> hops = new ArrayList<>();
    for (int i = 0; i < dpids.size(); i++) {
      hops.add(new Hop(dpids.get(i), i + 1 < dpids.size() ? dpids.get(i + 1) : HOST));
    }
    return hops;
  }

  /** The switch with this number. */
  ModelSwitch at(long dpid) {
    return Objects.requireNonNull(switches.get(dpid));
  }

  /** One random thing happens. */
  void step(boolean faults) {
    Node node = nodes.get(random.nextInt(NODES));
    ModelSwitch at = at(1L + random.nextInt(switches.size()));
    switch (random.nextInt(faults ? 13 : 12)) {
      case 0, 1, 2 -> see(node);
      case 3, 4 -> drive(node);
      case 5 -> send(at);
      case 6, 7 -> at.deliver(store, random);
      case 8 -> packets.add(new Packet(nowMillis, 1));
      case 9, 10 -> movePacket();
      case 11 -> pass(1 + random.nextInt(5));
      default -> fault(node, at);
    }
  }

  private void see(Node node) {
    if (!node.alive) {
      return;
    }
    node.view += random.nextInt(store.history.size() - node.view);
    noticeRow(node);
  }

  private void noticeRow(Node node) {
    Snapshot view = store.history.get(node.view);
    long version = view.row() == null ? 0 : view.rowVersion();
    if (version != node.rowVersion) {
      node.rowVersion = version;
      node.sinceMillis = nowMillis;
    }
  }

  private void drive(Node node) {
    Snapshot view = store.history.get(node.view);
    PathRow row = view.row();
    if (!node.alive || row == null) {
      return;
    }
    int free = 0;
    for (int tag = tags; tag > 0; tag--) {
      free = view.tags().contains(tag) ? free : tag;
    }
    if (driver.next(row, view, nowMillis - node.sinceMillis, free)
        instanceof NextStep.Write write) {
      store.write(view.rowVersion(), write);
    }
  }

  private void send(ModelSwitch at) {
    if (at.master >= 0) {
      at.send(store.history.get(nodes.get(at.master).view));
    }
  }

  /** A node dies or comes back, or a switch gets a master. */
  private void fault(Node node, ModelSwitch at) {
    if (at.master < 0) {
      takeOver(at);
    } else if (random.nextInt(4) == 0) {
      if (node.alive) {
        node.alive = false;
        int number = nodes.indexOf(node);
        switches.values().stream()
            .filter(one -> one.master == number)
            .forEach(ModelSwitch::masterDied);
      } else {
        node.alive = true;
        // It reads the store anew when it starts.
        node.view = store.history.size() - 1;
        node.rowVersion = -1;
        noticeRow(node);
      }
    }
  }

  private void takeOver(ModelSwitch at) {
    List<Integer> living = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      if (nodes.get(i).alive) {
        living.add(i);
      }
    }
    if (!living.isEmpty()) {
      int next = living.get(random.nextInt(living.size()));
      // Its views show what its predecessor could write: the fence refuses the rest.
      nodes.get(next).view = store.history.size() - 1;
      noticeRow(nodes.get(next));
      at.masteredBy(next);
    }
  }

  /** Time passes; packets that would be too old go to their ends before. */
  private void pass(long millis) {
    for (Packet packet : List.copyOf(packets)) {
      while (packet.bornMillis + flightMillis <= nowMillis + millis && packets.contains(packet)) {
        move(packet);
      }
    }
    nowMillis += millis;
  }

  private void movePacket() {
    if (!packets.isEmpty()) {
      move(packets.get(random.nextInt(packets.size())));
    }
  }

  private void move(Packet packet) {
    ModelSwitch at = at(packet.at);
    SlotRule rule = at.entries.get(packet.tag);
    if (rule == null) {
      boolean noPathHere = packet.taken.isEmpty();
      if (!noPathHere) {
        violations.add(
            "lost at switch " + packet.at + " tag " + packet.tag + " behind " + packet.taken);
      }
      packets.remove(packet);
      return;
    }
    packet.taken.add(new Hop(packet.at, rule.outPort()));
    packet.tag = rule.nextTag();
    if (rule.outPort() == HOST) {
      arrived(packet);
    } else if (!packet.links.add(packet.at + ">" + rule.outPort())) {
      violations.add("twice on a link: " + packet.taken);
      packets.remove(packet);
    } else {
      packet.at = rule.outPort();
    }
  }

  private void arrived(Packet packet) {
    packets.remove(packet);
    delivered++;
    if (packet.tag != 0) {
      violations.add("with tag " + packet.tag + " at the host: " + packet.taken);
    }
    if (wholeVersions && !asked.contains(packet.taken)) {
      violations.add("of two versions: " + packet.taken);
    }
  }

  /** Nothing fails any more, and everything that is under way arrives. */
  void settle(int rounds) {
    for (Node node : nodes) {
      node.alive = true;
    }
    for (int i = 0; i < rounds; i++) {
      for (Node node : nodes) {
        node.view = store.history.size() - 1;
        noticeRow(node);
        drive(node);
      }
      for (ModelSwitch one : switches.values()) {
        if (one.master < 0) {
          takeOver(one);
        }
        send(one);
        while (one.deliver(store, random)) {
          // until nothing is on its way
        }
      }
      packets.add(new Packet(nowMillis, 1));
      movePacket();
      pass(20);
    }
    pass(flightMillis);
  }

  /** How often all packets took a new version from some moment on. */
  int changesDone() {
    int done = 0;
    Route before = Route.NONE;
    for (Snapshot snapshot : store.history) {
      PathRow row = snapshot.row();
      if (row != null && !row.current().equals(before)) {
        before = row.current();
        done++;
      }
    }
    return done;
  }

  /** What is wrong at rest; null for nothing. */
  @Nullable String wrongAtRest() {
    Snapshot now = store.now();
    PathRow row = now.row();
    Set<SlotRule> wanted = new HashSet<>();
    Set<Integer> tags = new LinkedHashSet<>();
    if (row != null) {
      if (row.phase() != PathRow.Phase.STEADY || row.wish() != null) {
        return "the row is still " + row;
      }
      if (row.settled().ticket() != row.asked()) {
        return "ticket " + row.asked() + " has no end: " + row;
      }
      wanted.addAll(row.current().rules());
      tags.add(row.current().tag());
      tags.remove(0);
    }
    Set<SlotRule> there = new HashSet<>();
    switches.values().forEach(one -> there.addAll(one.entries.values()));
    if (!there.equals(wanted)) {
      return "the switches have " + there + ", wanted are " + wanted + " by " + row;
    }
    return now.tags().equals(tags) ? null : "tags " + now.tags() + " are taken, not " + tags;
  }
}
