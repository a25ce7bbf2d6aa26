package io.lockstep.core.packet;

import io.lockstep.core.app.NetworkView;
import io.lockstep.core.flow.FlowDoor;
import io.lockstep.core.flow.RulesInNode;
import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.placed.LogicalRule;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;

/**
 * Applies the rules that a switch does not have to the packets that matched no entry there, where
 * an operator configured that, up to the configured rate. What is above it is dropped. On the
 * switch's event loop.
 */
final class RuleServing {
  private static final byte[] NO_DATA = {};

  private final FlowDoor flows;
  private final Supplier<? extends NetworkView> network;
  private final LongSupplier nanoTime;

  RuleServing(FlowDoor flows, Supplier<? extends NetworkView> network, LongSupplier nanoTime) {
    this.flows = flows;
    this.network = network;
    this.nanoTime = nanoTime;
  }

  /** What became of the packet; null where no such rule matches it, so that others decide. */
  @Nullable PacketResult serve(Lane lane, FrameView view) {
    RulesInNode rules = flows.inNode(lane.connection);
    PacketIn packet = view.packet();
    if (rules == null || !matchedNothing(packet)) {
      return null;
    }
    TrafficTreatment treatment = rules.treatment(packet.inPort().toLong(), packet.data());
    if (treatment == null || !isServed(treatment)) {
      return null;
    }
    TokenBucket bucket = lane.inNode;
    long now = nanoTime.getAsLong();
    if (bucket == null) {
      bucket = new TokenBucket(rules.packetsPerSecond(), rules.packetsPerSecond(), now);
      lane.inNode = bucket;
    }
    return bucket.take(now) ? send(view, treatment) : PacketResult.OVER_NODE_RATE;
  }

  /** Of an entry that sends packets to the node, the reason and the cookie are others. */
  private static boolean matchedNothing(PacketIn packet) {
    return packet.reason() == PacketIn.Reason.NO_MATCH || packet.cookie() == Cookies.TABLE_MISS;
  }

  /** Rules that send packets to the node, and what no packet-out can say, are left to others. */
  private static boolean isServed(TrafficTreatment treatment) {
    if (treatment.immediate().size() < treatment.allInstructions().size()) {
      return false;
    }
    for (Instruction one : treatment.immediate()) {
      if (one instanceof OutputInstruction output && output.port().isLogical()) {
        boolean isPort =
            PacketTreatments.isFlood(output.port()) || output.port().equals(PortNumber.IN_PORT);
        if (!isPort) {
          return false;
        }
      }
    }
    return true;
  }

  private PacketResult send(FrameView view, TrafficTreatment treatment) {
    PacketIn packet = view.packet();
    boolean buffered = packet.bufferId() != PacketIn.NO_BUFFER;
    if (!LogicalRule.sendsToPorts(treatment)) {
      boolean released =
          !buffered
              || view.connection()
                  .packetOut(new PacketOut(packet.bufferId(), packet.inPort(), List.of(), NO_DATA));
      return released ? PacketResult.SERVED_IN_NODE : PacketResult.SEND_REFUSED;
    }
    if (!buffered && packet.data().length < packet.totalLength()) {
      return PacketResult.TRUNCATED;
    }
    TrafficTreatment out =
        PacketTreatments.ofPacket(network.get(), view.deviceId(), view.inPort(), treatment);
    return view.connection()
            .packetOut(
                new PacketOut(
                    packet.bufferId(), packet.inPort(), out, buffered ? NO_DATA : packet.data()))
        ? PacketResult.SERVED_IN_NODE
        : PacketResult.SEND_REFUSED;
  }
}
