package io.lockstep.core.packet;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.link.LldpCodec;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchFeatures;
import java.util.List;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;

/**
 * The entries that make a switch send packets up at all. An ADD with the match and priority of an
 * existing entry replaces it by its equal and keeps its counters (OpenFlow 1.3.5 section 6.4), so
 * sending them at every take-over changes nothing that is right.
 */
final class PuntRules {

  /** Above every rule of an application: discovery cannot be switched off by accident. */
  static final int DISCOVERY_PRIORITY = 65_535;

  private static final int MISS_PRIORITY = 0;

  private PuntRules() {}

  /**
   * The table-miss entry and the one for LLDP. OpenFlow 1.0 has no table-miss entry: what matches
   * nothing goes up by itself (section 3.4), and an entry that says so would take hardware's room.
   */
  static List<FlowMod> of(SwitchFeatures features) {
    TrafficTreatment punt = DefaultTrafficTreatment.builder().punt().build();
    FlowMod discovery = add(DISCOVERY_PRIORITY, lldp(), punt);
    return features.isOpenFlow10()
        ? List.of(discovery)
        : List.of(add(MISS_PRIORITY, DefaultTrafficSelector.emptySelector(), punt), discovery);
  }

  /**
   * What asks for the entries of {@link #of}: by their cookie where the switch can select by it
   * (OpenFlow 1.3.5 section 7.3.5.2), by match in OpenFlow 1.0. The answer may hold others.
   */
  static FlowMod question(SwitchFeatures features) {
    TrafficSelector selector =
        features.isOpenFlow10() ? lldp() : DefaultTrafficSelector.emptySelector();
    return new FlowMod(
        FlowMod.Operation.DELETE,
        0,
        0,
        Cookies.SYSTEM,
        Cookies.OWNER_MASK,
        0,
        0,
        false,
        PacketIn.NO_BUFFER,
        selector,
        DefaultTrafficTreatment.emptyTreatment());
  }

  /** What people call an entry of {@link #of}. */
  static String name(FlowMod rule) {
    return rule.priority() == DISCOVERY_PRIORITY ? "the discovery entry" : "the table-miss entry";
  }

  private static TrafficSelector lldp() {
    return DefaultTrafficSelector.builder().matchEthType((short) LldpCodec.ETHER_TYPE).build();
  }

  private static FlowMod add(int priority, TrafficSelector selector, TrafficTreatment treatment) {
    return new FlowMod(
        FlowMod.Operation.ADD,
        0,
        priority,
        Cookies.SYSTEM,
        0,
        0,
        0,
        false,
        PacketIn.NO_BUFFER,
        selector,
        treatment);
  }
}
