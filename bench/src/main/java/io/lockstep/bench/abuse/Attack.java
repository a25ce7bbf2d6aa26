package io.lockstep.bench.abuse;

import io.netty.buffer.ByteBuf;
import java.util.List;
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
          new Attack(
              "flow-removed",
              Way.SWITCH,
              Unit.MESSAGES,
              1,
              100,
              Messages::silence,
              Messages::flowRemoved),
          new Attack(
              "port-status",
              Way.SWITCH,
              Unit.MESSAGES,
              1,
              100,
              Messages::silence,
              Messages::portStatus),
          new Attack(
              "errors", Way.SWITCH, Unit.MESSAGES, 1, 100, Messages::silence, Messages::errors),
          new Attack(
              "packet-ins",
              Way.SWITCH,
              Unit.MESSAGES,
              1,
              100,
              Messages::silence,
              Messages::packetIns),
          new Attack(
              "addresses",
              Way.SWITCH,
              Unit.MESSAGES,
              1,
              100,
              Messages::silence,
              Messages::addresses),
          new Attack(
              "host-moves", Way.SWITCH, Unit.MESSAGES, 1, 100, Messages::silence, Messages::moves),
          new Attack(
              "forged-probes",
              Way.SWITCH,
              Unit.MESSAGES,
              1,
              100,
              Messages::silence,
              Messages::forgedProbes),
          new Attack(
              "malformed-frames",
              Way.SWITCH,
              Unit.MESSAGES,
              1,
              100,
              Messages::silence,
              Messages::malformedFrames),
          new Attack(
              "stolen-addresses",
              Way.HOST,
              Unit.MESSAGES,
              1,
              1,
              Messages::silence,
              Messages::stolenAddresses),
          new Attack(
              "stolen-ips", Way.HOST, Unit.MESSAGES, 1, 1, Messages::silence, Messages::stolenIps),
          new Attack(
              "other-vlan", Way.HOST, Unit.MESSAGES, 1, 1, Messages::silence, Messages::otherVlan),
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
              "same-dpid", Way.TWIN, Unit.MESSAGES, 1, 1, Messages::silence, Messages::errors),
          new Attack(
              "http-drip",
              Way.ADMIN,
              Unit.CONNECTIONS,
              80,
              1,
              Messages::silence,
              Messages::httpDrip),
          new Attack(
              "http-garbage", Way.ADMIN, Unit.BYTES, 20, 1, Messages::silence, Messages::garbage),
          new Attack(
              "store-garbage", Way.STORE, Unit.BYTES, 20, 1, Messages::silence, Messages::garbage),
          new Attack(
              "store-huge-frames",
              Way.STORE,
              Unit.BYTES,
              60,
              10,
              Messages::silence,
              Messages::hugeFrames),
          new Attack(
              "replica-garbage",
              Way.REPLICA,
              Unit.BYTES,
              20,
              1,
              Messages::silence,
              Messages::garbage),
          new Attack(
              "witness-garbage",
              Way.WITNESS,
              Unit.BYTES,
              20,
              1,
              Messages::silence,
              Messages::garbage));

  /** Where the attacker sits. */
  enum Way {
    /** It has a switch of its own, which the same node masters as the quiet one. */
    SWITCH,
    /** It is a host at a port of the quiet switch. */
    HOST,
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
    WITNESS
  }

  /** In what an attack is counted. */
  enum Unit {
    MESSAGES,
    BYTES,
    CONNECTIONS
  }
}
