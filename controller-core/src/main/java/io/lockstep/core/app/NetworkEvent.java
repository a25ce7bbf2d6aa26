package io.lockstep.core.app;

import org.onlab.packet.MacAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

/** A change at a switch that this node masters. */
public sealed interface NetworkEvent {

  /** The switch. */
  DeviceId deviceId();

  /** What happened, in words for a line of the log. */
  default String inWords() {
    if (this instanceof PortDown down) {
      return "port " + down.port() + " went down";
    } else if (this instanceof SourceDisputed disputed) {
      return "a host of port " + disputed.port() + " was seen elsewhere";
    } else if (this instanceof TimerExpired expired) {
      return "timer '" + expired.name() + "' ended";
    } else if (this instanceof TreeChanged) {
      return "the broadcast tree changed";
    }
    return this instanceof Mastered ? "this node became its master" : "a minute passed";
  }

  /** A port went down or away. */
  record PortDown(DeviceId deviceId, PortNumber port) implements NetworkEvent {}

  /** The broadcast tree around the switch changed: paths that were learned may be wrong. */
  record TreeChanged(DeviceId deviceId) implements NetworkEvent {}

  /**
   * A packet with this source came in at another place, and the node wants to hear whether the host
   * is still at this port. An application removes its flow entries for what comes from the host
   * here: they carry its packets past the node.
   */
  record SourceDisputed(DeviceId deviceId, PortNumber port, MacAddress source)
      implements NetworkEvent {}

  /** About a minute passed: a time to forget what is old. */
  record TimePassed(DeviceId deviceId) implements NetworkEvent {}

  /**
   * A timer ended that the application started at this switch ({@link Instruction.StartTimer}). No
   * other application hears of it.
   *
   * @param elapsedMillis how long it ran; not less than it was started for
   */
  record TimerExpired(DeviceId deviceId, String name, long elapsedMillis) implements NetworkEvent {}

  /** This node became the switch's master. */
  record Mastered(DeviceId deviceId) implements NetworkEvent {}
}
