package io.lockstep.core.device;

import io.lockstep.core.mastership.SwitchScope;
import io.lockstep.core.state.ListenerRegistry;
import io.lockstep.core.statistics.SwitchStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.ChassisId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.DefaultPort;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.MastershipRole;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.device.PortStatistics;
import org.onosproject.net.provider.ProviderId;

/**
 * onos-api's device service over the node's views. Thread-safe; events tell what the store says, on
 * every node.
 *
 * <p>Port statistics are weaker than linearizable: only the node that masters a switch has them, as
 * {@link SwitchStatistics} says, and only that node posts {@code PORT_STATS_UPDATED}.
 */
public final class StoreDeviceService implements DeviceService {
  private static final ProviderId PROVIDER = new ProviderId("of", "io.lockstep.openflow");

  private final Devices devices;
  private final MastershipService mastership;
  private final SwitchStatistics statistics;
  private final ListenerRegistry<DeviceEvent, DeviceListener> listeners;
  private final ConcurrentHashMap<DeviceId, Known> known = new ConcurrentHashMap<>();

  /** A switch and its ports, built once for each change of a record. */
  private static final class Known {
    private final Map<PortNumber, Port> ports = new ConcurrentSkipListMap<>(BY_NUMBER);
    private volatile @Nullable Device device;
  }

  private static final java.util.Comparator<PortNumber> BY_NUMBER =
      java.util.Comparator.comparingLong(PortNumber::toLong);

  /** A service over the views of {@code devices}; events are delivered on {@code events}. */
  public StoreDeviceService(
      Devices devices, MastershipService mastership, SwitchStatistics statistics, Executor events) {
    this.devices = devices;
    this.mastership = mastership;
    this.statistics = statistics;
    this.listeners = new ListenerRegistry<>(events);
    devices.devices().addListener(this::deviceChanged);
    devices.ports().addListener(this::portChanged);
    statistics.addListener(this::portsCounted);
  }

  @Override
  public int getDeviceCount() {
    return devices.devices().size();
  }

  @Override
  public int getAvailableDeviceCount() {
    int count = 0;
    for (Device ignored : getAvailableDevices()) {
      count++;
    }
    return count;
  }

  @Override
  public Iterable<Device> getDevices() {
    List<Device> all = new ArrayList<>();
    for (Known one : known.values()) {
      Device device = one.device;
      if (device != null) {
        all.add(device);
      }
    }
    return all;
  }

  @Override
  public Iterable<Device> getDevices(Device.Type type) {
    return type == Device.Type.SWITCH ? getDevices() : List.of();
  }

  @Override
  public Iterable<Device> getAvailableDevices() {
    List<Device> available = new ArrayList<>();
    for (Device device : getDevices()) {
      if (isAvailable(device.id())) {
        available.add(device);
      }
    }
    return available;
  }

  @Override
  public Iterable<Device> getAvailableDevices(Device.Type type) {
    return type == Device.Type.SWITCH ? getAvailableDevices() : List.of();
  }

  /** Null where no such switch is known, as onos-api has it. */
  @Override
  @SuppressWarnings("NullAway") // onos-api answers null and says so only in its documentation.
  public Device getDevice(DeviceId deviceId) {
    Known one = known.get(deviceId);
    return one == null ? null : one.device;
  }

  @Override
  public MastershipRole getRole(DeviceId deviceId) {
    return mastership.getLocalRole(deviceId);
  }

  @Override
  public List<Port> getPorts(DeviceId deviceId) {
    Known one = known.get(deviceId);
    return one == null ? List.of() : List.copyOf(one.ports.values());
  }

  /** Null where no such port is known, as onos-api has it. */
  @Override
  @SuppressWarnings("NullAway") // As above.
  public Port getPort(DeviceId deviceId, PortNumber portNumber) {
    Known one = known.get(deviceId);
    return one == null ? null : one.ports.get(portNumber);
  }

  /**
   * Empty on nodes that do not master the switch, and while no answer of the switch is younger than
   * 15 s. A counter that the switch does not have is -1; so is the duration of OpenFlow 1.0.
   */
  @Override
  public List<PortStatistics> getPortStatistics(DeviceId deviceId) {
    return statistics.ports(deviceId);
  }

  /**
   * What was counted between the switch's last two answers, some 5 s apart; the duration is the
   * time between them. Empty as {@link #getPortStatistics}, and until the second answer.
   */
  @Override
  public List<PortStatistics> getPortDeltaStatistics(DeviceId deviceId) {
    return statistics.portDeltas(deviceId);
  }

