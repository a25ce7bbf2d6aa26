package io.lockstep.core.packet;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.flow.FlowDoor;
import io.lockstep.core.mastership.MasteredSwitches;
import io.lockstep.core.packet.AskTurns.Kind;
import io.lockstep.core.packet.DroppedPackets.Reason;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import io.lockstep.core.recording.EventTrace;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.ReplyWords;
import io.lockstep.store.Reply;
import io.lockstep.store.logging.LogLimit;
import io.lockstep.store.measure.DurationHistogram;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries decisions out. Asks go to the store client in fair turns; the reply continues on the
 * switch's event loop, where it counts only if the node still masters the switch under the same
 * epoch. Called on the switch's event loop.
 */
final class DecisionRunner {
  private static final Logger log = LoggerFactory.getLogger(DecisionRunner.class);

  /** Questions for one packet at most; an application that asks on and on is broken. */
  private static final int MAX_ASKS_IN_A_ROW = 16;

  /** A decision on an event is no packet that can be sent again: it is tried this often. */
  private static final int MAX_EVENT_TRIES = 40;

  private static final long EVENT_RETRY_MILLIS = 500;

  /** A port that is full is one line in this time. */
  private static final long FULL_PORT_SECONDS = 600;

  private final MasteredSwitches mastery;
  private final Function<DeviceId, @Nullable SwitchConnection> mastered;
  private final AskTurns turns;
  private final PacketGate gate;
  private final Supplier<? extends NetworkView> network;
  private final FlowDoor flows;
  private final PacketLimits limits;
  private final PacketCounters counters;
  private final ApplicationFailures failures;
  private final ApplicationDecisions decisions;
  private final Alarm alarm;
  private final LongSupplier nanoTime;
  private final ApplicationTimers timers;
  private final EventTraces traces;
  private final DurationHistogram flowSetups = new DurationHistogram();
  private final LogLimit failureLog;
  private final LogLimit fullPortLog;

  DecisionRunner(
      MasteredSwitches mastery,
      AskTurns turns,
      PacketGate gate,
      Supplier<? extends NetworkView> network,
      FlowDoor flows,
      PacketLimits limits,
      PacketCounters counters,
      ApplicationFailures failures,
      ApplicationDecisions decisions,
      Alarm alarm,
      LongSupplier nanoTime,
      ApplicationTimers.EventDelivery delivery,
      EventTraces traces) {
    this.mastery = mastery;
    this.mastered = mastery::mastered;
    this.turns = turns;
    this.gate = gate;
    this.network = network;
    this.flows = flows;
    this.limits = limits;
    this.counters = counters;
    this.failures = failures;
    this.decisions = decisions;
    this.alarm = alarm;
    this.nanoTime = nanoTime;
    this.timers = new ApplicationTimers(alarm, nanoTime, delivery);
    this.traces = traces;
    this.failureLog = new LogLimit(nanoTime);
    this.fullPortLog = new LogLimit(nanoTime, 1, FULL_PORT_SECONDS);
  }

  /**
   * Where a decision came from.
   *
   * @param packet null where it was an event
   * @param next asks the applications behind this one
   * @param event null where it is not recorded
   * @param beganNanos when the application had decided for the first time
   */
  private record Origin(
      PacketApplication application,
      Lane lane,
      @Nullable FrameView packet,
      Runnable next,
      @Nullable EventTrace event,
      long beganNanos) {}

  /**
   * Carries out a decision on a packet.
   *
   * @param next asks the applications behind this one; it runs where this one passes the packet on
   */
  void runForPacket(
      PacketApplication application,
      Lane lane,
      FrameView packet,
      Decision decision,
      Runnable next) {
    EventTrace event = traces.ofPacket(application, lane, packet);
    long now = nanoTime.getAsLong();
    run(new Origin(application, lane, packet, next, event, now), decision, 0);
  }

  /** Carries out a decision on an event; passing it on means nothing. */
  void runForEvent(
      PacketApplication application, Lane lane, NetworkEvent event, Decision decision) {
    EventTrace trace = traces.ofEvent(application, lane, event);
    run(new Origin(application, lane, null, () -> {}, trace, 0), decision, 0);
  }

