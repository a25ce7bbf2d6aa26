package io.lockstep.core.flow;

import static io.lockstep.core.state.Continuations.after;
import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.entry.EntryComparison;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.SwitchTroubles;
import io.lockstep.core.state.TableView.Held;
import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;

/**
 * Keeps the rules of a switch that takes every rule, in any number. Sends each rule as it is, in
 * batches, one batch at a time. Touches only the entries of intended rules, which it recognizes by
 * their cookies. After a read-back it does the following:
 *
 * <ul>
 *   <li>adds a permanent rule again that is missing; to add a rule twice does no harm;
 *   <li>adds any rule again whose entry has its cookie and another match or other actions;
 *   <li>removes the intention of a temporary rule that was installed and is missing: it expired;
 *   <li>sends some of the rules again that the switch refused: it may have room now;
 *   <li>deletes an entry without intention once two read-backs in a row showed it.
 * </ul>
 */
final class DirectRules implements SwitchRules {
  private static final BoundedLog log = BoundedLog.of(DirectRules.class);
  private static final int MAX_BATCH = 256;

  /** Refused rules that are sent again with one read-back. */
  private static final int MAX_RETRIES = 64;

  private static final long RETRY_MILLIS = 1_000;

  private final SwitchConnection connection;
  private final RuleTables tables;
  private final RuleOutcomes outcomes;
  private final Executor loop;
  private final Alarm alarm;
  private final LongSupplier wallMillis;
  private final Map<IntentKey, FlowStats> counters;

  /** Rules to send, in the order in which they changed. */
  private final Set<IntentKey> dirty = new LinkedHashSet<>();

  /** Rules that the switch refused last, those that were tried long ago first. */
  private final Set<IntentKey> refused = new LinkedHashSet<>();

  /** Rules sent since the last read-back began, which may not show them yet. */
  private final Set<IntentKey> sentSinceRead = new HashSet<>();

  private final OrphanEntries orphans = new OrphanEntries();

  /** Whether the node compared the switch with the intentions once; it sends nothing before. */
  private boolean compared;

  private final ReadBackPace readBackPace;
  private boolean reading;
  private boolean sending;
  private boolean closed;

  /** Rules that this read-back shows as deleted or changed. */
  private int damaged;

  private long putBack;
  private long healedMillis;
  private String healed = "";

  DirectRules(
      SwitchConnection connection,
      RuleTables tables,
      RuleOutcomes outcomes,
      Executor loop,
      Alarm alarm,
      LongSupplier wallMillis,
      Map<IntentKey, FlowStats> counters) {
    this.connection = connection;
    this.tables = tables;
    this.outcomes = outcomes;
    this.loop = loop;
    this.alarm = alarm;
    this.wallMillis = wallMillis;
    this.counters = counters;
    this.readBackPace = new ReadBackPace(alarm, this::readBackAgain);
  }

  @Override
  public SwitchConnection connection() {
    return connection;
  }

  @Override
  public void start() {
    readBack();
  }

  @Override
  public void close() {
    closed = true;
    outcomes.close();
  }

  @Override
  public void flowsRemoved(RemovedFlows.Taken removed) {
    if (removed.overflowed()) {
      readBackPace.request();
    }
    if (!removed.expired().isEmpty()) {
      tables.keysOf(connection.dpid()).stream()
          .filter(key -> isCookieOf(key, removed.expired()))
          .forEach(outcomes::expire);
    }
  }

  private boolean isCookieOf(IntentKey key, Set<Long> cookies) {
    Held<Intent> intent = tables.intents().held(key);
    return intent != null && cookies.contains(Cookies.intended(intent.value().rule()));
  }

  @Override
  public void changed(IntentKey key, @Nullable Intent now) {
    if (now != null) {
      dirty.add(key);
      send();
    }
  }

  @Override
  public void readBack() {
    if (reading) {
      return;
    }
    reading = true;
    sentSinceRead.clear();
    after(
        connection.flowStats(),
        loop,
        answer -> {
          reading = false;
          if (!closed) {
            compare(answer);
          }
        });
  }

  private void compare(Answer<List<FlowStats>> answer) {
    if (!(answer instanceof Answer.Of<List<FlowStats>> read)) {
      log.info(
          connection.deviceId(),
          "{}: flow tables could not be read: {}",
          connection.deviceId(),
          answer.whyNone());
      if (!compared) {
        alarm.after(RETRY_MILLIS, this::readBackAgain);
      }
      return;
    }
    ReportedEntries reported = new ReportedEntries(read.value());
    damaged = 0;
    for (IntentKey key : tables.keysOf(connection.dpid())) {
      Held<Intent> intent = tables.intents().held(key);
      if (intent != null) {
        compareRule(key, intent.value(), reported.take(intent.value().rule()));
      }
    }
    List<FlowMod> deletes = orphans.deletes(reported.unexplained());
    if (!deletes.isEmpty()) {
      connection.flowMods(deletes);
    }
    reportDamaged();
    compared = true;
    tryRefusedAgain();
    send();
  }

  /** Logs what others deleted or changed; not at first, since the switch may have restarted. */
  private void reportDamaged() {
    if (damaged > 0 && compared) {
      healed = damaged + " rules had been deleted or changed and are sent again";
      putBack += damaged;
      healedMillis = wallMillis.getAsLong();
      log.warn(connection.deviceId(), "{}: {}", connection.deviceId(), healed);
    }
  }

