package io.lockstep.dataplane.traffic;

import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.flowtable.Pipeline;
import io.lockstep.dataplane.flowtable.Pipeline.Origin;
import io.lockstep.dataplane.flowtable.Pipeline.Traversal;
import io.lockstep.dataplane.flowtable.PortNumbers;
import io.lockstep.dataplane.model.SoftwarePath;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.packet.Packet;
import java.util.HashMap;
import java.util.Map;

/**
 * A switch model between links at its line rate: carries packets from port to port by its tables.
 * Packets for controllers are lost here.
 */
public final class SwitchUnderTest {
  /** A packet that does not arrive. */
  public static final long LOST = Long.MIN_VALUE;

  /** A port's buffer: some 1.5 MB at 1 Gbit/s. */
  private static final long PORT_QUEUE_NANOS = 12_000_000;

  private final SwitchModel model;
  private final VirtualTime time;
  private final Map<Integer, Link> egress = new HashMap<>();

  public SwitchUnderTest(SwitchModel model, VirtualTime time) {
    this.model = model;
    this.time = time;
  }

  public SwitchModel model() {
    return model;
  }

  public VirtualTime time() {
    return time;
  }

  /**
   * A packet arrives at a port.
   *
   * @param frame its headers; the rest may be left out
   * @param bytes of the whole frame
   * @param arrived called when it has arrived at the other end of the link of a port; not called
   *     for a packet that is lost
   */
  public void receive(int port, byte[] frame, int bytes, Delivery arrived) {
    long now = time.nowNanos();
    model.expire(now);
    if (model.instance() == SwitchModel.Instance.RUNNING) {
      Packet packet = new Packet(frame, port);
      model.pipeline().process(packet, now, new Carrying(port, bytes, arrived, model.pipeline()));
    }
  }

  /** Where a packet arrives. */
  @FunctionalInterface
  public interface Delivery {
    /**
     * The packet is at the other end of the link of a port.
     *
     * @param port of the switch
     */
    void at(int port);
  }

  private final class Carrying implements Pipeline.Exit {
    private final int inPort;
    private final int bytes;
    private final Delivery arrived;
    private final Pipeline pipeline;

    Carrying(int inPort, int bytes, Delivery arrived, Pipeline pipeline) {
      this.inPort = inPort;
      this.bytes = bytes;
      this.arrived = arrived;
      this.pipeline = pipeline;
    }

    @Override
    public void output(Packet packet, Output output, Origin origin) {
      int port = output.port();
      if (!PortNumbers.isPhysical(port) || port == inPort) {
        return;
      }
      Link link =
          egress.computeIfAbsent(
              port, each -> new Link(model.profile().lineRateMbit(), PORT_QUEUE_NANOS));
      long outNanos = link.send(bytes, time.nowNanos());
      if (outNanos != LOST) {
        time.at(outNanos, () -> arrived.at(port));
      }
    }

    @Override
    public void toProcessor(Traversal traversal) {
      SoftwarePath software = model.software();
      long dueNanos = software == null ? LOST : software.admit(time.nowNanos());
      if (dueNanos != SoftwarePath.DROPPED) {
        time.at(dueNanos, () -> resume(traversal));
      }
    }

    private void resume(Traversal traversal) {
      // The tables may be others by now: OpenFlow was disabled meanwhile.
      if (model.pipeline() == pipeline) {
        model.expire(time.nowNanos());
        pipeline.resume(traversal, time.nowNanos(), this);
      }
    }

    @Override
    public void stuck(Packet packet) {
      // Lost: nothing arrives.
    }

    @Override
    public void missed(Packet packet, int tableId) {
      // Lost: nothing arrives.
    }

    @Override
    public void invalidTtl(Packet packet, Origin origin) {
      // Lost: nothing arrives.
    }
  }
}
