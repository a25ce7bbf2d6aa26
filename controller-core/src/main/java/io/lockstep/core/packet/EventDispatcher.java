package io.lockstep.core.packet;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.app.RankedApplication;
import io.lockstep.core.app.TablePicture;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchObserver.PortChange;
import io.lockstep.core.state.Alarm;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.onlab.packet.MacAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.PortDescription;

/**
 * Tells applications what happened at the switches that this node masters, and leads their
 * decisions to the runner. An event goes to all applications, each decides for itself.
 */
public final class EventDispatcher {
  private static final long MORE_PORTS_DOWN_MILLIS = 1_000;

  /** Answers to what was asked of the store are seldom later than this. */
  private static final long LATE_ANSWERS_MILLIS = 3_000;

  private final Map<DeviceId, Lane> lanes;
  private final List<RankedApplication> applications;
  private final Predicate<String> active;
  private final Supplier<? extends NetworkView> network;
  private final DecisionRunner runner;
  private final Alarm alarm;
  private final LongSupplier nanoTime;

  /**
   * A dispatcher.
   *
   * @param lanes of the switches that this node masters; a live view, thread-safe
   * @param active whether an application of this name is to decide now
   * @param alarm may call on any thread
   */
  EventDispatcher(
      Map<DeviceId, Lane> lanes,
      List<RankedApplication> applications,
      Predicate<String> active,
      Supplier<? extends NetworkView> network,
      DecisionRunner runner,
      Alarm alarm,
      LongSupplier nanoTime) {
    this.lanes = lanes;
    this.applications = applications;
    this.active = active;
    this.network = network;
    this.runner = runner;
    this.alarm = alarm;
    this.nanoTime = nanoTime;
  }

  /**
   * This node masters a switch. Ports that are down are told as if they went down now: it may have
   * happened unobserved. On the switch's event loop.
   */
  void mastered(Lane lane) {
    for (RankedApplication application : applications) {
      mastered(application.logic(), lane);
    }
  }

  private void mastered(PacketApplication application, Lane lane) {
    SwitchConnection connection = lane.connection;
    tell(application, lane, new NetworkEvent.Mastered(connection.deviceId()));
    for (PortDescription port : connection.ports()) {
      if (!port.isEnabled()) {
        tell(
            application, lane, new NetworkEvent.PortDown(connection.deviceId(), port.portNumber()));
      }
    }
  }

  /**
   * An application decides again. What it missed it finds out as where this node begins to master a
   * switch. Any thread.
   */
  public void activated(String name) {
    for (RankedApplication application : applications) {
      if (application.name().equals(name)) {
        for (Lane lane : lanes.values()) {
          lane.connection.execute(
              () -> {
                if (lanes.get(lane.connection.deviceId()) == lane) {
                  mastered(application.logic(), lane);
                }
              });
        }
      }
    }
  }

  /** A port of a connected switch changed. On the event loop of its connection. */
  public void portStatus(SwitchConnection connection, PortChange change, PortDescription port) {
    Lane lane = lanes.get(connection.deviceId());
    if (lane == null || lane.connection != connection) {
      return;
    }
    if (change == PortChange.REMOVED || !port.isEnabled()) {
      portDown(lane, port.portNumber());
    }
  }

  /**
   * Reports a port that went down. Each event makes applications ask the store, so beyond {@link
   * Lane#PORTS_DOWN} a second one event reports a change of all paths at the switch, within a
   * second.
   */
  private void portDown(Lane lane, PortNumber port) {
    if (lane.portsDown.take(nanoTime.getAsLong())) {
      tell(lane, new NetworkEvent.PortDown(lane.connection.deviceId(), port));
    } else if (!lane.morePortsDown) {
      lane.morePortsDown = true;
      alarm.after(MORE_PORTS_DOWN_MILLIS, () -> lane.connection.execute(() -> morePortsDown(lane)));
    }
  }

  private void morePortsDown(Lane lane) {
    lane.morePortsDown = false;
    tellCurrent(lane, new NetworkEvent.TreeChanged(lane.connection.deviceId()));
  }

  /** The node wants to hear whether a host is still at a port of a switch. Any thread. */
  public void showSource(SwitchPort place, MacAddress source) {
    Lane lane = lanes.get(place.deviceId());
    if (lane != null) {
      NetworkEvent event =
          new NetworkEvent.SourceDisputed(place.deviceId(), place.portNumber(), source);
      lane.connection.execute(() -> tellCurrent(lane, event));
    }
  }

  /** A host is at another place than this one now, and pictures show it there. Any thread. */
  public void hostMoved(SwitchPort from, MacAddress host) {
    Lane lane = lanes.get(from.deviceId());
    if (lane != null) {
      NetworkEvent event = new NetworkEvent.HostMoved(from.deviceId(), from.portNumber(), host);
      lane.connection.execute(() -> tellCurrent(lane, event));
      alarm.after(
          LATE_ANSWERS_MILLIS, () -> lane.connection.execute(() -> tellCurrent(lane, event)));
    }
  }

  /** Ways along the broadcast tree changed at these switches. Any thread. */
  public void pathsChanged(Set<Long> dpids) {
    for (Lane lane : lanes.values()) {
      if (dpids.contains(lane.connection.dpid()) && lane.pathsChanged.compareAndSet(false, true)) {
        lane.connection.execute(
            () -> {
              lane.pathsChanged.set(false);
              tellCurrent(lane, new NetworkEvent.TreeChanged(lane.connection.deviceId()));
            });
      }
    }
  }

  /**
   * Shows applications that a minute passed, at every switch that this node masters. Any thread.
   */
  public void minutePassed() {
    for (Lane lane : lanes.values()) {
      lane.connection.execute(
          () -> tellCurrent(lane, new NetworkEvent.TimePassed(lane.connection.deviceId())));
    }
  }

  /** Shows an application, at every switch mastered here, that its picture changed. Any thread. */
  public void pictureChanged(
      PacketApplication application, TablePicture<?> picture, Object before, Object now) {
    for (Lane lane : lanes.values()) {
      DeviceId device = lane.connection.deviceId();
      NetworkEvent event = new NetworkEvent.PictureChanged(device, picture, before, now);
      lane.connection.execute(() -> tellOne(application, lane, event));
    }
  }

  /** Shows applications an event unless the lane is no longer the switch's. On its event loop. */
  private void tellCurrent(Lane lane, NetworkEvent event) {
    if (lanes.get(lane.connection.deviceId()) == lane) {
      tell(lane, event);
    }
  }

  private void tell(Lane lane, NetworkEvent event) {
    for (RankedApplication application : applications) {
      tell(application.logic(), lane, event);
    }
  }

  /** Shows one application an event, likewise. */
  void tellOne(PacketApplication application, Lane lane, NetworkEvent event) {
    if (lanes.get(lane.connection.deviceId()) == lane) {
      tell(application, lane, event);
    }
  }

  private void tell(PacketApplication application, Lane lane, NetworkEvent event) {
    if (!active.test(application.name())) {
      return;
    }
    try {
      Decision decision = application.networkEvent(event, network.get());
      if (!(decision instanceof Decision.Pass)) {
        runner.runForEvent(application, lane, event, decision);
      }
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      runner.failed(
          application.name(),
          "failed on an event at " + event.deviceId() + ": " + event.inWords(),
          e);
    }
  }
}
