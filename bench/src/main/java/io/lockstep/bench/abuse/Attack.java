package io.lockstep.bench.abuse;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * An attack.
 *
 * @param label on the command line and in results
 * @param position where the attacker sits
 * @param unit in what it is counted
 * @param connections how many at once; one that is closed is opened anew
 * @param perTick messages on each connection in each turn of the generator
 * @param greeting what is sent once on each new connection
 * @param messages what is sent again and again; each call begins the sequence anew
 */
record Attack(
    String label,
    Position position,
    Unit unit,
    int connections,
    int perTick,
    Supplier<Consumer<ByteBuf>> greeting,
    Supplier<Consumer<ByteBuf>> messages) {

  /** All; each runs against nodes of its own, in this order. */
  static final List<Attack> ALL =
      List.of(
          ofSwitch("flow-removed", Messages::flowRemoved),
          ofSwitch("port-status", Messages::portStatus),
          ofSwitch("errors", Messages::errors),
          ofSwitch("packet-ins", Messages::packetIns),
          ofSwitch("addresses", Messages::addresses),
          ofSwitch("host-moves", Messages::moves),
          ofSwitch("forged-probes", Messages::forgedProbes),
          ofSwitch("malformed-frames", Messages::malformedFrames),
          silent("lost-entries", Position.ENTRIES),
          silent("revived-entries", Position.EXPIRED),
          silent("refused-roles", Position.ROLES),
          silent("old-protocol-moves", Position.OLD_SWITCH),
          ofHost("stolen-addresses", Messages::stolenAddresses),
          ofHost("stolen-ips", Messages::stolenIps),
          ofHost("other-vlan", Messages::otherVlan),
          silent("relayed-probes", Position.RELAY),
          new Attack(
              "same-dpid", Position.TWIN, Unit.MESSAGES, 1, 1, Messages::silence, Messages::errors),
          new Attack(
              "echo-unread",
              Position.OPENFLOW,
              Unit.BYTES,
              60,
              10,
              Messages::hello,
              Messages::echoRequests),
          new Attack(
              "handshake-silence",
              Position.OPENFLOW,
              Unit.CONNECTIONS,
              300,
              0,
              Messages::silence,
              Messages::silence),
          new Attack(
              "malformed-messages",
              Position.OPENFLOW,
              Unit.MESSAGES,
              20,
              1,
              Messages::hello,
              Messages::malformedMessages),
          new Attack(
              "http-drip",
              Position.ADMIN,
              Unit.CONNECTIONS,
              80,
              1,
              Messages::silence,
              Messages::httpDrip),
          new Attack(
              "http-foreign-host",
              Position.ADMIN,
              Unit.MESSAGES,
              20,
              1,
              Messages::silence,
              Messages::foreignHost),
          garbage("http-garbage", Position.ADMIN),
          garbage("store-garbage", Position.STORE),
          new Attack(
              "store-huge-frames",
              Position.STORE,
              Unit.BYTES,
              60,
              10,
              Messages::silence,
              Messages::hugeFrames),
          foreign("foreign-clients", Position.STORE, Messages::foreignClient),
          garbage("replica-garbage", Position.REPLICA),
          foreign("foreign-replicas", Position.REPLICA, Messages::foreignReplica),
          garbage("witness-garbage", Position.WITNESS),
          foreign("foreign-witnesses", Position.WITNESS, Messages::foreignWitness));

  private static final int FAST_PER_TICK = 100;
  private static final int CONNECTIONS = 20;

  /** As fast as a switch of its own can send. */
  private static Attack ofSwitch(String label, Supplier<Consumer<ByteBuf>> messages) {
    return new Attack(
        label, Position.SWITCH, Unit.MESSAGES, 1, FAST_PER_TICK, Messages::silence, messages);
  }

  private static Attack ofHost(String label, Supplier<Consumer<ByteBuf>> messages) {
    return new Attack(label, Position.HOST, Unit.MESSAGES, 1, 1, Messages::silence, messages);
  }

  /** One that writes nothing of its own. */
  private static Attack silent(String label, Position position) {
    return new Attack(label, position, Unit.MESSAGES, 1, 0, Messages::silence, Messages::silence);
  }

  private static Attack garbage(String label, Position position) {
    return new Attack(
        label, position, Unit.BYTES, CONNECTIONS, 1, Messages::silence, Messages::garbage);
  }

  /** One that is refused after its first message, and comes back. */
  private static Attack foreign(
      String label, Position position, Supplier<Consumer<ByteBuf>> greeting) {
    return new Attack(
        label, position, Unit.CONNECTIONS, CONNECTIONS, 0, greeting, Messages::silence);
  }

  /** Where the attacker sits. */
  enum Position {
    /** It has a switch of its own, which the same node masters as the quiet one. */
    SWITCH,
    /** It has such a switch, whose entries are deleted again and again. */
    ENTRIES,
    /** It has such a switch, which shows expired entries and reconnects again and again. */
    EXPIRED,
    /** It has such a switch, which refuses every role and reconnects again and again. */
    ROLES,
    /** It has a host at such a switch of OpenFlow 1.0 and plugs it from port to port. */
    OLD_SWITCH,
    /** It is a host at a port of the quiet switch. */
    HOST,
    /** It has two hosts there, which pass link probes on. */
    RELAY,
    /** It has a switch that says it is the quiet one. */
    TWIN,
    /** It connects to the port for switches, and is none. */
    OPENFLOW,
    /** It connects to the admin HTTP. */
    ADMIN,
    /** It connects to the replica's port for clients. */
    STORE,
    /** It connects to the replica's port for replicas. */
    REPLICA,
    /** It connects to the port by which nodes watch each other. */
    WITNESS;

    /** Whether it needs a played switch of its own. */
    boolean ownSwitch() {
      return this == SWITCH || this == ENTRIES || this == EXPIRED || this == ROLES;
    }
  }

  /** In what an attack is counted. */
  enum Unit {
    MESSAGES,
    BYTES,
    CONNECTIONS;

    /** Its name in results. */
    String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
