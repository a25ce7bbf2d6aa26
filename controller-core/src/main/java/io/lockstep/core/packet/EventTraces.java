package io.lockstep.core.packet;

import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import io.lockstep.core.recording.EventTrace;
import io.lockstep.core.recording.StoreTraffic;
import io.lockstep.core.trace.TraceRecord.EventBegun;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Names the events of applications for a trace, while one is recorded. Thread-safe. */
final class EventTraces {
  /** The end of an event whose packet the next application decides on. */
  private static final String PASSED_ON = "passed_on";

  private final StoreTraffic traffic;

  EventTraces(StoreTraffic traffic) {
    this.traffic = traffic;
  }

  /** An application decided on a packet; null where nothing is recorded. */
  @Nullable EventTrace ofPacket(PacketApplication application, Lane lane, FrameView packet) {
    return traffic.isRecorded()
        ? traffic.begin(
            application.name(), "packet-in", lane.connection.dpid(), packet.inPort().toLong())
        : null;
  }

  /** An application decided on a change; null where nothing is recorded. */
  @Nullable EventTrace ofEvent(PacketApplication application, Lane lane, NetworkEvent event) {
    return traffic.isRecorded()
        ? traffic.begin(application.name(), kind(event), lane.connection.dpid(), port(event))
        : null;
  }

  private static String kind(NetworkEvent event) {
    if (event instanceof NetworkEvent.PortDown) {
      return "port-down";
    } else if (event instanceof NetworkEvent.TreeChanged) {
      return "tree-changed";
    } else if (event instanceof NetworkEvent.SourceDisputed) {
      return "source-disputed";
    } else if (event instanceof NetworkEvent.HostMoved) {
      return "host-moved";
    } else if (event instanceof NetworkEvent.TimePassed) {
      return "minute";
    } else if (event instanceof NetworkEvent.TimerExpired) {
      return "timer";
    } else if (event instanceof NetworkEvent.PictureChanged) {
      return "picture-changed";
    }
    return "mastered";
  }

  private static long port(NetworkEvent event) {
    if (event instanceof NetworkEvent.PortDown down) {
      return down.port().toLong();
    }
    if (event instanceof NetworkEvent.SourceDisputed disputed) {
      return disputed.port().toLong();
    }
    return event instanceof NetworkEvent.HostMoved moved
        ? moved.port().toLong()
        : EventBegun.NO_PORT;
  }

  /** What became of the event, in the words of {@code lockstep_packet_ins_total}. */
  static void end(@Nullable EventTrace event, PacketResult result) {
    if (event != null) {
      event.end(result.name().toLowerCase(Locale.ROOT));
    }
  }

  /** The next application decides on the packet. */
  static void passedOn(@Nullable EventTrace event) {
    if (event != null) {
      event.end(PASSED_ON);
    }
  }
}