  @Override
  public String trouble() {
    boolean recent = wallMillis.getAsLong() - healedMillis <= SwitchTroubles.SHOWN_MILLIS;
    return recent ? healed : "";
  }

  @Override
  public long putBack() {
    return putBack;
  }

  private void readBackAgain() {
    if (!closed) {
      readBack();
    }
  }

  private void compareRule(IntentKey key, Intent intent, ReportedEntries.Found found) {
    if (sentSinceRead.contains(key)) {
      return;
    }
    RuleState state = tables.present(key);
    FlowRule rule = intent.rule();
    FlowStats entry = found.entry();
    if (entry != null) {
      counters.put(key, entry);
    }
    if (intent.remove() || state == null) {
      dirty.add(key);
    } else if (!state.installed()) {
      refused.add(key);
    } else if (entry != null) {
      if (!EntryComparison.sameActions(entry.tableId(), rule.treatment(), entry.treatment())) {
        sendDamaged(key);
      }
    } else {
      counters.remove(key);
      boolean permanent = rule.isPermanent() && rule.hardTimeout() == 0;
      if (permanent || found.elsewhere()) {
        sendDamaged(key);
      } else {
        outcomes.expire(key);
      }
    }
  }

  private void sendDamaged(IntentKey key) {
    dirty.add(key);
    damaged++;
  }

  private void tryRefusedAgain() {
    refused.removeIf(
        key -> {
          RuleState state = tables.present(key);
          return state == null || state.installed();
        });
    refused.stream().limit(MAX_RETRIES).forEach(dirty::add);
  }

  /** Sends a batch of changed rules, unless one is under way. */
  private void send() {
    if (sending || !compared || dirty.isEmpty()) {
      return;
    }
    List<IntentKey> keys = new ArrayList<>();
    List<Held<Intent>> intents = new ArrayList<>();
    List<FlowMod> mods = new ArrayList<>();
    for (IntentKey key : List.copyOf(dirty)) {
      dirty.remove(key);
      Held<Intent> intent = tables.intents().held(key);
      if (intent != null) {
        keys.add(key);
        intents.add(intent);
        mods.add(flowMod(intent.value()));
        sentSinceRead.add(key);
      }
      if (mods.size() == MAX_BATCH) {
        break;
      }
    }
    if (mods.isEmpty()) {
      return;
    }
    sending = true;
    after(connection.flowModsConfirmed(mods), loop, said -> confirmed(keys, intents, said));
  }

  private static FlowMod flowMod(Intent intent) {
    FlowRule rule = intent.rule();
    boolean permanent = rule.isPermanent();
    return new FlowMod(
        intent.remove() ? FlowMod.Operation.DELETE_STRICT : FlowMod.Operation.ADD,
        IntentTable.tableNumber(rule),
        rule.priority(),
        Cookies.intended(rule),
        intent.remove() ? -1L : 0,
        permanent ? 0 : rule.timeout(),
        rule.hardTimeout(),
        !intent.remove() && (!permanent || rule.hardTimeout() > 0),
        PacketIn.NO_BUFFER,
        rule.selector(),
        intent.remove() ? DefaultTrafficTreatment.emptyTreatment() : rule.treatment());
  }

  private void confirmed(
      List<IntentKey> keys, List<Held<Intent>> intents, List<FlowModOutcome> said) {
    sending = false;
    if (closed) {
      return;
    }
    RuleOutcomes.Collected states = outcomes.collect(connection.deviceId());
    boolean again = false;
    for (int i = 0; i < keys.size(); i++) {
      IntentKey key = keys.get(i);
      Held<Intent> intent = intents.get(i);
      FlowModOutcome outcome = said.get(i);
      refused.remove(key);
      again |=
          switch (outcome.kind()) {
            case INSTALLED -> {
              if (!forgets(key, intent)) {
                states.add(key, intent.version(), "");
              }
              yield false;
            }
            case REFUSED -> {
              if (!forgets(key, intent)) {
                refused.add(key);
                states.add(key, intent.version(), refusal(intent.value().rule(), outcome.why()));
              }
              yield false;
            }
            case UNKNOWN -> {
              dirty.add(key);
              yield true;
            }
          };
    }
    logFailure("writing states of rules", states.write());
    if (again) {
      alarm.after(RETRY_MILLIS, this::sendAgain);
    } else {
      send();
    }
  }

  /** Forgets a rule whose removal was requested; false for another rule. */
  private boolean forgets(IntentKey key, Held<Intent> intent) {
    if (intent.value().remove()) {
      outcomes.forget(key, intent);
    }
    return intent.value().remove();
  }

  private String refusal(FlowRule rule, String error) {
    long used = 0;
    for (IntentKey key : tables.keysOf(connection.dpid())) {
      RuleState state = tables.present(key);
      used += state != null && state.installed() ? 1 : 0;
    }
    return String.format(
        "%s, table %d: priority %d %s: the switch refused it: %s (capacity unknown: its profile says"
            + " that it takes everything; %d rules used)",
        connection.deviceId(),
        IntentTable.tableNumber(rule),
        rule.priority(),
        rule.selector().criteria(),
        error,
        used);
  }

  private void sendAgain() {
    if (!closed) {
      send();
    }
  }
}
