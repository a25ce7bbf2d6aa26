package io.lockstep.core.path;

import io.lockstep.core.app.Instruction.InstallFlow;
import io.lockstep.core.flow.entry.SelectorCodec;
import io.lockstep.store.codec.ByteWriter;
import java.util.EnumSet;
import java.util.Set;
import org.onlab.packet.VlanId;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.VlanIdCriterion;

/**
 * The packets that take a path.
 *
 * @param selector what they are, as they come from the host, with one VLAN or without; at most
 *     {@link #MAX_CRITERIA} criteria, none of them the ingress port, metadata, or a priority of a
 *     VLAN
 * @param priority of all rules of the path, 0 to {@link InstallFlow#MAX_PRIORITY}
 */
public record PathFlow(TrafficSelector selector, int priority) {
  /** Criteria at most. */
  public static final int MAX_CRITERIA = 16;

  private static final Set<Criterion.Type> REFUSED =
      EnumSet.of(
          Criterion.Type.IN_PORT,
          Criterion.Type.IN_PHY_PORT,
          Criterion.Type.METADATA,
          Criterion.Type.VLAN_PCP);

  public PathFlow {
    if (priority < 0 || priority > InstallFlow.MAX_PRIORITY) {
      throw new IllegalArgumentException(
          "priority " + priority + " is not within 0 to " + InstallFlow.MAX_PRIORITY);
    }
    if (selector.criteria().size() > MAX_CRITERIA) {
      throw new IllegalArgumentException(
          selector.criteria().size()
              + " criteria in the flow of a path: at most "
              + MAX_CRITERIA
              + " are allowed");
    }
    for (Criterion criterion : selector.criteria()) {
      if (REFUSED.contains(criterion.type())) {
        throw new IllegalArgumentException(
            "criterion "
                + criterion.type()
                + " cannot be in the flow of a path: all its switches match the same flow");
      }
    }
    if (vlan(selector).equals(VlanId.ANY)) {
      throw new IllegalArgumentException("a path is for one VLAN or for untagged packets");
    }
    // A criterion without a code fails here, not in a batch that others share.
    SelectorCodec.write(selector, new ByteWriter());
  }

  /** The VLAN of the packets as they come from the host; {@link VlanId#NONE} for untagged ones. */
  VlanId vlan() {
    return vlan(selector);
  }

  private static VlanId vlan(TrafficSelector selector) {
    return selector.getCriterion(Criterion.Type.VLAN_VID) instanceof VlanIdCriterion criterion
        ? criterion.vlanId()
        : VlanId.NONE;
  }
}