  /**
   * How long flows took, from an application's first decision on a packet until the flow-mods were
   * handed to the switch's connection. Any thread.
   */
  DurationHistogram.Reading flowSetups() {
    return flowSetups.read();
  }

  /** Whether what was decided for the lane may still be done. */
  boolean isCurrent(Lane lane) {
    return mastery.mastered(lane.connection.deviceId()) == lane.connection
        && mastery.epoch(lane.connection.deviceId()) == lane.epoch;
  }

  /** An application threw or broke its contract; its packet is dropped, nothing else happens. */
  void failed(String application, String what, @Nullable Throwable cause) {
    counters.count(PacketResult.APPLICATION_FAILED);
    failures.count(application, what, cause);
    String more = failureLog.admit(application + " failed");
    if (more != null) {
      log.error("application {} {}; the packet is dropped{}", application, what, more, cause);
    }
  }

  private void failed(Origin origin, String what, @Nullable Throwable cause) {
    EventTraces.end(origin.event(), PacketResult.APPLICATION_FAILED);
    failed(origin.application().name(), what, cause);
  }

  /** Counts what became of a decision that was not carried out. */
  private void ended(Origin origin, PacketResult result) {
    EventTraces.end(origin.event(), result);
    counters.count(result);
  }

  private void run(Origin origin, @Nullable Decision decision, int asked) {
    if (decision instanceof Decision.Act act) {
      carryOut(origin, act);
    } else if (decision instanceof Decision.Ask ask) {
      if (asked == MAX_ASKS_IN_A_ROW) {
        failed(origin, "asks the store without end", null);
      } else if (takesPlace(origin)) {
        decisions.asked(origin.application().name());
        ask(origin, ask, asked, 1);
      } else {
        EventTraces.end(origin.event(), PacketResult.TOO_MANY_ASKS);
      }
    } else if (decision instanceof Decision.Pass) {
      EventTraces.passedOn(origin.event());
      origin.next().run();
    } else {
      failed(origin, "decides nothing, not even to pass", null);
    }
  }

  /** Whether one more decision may wait for the store. */
  private boolean takesPlace(Origin origin) {
    FrameView packet = origin.packet();
    if (packet != null) {
      return gate.takesPlace(origin.lane(), packet);
    }
    if (origin.lane().eventAsks >= limits.asksPerSwitch()) {
      counters.count(PacketResult.TOO_MANY_ASKS);
      return false;
    }
    origin.lane().eventAsks++;
    return true;
  }

  private void leavesPlace(Origin origin) {
    FrameView packet = origin.packet();
    if (packet != null) {
      gate.leavesPlace(origin.lane(), packet);
    } else {
      origin.lane().eventAsks--;
    }
  }

  private void ask(Origin origin, Decision.Ask ask, int asked, int tries) {
    AskTurns.Line line = origin.lane().line;
    FrameView packet = origin.packet();
    int bytes = packet == null ? 0 : packet.frame().length;
    turns.ask(
        line,
        packet == null ? Kind.EVENT : packet.isToGroup() ? Kind.GROUP : Kind.UNICAST,
        ask,
        origin.event(),
        bytes,
        reply -> {
          turns.forget(line, bytes);
          answered(origin, ask, asked, tries, reply);
        });
  }

  private void answered(Origin origin, Decision.Ask ask, int asked, int tries, Reply reply) {
    boolean refused = reply instanceof Reply.Unknown || reply instanceof Reply.Rejected;
    boolean current = isCurrent(origin.lane());
    if (refused && current && origin.packet() == null && tries < MAX_EVENT_TRIES) {
      retryLater(origin.lane(), () -> askAgain(origin, ask, asked, tries + 1));
      return;
    }
    leavesPlace(origin);
    if (!current) {
      ended(origin, PacketResult.STALE);
    } else if (reply instanceof Reply.Unknown) {
      ended(origin, PacketResult.STORE_UNKNOWN);
      dropped(origin, Reason.STORE);
    } else if (reply instanceof Reply.Rejected rejected) {
      ended(origin, PacketResult.STORE_REJECTED);
      dropped(origin, Reason.STORE);
      String more = failureLog.admit(origin.application().name() + " was rejected");
      if (more != null) {
        log.warn(
            "application {}: {}{}", origin.application().name(), ReplyWords.of(rejected), more);
      }
    } else {
      goOn(origin, ask, asked, reply);
    }
  }