  /** Null where {@link #getPortStatistics} does not have the port. */
  @Override
  @SuppressWarnings("NullAway") // As above.
  public PortStatistics getStatisticsForPort(DeviceId deviceId, PortNumber portNumber) {
    return statistics.port(deviceId, portNumber);
  }

  /** Null where {@link #getPortDeltaStatistics} does not have the port. */
  @Override
  @SuppressWarnings("NullAway") // As above.
  public PortStatistics getDeltaStatisticsForPort(DeviceId deviceId, PortNumber portNumber) {
    return statistics.portDelta(deviceId, portNumber);
  }

  @Override
  public boolean isAvailable(DeviceId deviceId) {
    DeviceRecord record = record(deviceId);
    return record != null && record.available();
  }

  @Override
  public String localStatus(DeviceId deviceId) {
    DeviceRecord record = record(deviceId);
    if (record == null) {
      return "unknown";
    }
    return (record.available() ? "available" : "not available")
        + ", last written by "
        + record.node();
  }

  /** In milliseconds since 1970; 0 where the switch is not known. */
  @Override
  public long getLastUpdatedInstant(DeviceId deviceId) {
    DeviceRecord record = record(deviceId);
    return record == null ? 0 : record.changedMillis();
  }

  @Override
  public void addListener(DeviceListener listener) {
    listeners.addListener(listener);
  }

  @Override
  public void removeListener(DeviceListener listener) {
    listeners.removeListener(listener);
  }

  private @Nullable DeviceRecord record(DeviceId deviceId) {
    return SwitchScope.isSwitch(deviceId)
        ? devices.devices().known(SwitchScope.dpid(deviceId))
        : null;
  }

  private void deviceChanged(long dpid, @Nullable DeviceRecord old, @Nullable DeviceRecord now) {
    DeviceId id = SwitchScope.deviceId(dpid);
    if (now == null) {
      Known gone = known.remove(id);
      Device device = gone == null ? null : gone.device;
      if (device != null) {
        listeners.post(new DeviceEvent(DeviceEvent.Type.DEVICE_REMOVED, device));
      }
      return;
    }
    Device device = device(id, dpid, now);
    known.computeIfAbsent(id, absent -> new Known()).device = device;
    if (old == null) {
      listeners.post(new DeviceEvent(DeviceEvent.Type.DEVICE_ADDED, device));
      return;
    }
    if (!old.features().equals(now.features())) {
      listeners.post(new DeviceEvent(DeviceEvent.Type.DEVICE_UPDATED, device));
    }
    if (old.available() != now.available()) {
      listeners.post(new DeviceEvent(DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED, device));
    }
  }

  private void portsCounted(DeviceId id) {
    Known one = known.get(id);
    Device device = one == null ? null : one.device;
    if (device != null) {
      listeners.post(new DeviceEvent(DeviceEvent.Type.PORT_STATS_UPDATED, device));
    }
  }

  private void portChanged(PortTable.Key key, @Nullable PortRecord old, @Nullable PortRecord now) {
    Known one = known.get(SwitchScope.deviceId(key.dpid()));
    Device device = one == null ? null : one.device;
    if (one == null || device == null) {
      return;
    }
    PortNumber number = PortNumber.portNumber(key.port());
    if (now == null) {
      Port gone = one.ports.remove(number);
      if (gone != null) {
        listeners.post(new DeviceEvent(DeviceEvent.Type.PORT_REMOVED, device, gone));
      }
      return;
    }
    Port port = port(device, key.port(), now);
    Port before = one.ports.put(number, port);
    listeners.post(
        new DeviceEvent(
            before == null ? DeviceEvent.Type.PORT_ADDED : DeviceEvent.Type.PORT_UPDATED,
            device,
            port));
  }

  private static Device device(DeviceId id, long dpid, DeviceRecord record) {
    return new DefaultDevice(
        PROVIDER,
        id,
        Device.Type.SWITCH,
        record.features().manufacturer(),
        record.features().hardware(),
        record.features().software(),
        record.features().serialNumber(),
        new ChassisId(dpid),
        DefaultAnnotations.builder()
            .set(AnnotationKeys.PROTOCOL, record.features().protocol())
            .set(AnnotationKeys.CHANNEL_ID, record.features().remoteAddress())
            .set(AnnotationKeys.DATAPATH_DESCRIPTION, record.features().datapath())
            .build());
  }

  private static Port port(Device device, long number, PortRecord record) {
    PortNumber name =
        record.name().isEmpty()
            ? PortNumber.portNumber(number)
            : PortNumber.portNumber(number, record.name());
    return new DefaultPort(
        device,
        name,
        record.enabled(),
        record.type(),
        record.speedMbps(),
        DefaultAnnotations.builder().set(AnnotationKeys.PORT_NAME, record.name()).build());
  }
}
