package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.model.SwitchPort;
import io.lockstep.dataplane.packet.Mac;
import java.util.Optional;
import java.util.Set;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortMod;

/** Port-mods (OpenFlow 1.0 section 5.3.3, 1.3.5 section 7.3.4.3), which all versions have alike. */
final class PortMods {
  private PortMods() {}

  /**
   * Configures a port. On the switch's event loop.
   *
   * @throws RequestRefused where there is no such port, or it has another address
   */
  static void carryOut(OFPortMod message, SwitchModel model) throws RequestRefused {
    int number = message.getPortNo().getPortNumber();
    SwitchPort port = model.port(number);
    if (port == null) {
      throw new RequestRefused(ModelError.PORT_MOD_BAD_PORT);
    }
    Set<OFPortConfig> mask = message.getMask();
    Set<OFPortConfig> set = message.getConfig();
    SwitchPort.Config now = port.config();
    SwitchPort.Config next =
        new SwitchPort.Config(
            pick(OFPortConfig.PORT_DOWN, mask, set, now.down()),
            pick(OFPortConfig.NO_RECV, mask, set, now.noReceive()),
            pick(OFPortConfig.NO_FWD, mask, set, now.noForward()),
            pick(OFPortConfig.NO_PACKET_IN, mask, set, now.noPacketIn()),
            pick(OFPortConfig.NO_FLOOD, mask, set, now.noFlood()));
    Optional<ModelError> error =
        model.configurePort(number, new Mac(message.getHwAddr().getLong()), next);
    if (error.isPresent()) {
      throw new RequestRefused(error.get());
    }
  }

  private static boolean pick(
      OFPortConfig flag, Set<OFPortConfig> mask, Set<OFPortConfig> set, boolean now) {
    return mask.contains(flag) ? set.contains(flag) : now;
  }
}
