package io.lockstep.apps.loadbalancer;

import io.lockstep.apps.loadbalancer.state.ExpireConnections;
import io.lockstep.apps.loadbalancer.state.Member;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.app.NetworkView;
import java.util.ArrayList;
import java.util.List;
import org.onlab.packet.MacAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;

/** Which entries go when the network or the configuration changes, and the sweeps. Pure. */
final class BalancerEvents {
  /** Calls of one sweep in a row; then it pauses, so that other questions of the switch go on. */
  private static final int CALLS_IN_A_ROW = 8;

  private static final long SWEEP_PAUSE_MILLIS = 200;
  private static final String SWEEP = "sweep";

  /** Members that are lost at once, of which each is one flow-mod; of more, all entries go. */
  private static final int MOST_LOST = 64;

  private static final TrafficSelector ANY = DefaultTrafficSelector.emptySelector();

  /** All entries but for guards. */
  private static final Instruction ALL =
      new Instruction.RemoveFlows(ANY, 0, ConnectionEntries.GUARD);

  private BalancerEvents() {}

  static Decision decide(NetworkEvent event, NetworkView network) {
    if (event instanceof NetworkEvent.PortDown down) {
      TrafficSelector from = DefaultTrafficSelector.builder().matchInPort(down.port()).build();
      return Decision.act(
          new Instruction.RemoveFlowsTo(down.port()), new Instruction.RemoveFlows(from));
    }
    if (event instanceof NetworkEvent.TreeChanged) {
      return Decision.act(ALL);
    }
    if (event instanceof NetworkEvent.SourceDisputed disputed) {
      return Decision.act(
          new Instruction.RemoveFlows(from(disputed.source())),
          new Instruction.RemoveFlows(to(disputed.source()), 0, ConnectionEntries.GUARD));
    }
    if (event instanceof NetworkEvent.HostMoved moved) {
      return Decision.act(
          new Instruction.RemoveFlows(from(moved.host())),
          new Instruction.RemoveFlows(to(moved.host())));
    }
    if (event instanceof NetworkEvent.PictureChanged changed
        && changed.before() instanceof ServicePicture before
        && changed.now() instanceof ServicePicture now) {
      List<Instruction> steps = lost(before.lostIn(now), now);
      if (!before.hasSameMembersAs(now)) {
        steps.addAll(HealthProbes.begin(event.deviceId(), now, network));
      }
      return steps.isEmpty() ? Decision.PASS : new Decision.Act(steps);
    }
    ServicePicture services = network.picture(ServicePicture.PICTURE);
    if (services.isEmpty()) {
      return Decision.PASS;
    }
    if (event instanceof NetworkEvent.Mastered) {
      return new Decision.Act(HealthProbes.begin(event.deviceId(), services, network));
    }
    if (event instanceof NetworkEvent.TimePassed) {
      return sweep(1, everyMinute(event.deviceId(), services, network));
    }
    if (event instanceof NetworkEvent.TimerExpired timer) {
      Decision probed = HealthProbes.expired(timer, services, network);
      return probed != null ? probed : sweep(1, List.of());
    }
    return Decision.PASS;
  }

  private static TrafficSelector from(MacAddress host) {
    return DefaultTrafficSelector.builder().matchEthSrc(host).build();
  }

  private static TrafficSelector to(MacAddress host) {
    return DefaultTrafficSelector.builder().matchEthDst(host).build();
  }

  /** Hosts appear without an event, so what is probed is looked at each minute. */
  private static List<Instruction> everyMinute(
      DeviceId device, ServicePicture services, NetworkView network) {
    List<Instruction> steps = new ArrayList<>();
    steps.addAll(HealthProbes.begin(device, services, network));
    boolean isFirst =
        network.links().stream()
            .allMatch(link -> device.toString().compareTo(link.from().deviceId().toString()) <= 0);
    if (isFirst) {
      steps.addAll(HealthProbes.findLost(device, services, network));
    }
    return steps;
  }

  /**
   * Removes the entries of members that are lost; what comes up then is decided anew. Guards go
   * only where no member has this address any more.
   */
  private static List<Instruction> lost(List<Member> members, ServicePicture now) {
    List<Instruction> removals = new ArrayList<>();
    if (members.size() > MOST_LOST) {
      removals.add(ALL);
      return removals;
    }
    for (Member member : members) {
      boolean isGone =
          now.membersAt(member.ip()).stream().noneMatch(other -> other.port() == member.port());
      removals.add(
          new Instruction.RemoveFlows(
              ANY,
              ConnectionEntries.tag(member.ip(), member.port()),
              isGone ? ConnectionEntries.MEMBER_BITS : Instruction.InstallFlow.MAX_TAG));
    }
    return removals;
  }

  /**
   * Goes on with the sweep.
   *
   * @param then what is done at its end
   */
  private static Decision sweep(int calls, List<Instruction> then) {
    return new Decision.Ask(
        ExpireConnections.command(),
        reply -> {
          if (!ExpireConnections.goesOn(reply)) {
            return new Decision.Act(then);
          }
          if (calls < CALLS_IN_A_ROW) {
            return sweep(calls + 1, then);
          }
          List<Instruction> steps = new ArrayList<>(then);
          steps.add(new Instruction.StartTimer(SWEEP, SWEEP_PAUSE_MILLIS));
          return new Decision.Act(steps);
        });
  }
}
