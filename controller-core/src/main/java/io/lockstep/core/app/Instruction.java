package io.lockstep.core.app;

import java.util.Objects;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;

/**
 * One step of a decision, carried out at the switch the event came from, or {@link At} another one.
 * An argument that is null is refused in the constructor, so that the application fails and not the
 * node.
 */
public sealed interface Instruction {
  /** One method for each kind. A class that lacks the method for a new kind does not compile. */
  interface Visitor {
    void installFlow(InstallFlow install);

    void removeFlows(RemoveFlows remove);

    void removeFlowsTo(RemoveFlowsTo remove);

    void reportFullPort(ReportFullPort report);

    void forward(Forward forward);

    void flood(Flood flood);

    void at(At at);

    void send(Send send);

    void emit(Emit emit);

    void startTimer(StartTimer start);

    void stopTimer(StopTimer stop);

    void count(Count count);
  }

  /** Calls the method for this kind of instruction. */
  void accept(Visitor visitor);

  /** A change of an application's own soft entries at one switch. */
  sealed interface SoftEntries extends Instruction
      permits InstallFlow, RemoveFlows, RemoveFlowsTo {}

  /**
   * Installs a soft flow entry (not an intended rule: it is not kept in the store and goes by its
   * time-outs). Sent before any packet of the same decision.
   *
   * @param priority 0 to {@link #MAX_PRIORITY}
   * @param idleTimeoutSeconds 0 for none
   * @param hardTimeoutSeconds 0 for none
   * @param tag a mark of the application's own, 0 to {@link #MAX_TAG}, by which {@link RemoveFlows}
   *     finds the entry; part of its cookie
   */
  record InstallFlow(
      TrafficSelector selector,
      TrafficTreatment treatment,
      int priority,
      int idleTimeoutSeconds,
      int hardTimeoutSeconds,
      int tag)
      implements SoftEntries {
    /** What is above it takes link probes up; a rule beside that could take them away. */
    public static final int MAX_PRIORITY = 65_534;

    public static final int MAX_TAG = 0xffff;

    /** An entry without a mark. */
    public InstallFlow(
        TrafficSelector selector,
        TrafficTreatment treatment,
        int priority,
        int idleTimeoutSeconds,
        int hardTimeoutSeconds) {
      this(selector, treatment, priority, idleTimeoutSeconds, hardTimeoutSeconds, 0);
    }

    public InstallFlow {
      Objects.requireNonNull(selector, "selector");
      Objects.requireNonNull(treatment, "treatment");
      if (priority < 0 || priority > MAX_PRIORITY) {
        throw new IllegalArgumentException(
            "priority " + priority + " is not within 0 to " + MAX_PRIORITY);
      }
      if (tag < 0 || tag > MAX_TAG) {
        throw new IllegalArgumentException("tag " + tag + " is not within 0 to " + MAX_TAG);
      }
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.installFlow(this);
    }
  }

  /**
   * Removes the application's own soft entries that the selector contains (non-strict), and whose
   * tag has these bits.
   *
   * @param tag what the tag's bits under the mask must be
   * @param tagMask 0 for any tag; at most {@link InstallFlow#MAX_TAG}
   */
  record RemoveFlows(TrafficSelector selector, int tag, int tagMask) implements SoftEntries {
    /** Removes them with any tags. */
    public RemoveFlows(TrafficSelector selector) {
      this(selector, 0, 0);
    }

    public RemoveFlows {
      Objects.requireNonNull(selector, "selector");
      if ((tagMask & ~InstallFlow.MAX_TAG) != 0 || (tag & ~tagMask) != 0) {
        throw new IllegalArgumentException("tag " + tag + " under mask " + tagMask);
      }
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.removeFlows(this);
    }
  }

  /** Removes the application's own soft entries that send to {@code port}. */
  record RemoveFlowsTo(PortNumber port) implements SoftEntries {
    public RemoveFlowsTo {
      Objects.requireNonNull(port, "port");
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.removeFlowsTo(this);
    }
  }

