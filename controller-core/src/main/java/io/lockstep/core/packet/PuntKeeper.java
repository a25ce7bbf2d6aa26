package io.lockstep.core.packet;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.flow.FlowDoor;
import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.entry.EntryComparison;
import io.lockstep.core.mastership.MasteredSwitches;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.state.SwitchTroubles;
import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Keeps the entries that send packets up ({@link PuntRules}) in the switches that this node masters
 * and writes straight. It installs them with the mastership, and reads them back every {@link
 * #CHECK_MILLIS}: what another controller or an operator deleted or changed is put back, counted,
 * and shown as the switch's trouble. A read-back asks for these entries alone, so it costs the same
 * whatever else the switch holds; one is on its way at a time. A switch that does not answer it
 * gets the entries again, which changes nothing that is right.
 *
 * <p>Placed switches keep theirs as rules of their own (docs/adr/0009).
 *
 * <p>Thread-safe: what it holds of a switch belongs to the switch's event loop.
 */
public final class PuntKeeper implements MasteredSwitches.Listener {
  /** How often {@link #tick} is to be called. */
  public static final long CHECK_MILLIS = 2_000;

  private static final BoundedLog log = BoundedLog.of(PuntKeeper.class);
  private static final String ABOUT = "punt entries";

  private final FlowDoor flows;
  private final SwitchTroubles troubles;
  private final Map<SwitchConnection, Kept> kept = new ConcurrentHashMap<>();
  private final Map<Event, LongAdder> counts = new EnumMap<>(Event.class);

  /** What the keeper met. */
  public enum Event {
    /** An entry was missing, or another than it should be, and is sent again. */
    MISSING,
    /** The switch refused an entry, or did not confirm it. */
    NOT_INSTALLED,
    /** The switch did not say what it holds. */
    NOT_READ
  }

  /** The entries of one switch. Event loop only. */
  private static final class Kept {
    final SwitchConnection connection;
    final List<FlowMod> rules;
    boolean busy;

    Kept(SwitchConnection connection) {
      this.connection = connection;
      this.rules = PuntRules.of(connection.features());
    }
  }

  /**
   * A keeper; the caller adds it as a listener of mastery behind {@code flows}.
   *
   * @param flows knows which switches are written straight
   */
  public PuntKeeper(FlowDoor flows, SwitchTroubles troubles) {
    this.flows = flows;
    this.troubles = troubles;
    for (Event event : Event.values()) {
      counts.put(event, new LongAdder());
    }
  }

  /** How often something happened since the start of the node, for each kind. */
  public Map<Event, Long> counts() {
    Map<Event, Long> all = new EnumMap<>(Event.class);
    counts.forEach((event, count) -> all.put(event, count.sum()));
    return all;
  }

  private void count(Event event, int times) {
    LongAdder count = counts.get(event);
    if (count != null) {
      count.add(times);
    }
  }

  @Override
  public void gained(SwitchConnection connection, long epoch) {
    if (flows.isDirect(connection)) {
      Kept here = new Kept(connection);
      kept.put(connection, here);
      send(here, here.rules);
    }
  }

  @Override
  public void lost(SwitchConnection connection, String reason) {
    kept.remove(connection);
  }

  /** Reads the entries of all switches back. Any thread. */
  public void tick() {
    kept.values().forEach(here -> here.connection.execute(() -> check(here)));
  }

  private boolean isCurrent(Kept here) {
    return kept.get(here.connection) == here;
  }

  private void check(Kept here) {
    if (here.busy || !isCurrent(here)) {
      return;
    }
    here.busy = true;
    after(
        here.connection.flowStats(PuntRules.question(here.connection.features())),
        here.connection,
        answer -> {
          here.busy = false;
          if (isCurrent(here)) {
            compare(here, answer);
          }
        });
  }

  private void compare(Kept here, Answer<List<FlowStats>> answer) {
    if (!(answer instanceof Answer.Of<List<FlowStats>> read)) {
      count(Event.NOT_READ, 1);
      report(here, "the entries that send packets up could not be read back: " + answer);
      send(here, here.rules);
      return;
    }
    List<FlowMod> missing = new ArrayList<>();
    for (FlowMod rule : here.rules) {
      if (read.value().stream().noneMatch(entry -> isAs(entry, rule))) {
        missing.add(rule);
      }
    }
    if (!missing.isEmpty()) {
      count(Event.MISSING, missing.size());
      report(here, names(missing) + " had been deleted or changed and was put back");
      send(here, missing);
    }
  }

  private static boolean isAs(FlowStats entry, FlowMod rule) {
    return entry.cookie() == rule.cookie()
        && Cookies.isSystem(entry.cookie())
        && entry.tableId() == rule.tableId()
        && entry.priority() == rule.priority()
        && entry.idleTimeoutSeconds() == 0
        && entry.hardTimeoutSeconds() == 0
        && EntryComparison.sameMatch(rule.selector(), entry.selector())
        && EntryComparison.sameActions(rule.tableId(), rule.treatment(), entry.treatment());
  }

  private static String names(List<FlowMod> rules) {
    return String.join(" and ", rules.stream().map(PuntRules::name).toList());
  }

  private void send(Kept here, List<FlowMod> rules) {
    here.busy = true;
    after(
        here.connection.flowModsConfirmed(rules),
        here.connection,
        outcomes -> {
          here.busy = false;
          if (isCurrent(here)) {
            confirmed(here, rules, outcomes);
          }
        });
  }

  /** What is not installed is missing at the next check, and sent again then. */
  private void confirmed(Kept here, List<FlowMod> rules, List<FlowModOutcome> outcomes) {
    for (int i = 0; i < rules.size(); i++) {
      if (!(outcomes.get(i) instanceof FlowModOutcome.Installed)) {
        count(Event.NOT_INSTALLED, 1);
        report(
            here,
            PuntRules.name(rules.get(i))
                + " is missing, so packets do not come up: "
                + outcomes.get(i));
        return;
      }
    }
  }

  private void report(Kept here, String text) {
    troubles.report(here.connection.dpid(), ABOUT, text);
    log.warn(here.connection.deviceId(), "{}: {}", here.connection.deviceId(), text);
  }
}
