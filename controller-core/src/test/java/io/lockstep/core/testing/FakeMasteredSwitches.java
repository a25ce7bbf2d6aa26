package io.lockstep.core.testing;

import io.lockstep.core.mastership.MasteredSwitches;
import io.lockstep.core.southbound.SwitchConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;

/** The switches that the test lets a node master. */
public final class FakeMasteredSwitches implements MasteredSwitches {
  private final Map<DeviceId, SwitchConnection> mastered = new HashMap<>();
  private final Map<DeviceId, Long> epochs = new HashMap<>();
  private final List<Listener> listeners = new ArrayList<>();

  public void grant(SwitchConnection connection, long epoch) {
    mastered.put(connection.deviceId(), connection);
    epochs.put(connection.deviceId(), epoch);
    listeners.forEach(listener -> listener.gained(connection, epoch));
  }

  public void take(SwitchConnection connection) {
    mastered.remove(connection.deviceId());
    epochs.remove(connection.deviceId());
    listeners.forEach(listener -> listener.lost(connection, "taken"));
  }

  /** The lease ran out; nobody has been told yet. */
  public void suspend(SwitchConnection connection) {
    mastered.remove(connection.deviceId());
  }

  /** Another epoch of which nobody has been told yet. */
  public void setEpoch(SwitchConnection connection, long epoch) {
    epochs.put(connection.deviceId(), epoch);
  }

  @Override
  public @Nullable SwitchConnection mastered(DeviceId device) {
    return mastered.get(device);
  }

  @Override
  public long epoch(DeviceId device) {
    return epochs.getOrDefault(device, -1L);
  }

  @Override
  public @Nullable SwitchConnection connected(DeviceId device) {
    return mastered.get(device);
  }

  @Override
  public void addListener(Listener listener) {
    listeners.add(listener);
  }
}