  /**
   * Changes the application's own soft entries at another switch. It is sent before anything at
   * this switch, but nothing waits for it: packets may reach that switch first. At a switch that
   * this node does not master, the node only counts the instruction.
   */
  record At(DeviceId device, SoftEntries entries) implements Instruction {
    public At {
      Objects.requireNonNull(device, "device");
      Objects.requireNonNull(entries, "entries");
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.at(this);
    }
  }

  /**
   * Sends the packet as the treatment says: its immediate changes and outputs, in this order; a
   * flood goes along the broadcast tree. The packet goes nowhere, and is counted, where the
   * switch's version of OpenFlow cannot say it.
   */
  record Send(TrafficTreatment treatment) implements Instruction {
    public Send {
      Objects.requireNonNull(treatment, "treatment");
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.send(this);
    }
  }

  /**
   * Sends a packet of the application's own from a switch that this node masters, as the treatment
   * says. For a switch of another node, this node only counts the instruction.
   *
   * @param frame from the destination address on, without a frame check sequence; at most {@link
   *     #MAX_FRAME} bytes. The caller must not change it any more
   */
  record Emit(DeviceId device, TrafficTreatment treatment, byte[] frame) implements Instruction {
    /** A jumbo frame; an OpenFlow message takes it with its actions. */
    public static final int MAX_FRAME = 9_216;

    public Emit {
      Objects.requireNonNull(device, "device");
      Objects.requireNonNull(treatment, "treatment");
      if (frame.length < 14 || frame.length > MAX_FRAME) {
        throw new IllegalArgumentException(
            "a frame of " + frame.length + " bytes is not within 14 to " + MAX_FRAME);
      }
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.emit(this);
    }
  }

  /**
   * Starts a timer of the application at this switch; {@link NetworkEvent.TimerExpired} tells its
   * end, once. One of the same name starts anew. Timers are soft: they end unheard where the node
   * loses the switch, and the next master tells {@link NetworkEvent.Mastered}.
   *
   * @param name at most {@link #MAX_NAME} characters; at most {@link #MOST_TIMERS} run at a switch
   *     for one application
   * @param afterMillis 1 to {@link #MAX_MILLIS}
   */
  record StartTimer(String name, long afterMillis) implements Instruction {
    public static final int MAX_NAME = 64;
    public static final int MOST_TIMERS = 256;

    /** A day. */
    public static final long MAX_MILLIS = 86_400_000;

    public StartTimer {
      if (name.length() > MAX_NAME) {
        throw new IllegalArgumentException(
            "a timer's name of " + name.length() + " characters, over " + MAX_NAME);
      }
      if (afterMillis < 1 || afterMillis > MAX_MILLIS) {
        throw new IllegalArgumentException(
            "a timer of " + afterMillis + " ms is not within 1 to " + MAX_MILLIS);
      }
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.startTimer(this);
    }
  }

  /** Stops a timer, if it runs. */
  record StopTimer(String name) implements Instruction {
    public StopTimer {
      Objects.requireNonNull(name, "name");
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.stopTimer(this);
    }
  }

  /**
   * Reports that the application keeps no further address at the port that the packet came in on.
   * The node counts it and logs it, seldom for one port.
   */
  record ReportFullPort() implements Instruction {
    @Override
    public void accept(Visitor visitor) {
      visitor.reportFullPort(this);
    }
  }

  /**
   * Counts something once, for {@code lockstep_application_events_total} in {@code /metrics}.
   *
   * @param what the value of its label, {@code [a-z_]{1,32}}; beyond {@link #MOST} of one
   *     application further ones count as {@code other}
   */
  record Count(String what) implements Instruction {
    /** Different ones of an application at most. */
    public static final int MOST = 64;

    private static final String ALLOWED = "[a-z_]{1,32}";

    public Count {
      if (!what.matches(ALLOWED)) {
        throw new IllegalArgumentException("'" + what + "' does not match " + ALLOWED);
      }
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.count(this);
    }
  }

  /** Sends the packet out of one port. */
  record Forward(PortNumber port) implements Instruction {
    public Forward {
      Objects.requireNonNull(port, "port");
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.forward(this);
    }
  }

  /** Sends the packet along the loop-free broadcast tree: {@link NetworkView#floodPorts}. */
  record Flood() implements Instruction {
    @Override
    public void accept(Visitor visitor) {
      visitor.flood(this);
    }
  }
}
