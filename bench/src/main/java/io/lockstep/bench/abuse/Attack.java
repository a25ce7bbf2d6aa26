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
 * @param way where the attacker sits
 * @param unit in what it is counted
 * @param connections how many at once; one that is closed is opened anew
 * @param perTick messages on each connection in each turn of the generator
 * @param greeting what is sent once on each new connection
 * @param messages what is sent again and again; each call begins the sequence anew
 */
record Attack(
    String label,
    Way way,
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
          silent("lost-entries", Way.ENTRIES),
          silent("revived-entries", Way.EXPIRED),
          silent("refused-roles", Way.ROLES),
          silent("old-protocol-moves", Way.OLD_SWITCH),
          ofHost("stolen-addresses", Messages::stolenAddresses),
          ofHost("stolen-ips", Messages::stolenIps),
          ofHost("other-vlan", Messages::otherVlan),
          silent("relayed-probes", Way.RELAY),
          new Attack(
              "same-dpid", Way.TWIN, Unit.MESSAGES, 1, 1, Messages::silence, Messages::errors),
          new Attack(
              "echo-unread",
              Way.OPENFLOW,
              Unit.BYTES,
              60,
              10,
              Messages::hello,
              Messages::echoRequests),
          new Attack(
              "handshake-silence",
              Way.OPENFLOW,
              Unit.CONNECTIONS,
              300,
              0,
              Messages::silence,
              Messages::silence),
          new Attack(
              "malformed-messages",
              Way.OPENFLOW,
              Unit.MESSAGES,
              20,
              1,
              Messages::hello,
              Messages::malformedMessages),
          new Attack(
              "http-drip",
              Way.ADMIN,
              Unit.CONNECTIONS,
              80,
              1,
              Messages::silence,
              Messages::httpDrip),
          new Attack(
              "http-foreign-host",
              Way.ADMIN,
              Unit.MESSAGES,
              20,
              1,
              Messages::silence,
              Messages::foreignHost),
          garbage("http-garbage", Way.ADMIN),
          garbage("store-garbage", Way.STORE),
          new Attack(
              "store-huge-frames",
              Way.STORE,
              Unit.BYTES,
              60,
              10,
              Messages::silence,
              Messages::hugeFrames),
          foreign("foreign-clients", Way.STORE, Messages::foreignClient),
          garbage("replica-garbage", Way.REPLICA),
          foreign("foreign-replicas", Way.REPLICA, Messages::foreignReplica),
          garbage("witness-garbage", Way.WITNESS),
          foreign("foreign-witnesses", Way.WITNESS, Messages::foreignWitness));

  private static final int FAST_PER_TICK = 100;
  private static final int CONNECTIONS = 20;

  /** As fast as a switch of its own can send. */
  private static Attack ofSwitch(String label, Supplier<Consumer<ByteBuf>> messages) {
    return new Attack(
        label, Way.SWITCH, Unit.MESSAGES, 1, FAST_PER_TICK, Messages::silence, messages);
  }

  private static Attack ofHost(String label, Supplier<Consumer<ByteBuf>> messages) {
    return new Attack(label, Way.HOST, Unit.MESSAGES, 1, 1, Messages::silence, messages);
  }

  /** One that writes nothing of its own. */
  private static Attack silent(String label, Way way) {
    return new Attack(label, way, Unit.MESSAGES, 1, 0, Messages::silence, Messages::silence);
  }

  private static Attack garbage(String label, Way way) {
    return new Attack(label, way, Unit.BYTES, CONNECTIONS, 1, Messages::silence, Messages::garbage);
  }

  /** One that is refused after its first message, and comes back. */
  private static Attack foreign(String label, Way way, Supplier<Consumer<ByteBuf>> greeting) {
    return new Attack(label, way, Unit.CONNECTIONS, CONNECTIONS, 0, greeting, Messages::silence);
  }

  /** Where the attacker sits. */
  enum Way {
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
