package io.lockstep.core.path;

import io.lockstep.core.mastership.SwitchScope;
import java.nio.charset.StandardCharsets;
import org.onlab.packet.VlanId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.criteria.Criterion;

/**
 * The rules of paths as switches get them. A tag is a VLAN: packets without one get it pushed,
 * those with one have it rewritten. Pure.
 */
final class PathRules {
  /** The bits of a rule's id that say that a path owns it; registered applications have less. */
  private static final long OWNER = 0x8a00_0000_0000_0000L;

  private static final long ID_MASK = 0x0000_ffff_ffff_ffffL;
  private static final long FNV_OFFSET = 0xcbf2_9ce4_8422_2325L;
  private static final long FNV_PRIME = 0x0000_0100_0000_01b3L;

  private PathRules() {}

  /**
   * The id of a path's rule at any switch: 48 bits of a hash. Two of a full switch's rules share
   * one with a probability of about 2^-25.
   */
  static long id(String path, int tag) {
    long hash = FNV_OFFSET;
    for (byte octet : path.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (octet & 0xff)) * FNV_PRIME;
    }
    return OWNER | (mixed(hash + tag) & ID_MASK);
  }

  /** The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable generators, 2014). */
  private static long mixed(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d0_49bb_1331_11ebL;
    return mixed ^ (mixed >>> 31);
  }

  /** The rule of a slot. */
  static FlowRule rule(String path, PathFlow flow, SlotRule rule) {
    return DefaultFlowRule.builder()
        .forDevice(SwitchScope.deviceId(rule.slot().dpid()))
        .withCookie(id(path, rule.slot().tag()))
        .forTable(0)
        .withPriority(flow.priority())
        .withSelector(selector(flow, rule.slot().tag()))
        .withTreatment(treatment(flow, rule))
        .makePermanent()
        .build();
  }

  private static TrafficSelector selector(PathFlow flow, int tag) {
    TrafficSelector.Builder selector = DefaultTrafficSelector.builder();
    for (Criterion criterion : flow.selector().criteria()) {
      if (criterion.type() != Criterion.Type.VLAN_VID) {
        selector.add(criterion);
      }
    }
    return selector.matchVlanId(tag == 0 ? flow.vlan() : vlan(tag)).build();
  }

  private static TrafficTreatment treatment(PathFlow flow, SlotRule rule) {
    TrafficTreatment.Builder treatment = DefaultTrafficTreatment.builder();
    boolean untagged = flow.vlan().equals(VlanId.NONE);
    if (rule.slot().tag() != rule.nextTag()) {
      if (rule.nextTag() == 0) {
        if (untagged) {
          treatment.popVlan();
        } else {
          treatment.setVlanId(flow.vlan());
        }
      } else {
        if (untagged) {
          treatment.pushVlan();
        }
        treatment.setVlanId(vlan(rule.nextTag()));
      }
    }
    return treatment.setOutput(PortNumber.portNumber(rule.outPort())).build();
  }

  private static VlanId vlan(int tag) {
    return VlanId.vlanId((short) tag);
  }
}