  /** An event is no packet: it has been tried again and again. */
  private void dropped(Origin origin, Reason reason) {
    FrameView packet = origin.packet();
    if (packet != null) {
      gate.drop(origin.lane(), packet, reason);
    }
  }

  /** All retries of a switch share a timer, so that their number is that of the switches. */
  private void retryLater(Lane lane, Runnable retry) {
    lane.retries.add(retry);
    if (lane.retries.size() == 1) {
      alarm.after(EVENT_RETRY_MILLIS, () -> lane.connection.execute(() -> retryNow(lane)));
    }
  }

  private static void retryNow(Lane lane) {
    List<Runnable> due = List.copyOf(lane.retries);
    lane.retries.clear();
    due.forEach(Runnable::run);
  }

  private void askAgain(Origin origin, Decision.Ask ask, int asked, int tries) {
    if (isCurrent(origin.lane())) {
      ask(origin, ask, asked, tries);
    } else {
      leavesPlace(origin);
      ended(origin, PacketResult.STALE);
    }
  }

  private void goOn(Origin origin, Decision.Ask ask, int asked, Reply reply) {
    @Nullable Decision next;
    try {
      next = ask.then().apply(reply);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      failed(origin, "failed on a reply of the store", e);
      return;
    }
    run(origin, next, asked + 1);
  }

  private void carryOut(Origin origin, Decision.Act act) {
    Lane lane = origin.lane();
    Outcome outcome =
        new Outcome(
            origin.application().name(),
            lane.connection,
            flows,
            origin.packet(),
            network.get(),
            mastered);
    outcome.read(act);
    FrameView packet = origin.packet();
    if (packet != null) {
      if (outcome.reportsFullPort()) {
        fullPort(origin, packet);
      } else if (!act.instructions().isEmpty()) {
        lane.quota.hasRoom(packet.inPort().toLong(), packet.source());
      }
    }
    PacketResult result = outcome.send(act);
    counters.count(PacketResult.OTHER_SWITCH_NOT_MASTERED, outcome.notMastered());
    if (result == PacketResult.APPLICATION_FAILED) {
      failed(origin, "wants to send a packet that is not its own", null);
      return;
    }
    decisions.count(origin.application().name(), outcome.counted());
    if (packet != null && outcome.installs() && result == PacketResult.DECIDED) {
      flowSetups.record(nanoTime.getAsLong() - origin.beganNanos());
    }
    boolean passesOn = packet != null && act.passesOn();
    if (passesOn && result == PacketResult.DECIDED) {
      EventTraces.passedOn(origin.event());
    } else {
      EventTraces.end(origin.event(), result);
    }
    if (result == PacketResult.SEND_REFUSED) {
      dropped(origin, Reason.UNREAD);
    }
    if (result != PacketResult.DECIDED || (packet != null && !passesOn)) {
      counters.count(result);
    }
    runTimers(origin, outcome.timers());
    if (passesOn) {
      origin.next().run();
    }
  }

  private void runTimers(Origin origin, List<Instruction> steps) {
    for (Instruction instruction : steps) {
      if (instruction instanceof Instruction.StartTimer start) {
        if (!timers.start(origin.application(), origin.lane(), start)) {
          failed(origin.application().name(), "runs too many timers at a switch", null);
        }
      } else if (instruction instanceof Instruction.StopTimer stop) {
        timers.stop(origin.application(), origin.lane(), stop.name());
      }
    }
  }

  private void fullPort(Origin origin, FrameView packet) {
    String application = origin.application().name();
    long inPort = packet.inPort().toLong();
    origin.lane().quota.full(inPort, packet.source(), nanoTime.getAsLong());
    counters.count(PacketResult.PORT_FULL);
    String port = packet.deviceId() + "/" + packet.inPort();
    String more = fullPortLog.admit(application + port);
    if (more != null) {
      log.warn(
          "{}: {} keeps as many addresses of this port or switch as it may, further ones are not"
              + " learned: look for what invents addresses there{}",
          port,
          application,
          more);
    }
  }
}
