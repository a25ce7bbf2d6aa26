package io.lockstep.openflow.channel.translate;

import java.util.Set;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.Port;
import org.onosproject.net.device.DefaultPortDescription;
import org.onosproject.net.device.PortDescription;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortFeatures;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.protocol.OFVersion;

/** From OpenFlow port descriptions (OpenFlow 1.3.5 section 7.2.1) to onos-api's. */
public final class PortTranslation {
  private static final long KILOBITS_PER_MEGABIT = 1000;

  private PortTranslation() {}

  /** The description; speed in Mbit/s, 0 where the switch does not know it. */
  public static PortDescription toDescription(OFPortDesc port, boolean removed) {
    return DefaultPortDescription.builder()
        .withPortNumber(PortNumbers.fromWire(port.getPortNo().getPortNumber()))
        .isEnabled(
            !removed
                && !port.getConfig().contains(OFPortConfig.PORT_DOWN)
                && !port.getState().contains(OFPortState.LINK_DOWN))
        .isRemoved(removed)
        .type(port.getCurr().contains(OFPortFeatures.PF_FIBER) ? Port.Type.FIBER : Port.Type.COPPER)
        .portSpeed(megabits(port))
        .annotations(
            DefaultAnnotations.builder()
                .set(AnnotationKeys.PORT_NAME, port.getName())
                .set(AnnotationKeys.PORT_MAC, port.getHwAddr().toString())
                .build())
        .build();
  }

  private static long megabits(OFPortDesc port) {
    // OpenFlow 1.0 says the speed by features only.
    if (port.getVersion() != OFVersion.OF_10 && port.getCurrSpeed() > 0) {
      return port.getCurrSpeed() / KILOBITS_PER_MEGABIT;
    }
    Set<OFPortFeatures> features = port.getCurr();
    if (features.contains(OFPortFeatures.PF_1TB_FD)) {
      return 1_000_000;
    }
    if (features.contains(OFPortFeatures.PF_100GB_FD)) {
      return 100_000;
    }
    if (features.contains(OFPortFeatures.PF_40GB_FD)) {
      return 40_000;
    }
    if (features.contains(OFPortFeatures.PF_10GB_FD)) {
      return 10_000;
    }
    if (features.contains(OFPortFeatures.PF_1GB_FD)
        || features.contains(OFPortFeatures.PF_1GB_HD)) {
      return 1000;
    }
    if (features.contains(OFPortFeatures.PF_100MB_FD)
        || features.contains(OFPortFeatures.PF_100MB_HD)) {
      return 100;
    }
    return features.contains(OFPortFeatures.PF_10MB_FD)
            || features.contains(OFPortFeatures.PF_10MB_HD)
        ? 10
        : 0;
  }
}
