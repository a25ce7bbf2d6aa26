package io.lockstep.core.app;

import org.onlab.packet.MacAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

/** A change at a switch that this node masters. */
public sealed interface NetworkEvent {

  /** The switch. */
  DeviceId deviceId();

  /** What happened, in words for a line of the log. */
  String inWords();

  /** A port went down or away. */
  record PortDown(DeviceId deviceId, PortNumber port) implements NetworkEvent {
    @Override
    public String inWords() {
      return "port " + port + " went down";
    }
  }

  /** The broadcast tree around the switch changed: paths that were learned may be wrong. */
  record TreeChanged(DeviceId deviceId) implements NetworkEvent {
    @Override
    public String inWords() {
      return "the broadcast tree changed";
    }
  }

  /**
   * A packet with this source came in at another place, and the node wants to hear whether the host
   * is still at this port. An application removes its flow entries for what comes from the host
   * here: they carry its packets past the node.
   */
  record SourceDisputed(DeviceId deviceId, PortNumber port, MacAddress source)
      implements NetworkEvent {
    @Override
    public String inWords() {
      return "a host of port " + port + " was seen elsewhere";
    }
  }

  /**
   * A host that was at this port is at another place, and the view of the network shows it there.
   * Entries that carry its packets here lead nowhere. What was asked before and is answered late
   * may still make some, so applications hear of it twice, with a few seconds between.
   */
  record HostMoved(DeviceId deviceId, PortNumber port, MacAddress host) implements NetworkEvent {
    @Override
    public String inWords() {
      return "a host of port " + port + " moved to another place";
    }
  }

  /** About a minute passed: a time to forget what is old. */
  record TimePassed(DeviceId deviceId) implements NetworkEvent {
    @Override
    public String inWords() {
      return "a minute passed";
    }
  }

  /**
   * A timer ended that the application started at this switch ({@link Instruction.StartTimer}). No
   * other application hears of it.
   *
   * @param elapsedMillis how long it ran; not less than it was started for
   */
  record TimerExpired(DeviceId deviceId, String name, long elapsedMillis) implements NetworkEvent {
    @Override
    public String inWords() {
      return "timer '" + name + "' expired";
    }
  }

  /**
   * A picture of the application changed; told to that application only, at each switch that this
   * node masters.
   *
   * @param before what it was; a node that starts has seen nothing before
   * @param now what it is; a decision on the event sees this one or a newer one
   */
  record PictureChanged(DeviceId deviceId, TablePicture<?> picture, Object before, Object now)
      implements NetworkEvent {
    @Override
    public String inWords() {
      return "the picture of " + picture.tables() + " changed";
    }
  }

  /** This node became the switch's master. */
  record Mastered(DeviceId deviceId) implements NetworkEvent {
    @Override
    public String inWords() {
      return "this node became its master";
    }
  }
}
