package io.lockstep.dataplane.flowtable;

import io.lockstep.dataplane.flowtable.Action.DecTtl;
import io.lockstep.dataplane.flowtable.Action.EnsureVlan;
import io.lockstep.dataplane.flowtable.Action.Group;
import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.flowtable.Action.PopVlan;
import io.lockstep.dataplane.flowtable.Action.PushVlan;
import io.lockstep.dataplane.flowtable.Action.SetField;
import io.lockstep.dataplane.flowtable.Action.SetTtl;
import io.lockstep.dataplane.flowtable.Action.StripVlan;
import io.lockstep.dataplane.packet.EtherTypes;
import io.lockstep.dataplane.packet.OxmField;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Checks actions before they are accepted: known ports, settable fields, values in range, and
 * consistency with the match, so that no packet reaches an action it cannot bear (OpenFlow 1.3.5
 * sections 6.4 and 7.2.5).
 */
public final class ActionCheck {
  /** Actions per list; more are refused with TOO_MANY. Keeps a flow statistics entry small. */
  public static final int MAX_ACTIONS = 32;

  private final IntPredicate portExists;
  private final GroupTable groups;

  /**
   * @param portExists whether a physical port number is in use on the switch; asked for NORMAL,
   *     too, which few models have
   * @param groups of the switch
   */
  ActionCheck(IntPredicate portExists, GroupTable groups) {
    this.portExists = portExists;
    this.groups = groups;
  }

  /** The first error in a flow entry's actions, which run in this order on matching packets. */
  public Optional<ModelError> refusal(FlowMatch match, List<Action> actions) {
    boolean tagged = MatchCheck.isTagged(match);
    return check(actions, match, tagged);
  }

  /** The first error in a packet-out's actions: the packet is not known, TABLE is allowed. */
  public Optional<ModelError> refusalOfPacketOut(List<Action> actions) {
    return check(actions, null, true);
  }

  private Optional<ModelError> check(
      List<Action> actions, @Nullable FlowMatch match, boolean startsTagged) {
    if (actions.size() > MAX_ACTIONS) {
      return Optional.of(ModelError.TOO_MANY_ACTIONS);
    }
    boolean tagged = startsTagged;
    for (Action action : actions) {
      ModelError error = null;
      if (action instanceof Output output) {
        error = isPort(output.port(), match == null) ? null : ModelError.BAD_OUT_PORT;
      } else if (action instanceof Group group) {
        error = groups.whyNoAction(group.id());
      } else if (action instanceof SetField set) {
        error = setError(set, match, tagged);
      } else if (action instanceof PushVlan push) {
        boolean tag =
            push.etherType() == EtherTypes.VLAN || push.etherType() == EtherTypes.SERVICE_VLAN;
        error = tag ? null : ModelError.BAD_ARGUMENT;
        tagged = true;
      } else if (action instanceof EnsureVlan) {
        tagged = true;
      } else if (action instanceof StripVlan) {
        tagged = match == null;
      } else if (action instanceof PopVlan) {
        error = tagged ? null : ModelError.MATCH_INCONSISTENT;
        tagged = match == null;
      } else if (action instanceof SetTtl || action instanceof DecTtl) {
        boolean ip = match == null || MatchCheck.prerequisiteHolds(match, OxmField.IP_PROTO);
        error = ip ? null : ModelError.MATCH_INCONSISTENT;
      }
      if (error != null) {
        return Optional.of(error);
      }
    }
    return Optional.empty();
  }

  private boolean isPort(int port, boolean packetOut) {
    return switch (port) {
      case PortNumbers.IN_PORT, PortNumbers.FLOOD, PortNumbers.ALL, PortNumbers.CONTROLLER -> true;
      case PortNumbers.TABLE -> packetOut;
      case PortNumbers.NORMAL -> !packetOut && portExists.test(port);
      default -> PortNumbers.isPhysical(port) && portExists.test(port);
    };
  }

  private static @Nullable ModelError setError(
      SetField set, @Nullable FlowMatch match, boolean tagged) {
    OxmField field = set.field();
    return switch (field) {
      case IN_PORT, METADATA, ETH_TYPE, IP_PROTO -> ModelError.BAD_SET_TYPE;
      case VLAN_VID, VLAN_PCP -> {
        boolean present = field == OxmField.VLAN_PCP || (set.value() & OxmField.VLAN_PRESENT) != 0;
        if (!present || (set.value() & ~field.fullMask()) != 0) {
          yield ModelError.BAD_SET_ARGUMENT;
        }
        yield tagged ? null : ModelError.MATCH_INCONSISTENT;
      }
      default -> {
        if ((set.value() & ~field.fullMask()) != 0) {
          yield ModelError.BAD_SET_ARGUMENT;
        }
        boolean fits = match == null || MatchCheck.prerequisiteHolds(match, field);
        yield fits ? null : ModelError.MATCH_INCONSISTENT;
      }
    };
  }
}
