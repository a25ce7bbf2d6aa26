package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.flowtable.FlowRemoved;
import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.dataplane.model.PacketIn;
import io.lockstep.dataplane.model.SwitchEvents.PortReason;
import io.lockstep.dataplane.model.SwitchPort;
import io.netty.buffer.ByteBuf;
import org.projectfloodlight.openflow.protocol.OFMessage;

/** One protocol version, for one connection: carries requests out and encodes notices. */
interface Dialect {
  /**
   * Carries a request out; replies go to the connection before the call returns.
   *
   * @throws RequestRefused for a request that is to be answered with an error
   */
  void request(OFMessage message) throws RequestRefused;

  OFMessage packetIn(PacketIn packetIn);

  OFMessage flowRemoved(FlowRemoved removed);

  OFMessage portStatus(SwitchPort port, PortReason reason);

  /** An echo request that probes a silent controller. */
  OFMessage probe();

  /**
   * An error message.
   *
   * @param xid of the request
   * @param request its first bytes, of which up to 64 are sent back
   */
  ByteBuf error(ModelError error, long xid, ByteBuf request);
}
