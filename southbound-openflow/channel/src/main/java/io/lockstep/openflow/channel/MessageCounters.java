package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Connections of switches and the messages that this node sent them, since the server's start.
 * Thread-safe.
 */
public final class MessageCounters {
  private final Map<FlowMod.Operation, LongAdder> flowMods = new EnumMap<>(FlowMod.Operation.class);
  private final LongAdder flowModsRefused = new LongAdder();
  private final LongAdder installed = new LongAdder();
  private final LongAdder unknown = new LongAdder();
  private final LongAdder packetOuts = new LongAdder();
  private final LongAdder packetOutsNotSent = new LongAdder();
  private final LongAdder opened = new LongAdder();
  private final LongAdder closed = new LongAdder();
  private final LongAdder connectionsRefused = new LongAdder();
  private final LongAdder handshakes = new LongAdder();
  private final LongAdder failedHandshakes = new LongAdder();
  private final Map<Ending, LongAdder> endings = new EnumMap<>(Ending.class);

  /** Why the connection of a switch ended. */
  public enum Ending {
    /** The switch closed it, or the network broke it. */
    SWITCH_CLOSED,
    /** The switch did not answer an echo. */
    SILENT,
    /** This node closed it to protect itself, or because the switch broke the protocol. */
    PROTECTION,
    /** This node failed on the switch. */
    FAULT,
    /** This node closed it, as it stops or has a newer connection. */
    NODE_CLOSED
  }

  MessageCounters() {
    for (FlowMod.Operation operation : FlowMod.Operation.values()) {
      flowMods.put(operation, new LongAdder());
    }
    for (Ending ending : Ending.values()) {
      endings.put(ending, new LongAdder());
    }
  }

  /**
   * The counts.
   *
   * @param flowMods that were sent, by operation in lower case
   * @param flowModsInstalled those that a barrier confirmed
   * @param flowModsRefused those that the switch or the channel refused
   * @param flowModsUnknown those whose barrier had no answer
   * @param connections open ones, also those in their handshake
   * @param switches connected ones, behind their handshake
   * @param connectionsRefused because too many were open
   * @param handshakes that succeeded
   * @param failedHandshakes connections that ended in their handshake
   * @param endings of connections behind their handshake, by {@link Ending} in lower case
   */
  public record Counts(
      Map<String, Long> flowMods,
      long flowModsInstalled,
      long flowModsRefused,
      long flowModsUnknown,
      long packetOuts,
      long packetOutsNotSent,
      long connections,
      long switches,
      long connectionsRefused,
      long handshakes,
      long failedHandshakes,
      Map<String, Long> endings) {
    public Counts {
      flowMods = Map.copyOf(flowMods);
      endings = Map.copyOf(endings);
    }
  }

  /** What happened so far. */
  public Counts counts() {
    // What ended is read first, so that no difference falls below zero.
    Map<String, Long> ended = sums(endings);
    long closedSoFar = closed.sum();
    long switches = handshakes.sum() - ended.values().stream().mapToLong(Long::longValue).sum();
    return new Counts(
        sums(flowMods),
        installed.sum(),
        flowModsRefused.sum(),
        unknown.sum(),
        packetOuts.sum(),
        packetOutsNotSent.sum(),
        opened.sum() - closedSoFar,
        switches,
        connectionsRefused.sum(),
        handshakes.sum(),
        failedHandshakes.sum(),
        ended);
  }

  private static <E extends Enum<E>> Map<String, Long> sums(Map<E, LongAdder> counters) {
    Map<String, Long> sums = new TreeMap<>();
    counters.forEach((what, count) -> sums.put(what.name().toLowerCase(Locale.ROOT), count.sum()));
    return sums;
  }

  private static <E extends Enum<E>> void increment(Map<E, LongAdder> counters, E what) {
    LongAdder counter = counters.get(what);
    if (counter != null) {
      counter.increment();
    }
  }

  void flowMod(FlowMod mod) {
    increment(flowMods, mod.operation());
  }

  void flowModsRefused(int count) {
    flowModsRefused.add(count);
  }

  void confirmed(List<FlowModOutcome> outcomes) {
    for (FlowModOutcome outcome : outcomes) {
      if (outcome instanceof FlowModOutcome.Installed) {
        installed.increment();
      } else if (outcome instanceof FlowModOutcome.Refused) {
        flowModsRefused.increment();
      } else {
        unknown.increment();
      }
    }
  }

  /** Counts a packet-out; returns whether it was sent. */
  boolean packetOut(boolean sent) {
    (sent ? packetOuts : packetOutsNotSent).increment();
    return sent;
  }

  void opened() {
    opened.increment();
  }

  void closed() {
    closed.increment();
  }

  void connectionRefused() {
    connectionsRefused.increment();
  }

  void handshake(boolean succeeded) {
    (succeeded ? handshakes : failedHandshakes).increment();
  }

  void ended(Ending ending) {
    increment(endings, ending);
  }
}
