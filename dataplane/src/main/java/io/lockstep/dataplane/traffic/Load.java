package io.lockstep.dataplane.traffic;

import io.lockstep.dataplane.flowtable.Location;
import io.lockstep.dataplane.model.SoftwarePath;
import io.lockstep.dataplane.model.SwitchModel;
import org.jspecify.annotations.Nullable;

/**
 * What a switch did over a stretch of time.
 *
 * @param fromSeconds the start of the stretch
 * @param mbit delivered a second
 * @param cpuPercent load of the switch's processor, up to 100
 * @param inHardware entries in hardware at its end
 * @param inSoftware entries in software at its end
 */
public record Load(
    double fromSeconds, double mbit, double cpuPercent, int inHardware, int inSoftware) {
  /** Lets time pass and looks at what comes through. */
  public static Load over(SwitchUnderTest target, Flow flow, double seconds) {
    VirtualTime time = target.time();
    SwitchModel model = target.model();
    long fromNanos = time.nowNanos();
    long bytes = flow.deliveredBytes();
    double cpuMicros = cpuMicros(model.software());
    time.runUntil(fromNanos + (long) (seconds * 1e9));
    model.expire(time.nowNanos());
    double busy = (cpuMicros(model.software()) - cpuMicros) / 1e6 / seconds;
    return new Load(
        fromNanos / 1e9,
        (flow.deliveredBytes() - bytes) * 8 / 1e6 / seconds,
        Math.min(100, model.profile().idleCpuPercent() + 100 * busy),
        model.pipeline().count(Location.HARDWARE),
        model.pipeline().count(Location.SOFTWARE));
  }

  private static double cpuMicros(@Nullable SoftwarePath software) {
    return software == null ? 0 : software.cpuMicros();
  }
}
