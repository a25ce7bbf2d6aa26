package io.lockstep.bench.variant;

import io.lockstep.apps.learningswitch.LearnAndForward;
import io.lockstep.apps.learningswitch.LearnInVlan;
import io.lockstep.apps.learningswitch.LearningAccess;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Freshness;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketView;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.Map;

/**
 * The paper's learning switch (section VI-B): one write associates the source with its port, and
 * for a packet to a station one read finds the destination. References, versions and columns change
 * nothing. It learns without VLANs and bounds, never forgets, and does not see that a host moved.
 *
 * @param variant not {@link Variant#OWN}
 */
record LearningVariant(Variant variant) implements LearningAccess {
  /** Dpid and address to the port. */
  static final String TABLE = LearnAndForward.TABLE;

  /** What it needs of the store. */
  static final Map<String, TableSpec> TABLES = Map.of(TABLE, TableSpec.values());

  private static final int ADDRESS_BYTES = 6;
  private static final LearnInVlan.Result UNKNOWN = new LearnInVlan.Result(false, false, false, 0);

  @Override
  public Decision learn(
      PacketView packet, NetworkView network, int vlan, int maxAtPort, Next then) {
    byte[] frame = packet.frame();
    long port = packet.inPort().toLong();
    boolean toGroup = (frame[0] & 1) != 0;
    if (variant == Variant.MICRO && !toGroup) {
      return new Decision.Ask(
          LearnAndForward.command(packet.dpid(), port, frame),
          reply ->
              reply instanceof Reply.Returned returned
                  ? then.decide(packet, network, result(returned.result()))
                  : Decision.DROP);
    }
    Freshness freshness = variant == Variant.CACHE ? Freshness.OWN : Freshness.EXACT;
    Command write =
        new Command.Put(
            TABLE,
            key(packet.dpid(), frame, ADDRESS_BYTES),
            new ByteWriter(4).int32((int) port).toBytes());
    return new Decision.Ask(
        write,
        freshness,
        reply -> {
          if (!(reply instanceof Reply.Applied)) {
            return Decision.DROP;
          }
          return toGroup
              ? then.decide(packet, network, UNKNOWN)
              : find(packet, network, freshness, then);
        });
  }

  private static Decision find(
      PacketView packet, NetworkView network, Freshness freshness, Next then) {
    Command read = new Command.Get(TABLE, key(packet.dpid(), packet.frame(), 0));
    return new Decision.Ask(
        read,
        freshness,
        reply ->
            then.decide(
                packet,
                network,
                reply instanceof Reply.Found found
                    ? new LearnInVlan.Result(false, false, true, port(found.value()))
                    : UNKNOWN));
  }

  private static LearnInVlan.Result result(Bytes returned) {
    LearnAndForward.Result result = LearnAndForward.Result.of(returned);
    return new LearnInVlan.Result(result.moved(), false, result.known(), result.egress());
  }

  private static long port(Bytes value) {
    return Integer.toUnsignedLong(new ByteReader(value).int32());
  }

  private static Bytes key(long dpid, byte[] frame, int addressAt) {
    return new ByteWriter(14).int64(dpid).raw(frame, addressAt, ADDRESS_BYTES).toBytes();
  }
}
