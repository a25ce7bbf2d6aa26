package io.lockstep.dataplane.model;

import io.lockstep.dataplane.flowtable.FlowRemoved;
import java.util.ArrayList;
import java.util.List;

/** What a switch model did, as text. */
final class RecordedEvents implements SwitchEvents {
  final List<String> out = new ArrayList<>();
  final List<byte[]> frames = new ArrayList<>();
  final List<PacketIn> packetIns = new ArrayList<>();
  final List<String> ports = new ArrayList<>();
  int deadlineChanges;
  boolean channel = true;

  @Override
  public void transmit(int port, byte[] frame) {
    out.add(Integer.toString(port));
    frames.add(frame);
  }

  @Override
  public void packetIn(PacketIn packetIn) {
    out.add("controller " + packetIn.reason());
    packetIns.add(packetIn);
  }

  @Override
  public void flowRemoved(FlowRemoved removed) {
    out.add("removed");
  }

  @Override
  public void portChanged(SwitchPort port, PortReason reason) {
    if (reason == PortReason.MODIFIED) {
      ports.add(port.number() + (port.linkUp() ? " link up" : " link down"));
    }
  }

  @Override
  public void deadlineChanged() {
    deadlineChanges++;
  }

  @Override
  public void channelAllowed(boolean allowed) {
    channel = allowed;
  }

  @Override
  public void dropped(int inPort, byte[] frame, Drop why) {
    out.add("dropped " + why);
  }
}
