package io.lockstep.core.packet;

import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.state.Alarm;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The timers that applications run at switches. Called on the event loop of the switch.
 *
 * <p>Each switch has one alarm, however often its timers are started: it looks at them at least
 * each {@value #LOOK_MILLIS} ms while one runs. So a timer ends up to that much late, and an
 * application that starts one with each packet leaves no alarms behind.
 */
final class ApplicationTimers {
  /** A timer may end so much late, in milliseconds. */
  static final long LOOK_MILLIS = 100;

  private final Alarm alarm;
  private final LongSupplier nanoTime;
  private final EventDelivery delivery;

  /** Delivers an event at a switch to one application, where the lane is still the switch's. */
  interface EventDelivery {
    void deliver(PacketApplication application, Lane lane, NetworkEvent event);
  }

  ApplicationTimers(Alarm alarm, LongSupplier nanoTime, EventDelivery delivery) {
    this.alarm = alarm;
    this.nanoTime = nanoTime;
    this.delivery = delivery;
  }

  /** Starts a timer, or starts it anew; false where the application runs too many. */
  boolean start(PacketApplication application, Lane lane, Instruction.StartTimer start) {
    long now = nanoTime.getAsLong();
    long lastsNanos = TimeUnit.MILLISECONDS.toNanos(start.afterMillis());
    if (!lane.timers.start(application, start.name(), now, lastsNanos)) {
      return false;
    }
    look(lane, now);
    return true;
  }

  void stop(PacketApplication application, Lane lane, String name) {
    lane.timers.stop(application, name);
  }

  private void look(Lane lane, long now) {
    if (lane.timers.isEmpty() || lane.timersWatched) {
      return;
    }
    lane.timersWatched = true;
    long restNanos = Math.max(0, lane.timers.untilFirst(now));
    long millis = TimeUnit.NANOSECONDS.toMillis(restNanos + 999_999);
    alarm.after(
        Math.min(LOOK_MILLIS, millis), () -> lane.connection.execute(() -> lookAgain(lane)));
  }

  private void lookAgain(Lane lane) {
    lane.timersWatched = false;
    long now = nanoTime.getAsLong();
    for (LaneTimers.Ended ended : lane.timers.takeEnded(now)) {
      long elapsed = TimeUnit.NANOSECONDS.toMillis(ended.elapsedNanos());
      delivery.deliver(
          ended.application(),
          lane,
          new NetworkEvent.TimerExpired(lane.connection.deviceId(), ended.name(), elapsed));
    }
    look(lane, now);
  }
}
