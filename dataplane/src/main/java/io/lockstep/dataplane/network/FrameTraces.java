package io.lockstep.dataplane.network;

import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.packet.Packet;
import io.lockstep.dataplane.wire.NetworkClock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** The traces in progress; costs one look at an empty list per frame while there is none. */
final class FrameTraces implements EmulatedHost.FrameTap {
  private final NetworkClock clock;
  private final List<FrameTrace> traces = new CopyOnWriteArrayList<>();

  FrameTraces(NetworkClock clock) {
    this.clock = clock;
  }

  FrameTrace open(Predicate<Packet> condition) {
    FrameTrace trace = new FrameTrace(condition, this);
    traces.add(trace);
    return trace;
  }

  void remove(FrameTrace trace) {
    traces.remove(trace);
  }

  void record(String station, Hop.Event event, int port, byte[] frame) {
    if (traces.isEmpty()) {
      return;
    }
    for (FrameTrace trace : traces) {
      if (trace.wants(frame)) {
        trace.add(new Hop(clock.nanos(), station, event, port));
      }
    }
  }

  @Override
  public void sent(String host, byte[] frame) {
    record(host, Hop.Event.HOST_SENT, 0, frame);
  }

  @Override
  public void received(String host, byte[] frame) {
    record(host, Hop.Event.HOST_RECEIVED, 0, frame);
  }
}
