package io.lockstep.core.flow;

import io.lockstep.core.mastership.DomainWriter;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.mastership.Mastery;
import io.lockstep.core.mastership.SwitchScope;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.TableView.Held;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the switches that this node masters follow the intended rules: sends what changed, one
 * confirmed batch at a time for each switch, records what the switch said, and reads the flow
 * tables back now and then. It touches entries of intended rules only, told by their cookies:
 *
 * <ul>
 *   <li>a permanent rule that is missing is added again; adding is idempotent;
 *   <li>a temporary rule that was installed and is missing has expired: the intention goes;
 *   <li>an entry without intention is deleted once two read-backs in a row showed it.
 * </ul>
 *
 * <p>Owned by the control loop; the listener's methods hand over.
 */
public final class RuleInstaller implements Mastery.Listener {
  private static final Logger log = LoggerFactory.getLogger(RuleInstaller.class);
  private static final IntentTable INTENTS = new IntentTable();
  private static final RuleStateTable STATES = new RuleStateTable();
  private static final int MAX_BATCH = 256;
  private static final long RETRY_MILLIS = 1_000;

  private final RuleTables tables;
  private final StoreClient store;
  private final DomainWriter writer;
  private final Executor loop;
  private final Alarm alarm;
  private final Map<Long, Target> targets = new HashMap<>();
  private final Map<RuleKey, FlowStats> counters = new ConcurrentHashMap<>();

  /**
   * An installer; the caller adds it as a listener of mastery and calls {@link #readBack}.
   *
   * @param loop the control loop
   */
  public RuleInstaller(
      RuleTables tables, StoreClient store, DomainWriter writer, Executor loop, Alarm alarm) {
    this.tables = tables;
    this.store = store;
    this.writer = writer;
    this.loop = loop;
    this.alarm = alarm;
    tables.intents().addListener((key, old, now) -> intentChanged(key, now));
  }

  /** Counters of the last read-back, where this node masters the switch. Thread-safe. */
  @Nullable FlowStats counters(RuleKey key) {
    return counters.get(key);
  }

  @Override
  public void gained(SwitchConnection connection, long epoch) {
    loop.execute(
        () -> {
          Target target = new Target(connection, epoch);
          targets.put(connection.dpid(), target);
          readBack(target);
        });
  }

  @Override
  public void lost(SwitchConnection connection, String reason) {
    loop.execute(
        () -> {
          Target target = targets.get(connection.dpid());
          if (target != null && target.connection == connection) {
            targets.remove(connection.dpid());
            counters.keySet().removeIf(key -> key.dpid() == connection.dpid());
          }
        });
  }

  /** An entry went by its time-out. */
  public void flowRemoved(SwitchConnection connection, FlowRemoved removed) {
    boolean expired =
        removed.reason() == FlowRemoved.Reason.IDLE_TIMEOUT
            || removed.reason() == FlowRemoved.Reason.HARD_TIMEOUT;
    if (expired && Cookies.isIntended(removed.cookie())) {
      loop.execute(
          () -> {
            Target target = targets.get(connection.dpid());
            if (target != null && target.connection == connection) {
              tables.keysOf(connection.dpid()).stream()
                  .filter(key -> isCookieOf(key, removed.cookie()))
                  .forEach(this::expire);
            }
          });
    }
  }

  private boolean isCookieOf(RuleKey key, long cookie) {
    Held<Intent> intent = tables.intents().held(key);
    return intent != null && Cookies.intended(intent.value().rule()) == cookie;
  }

  private void intentChanged(RuleKey key, @Nullable Intent now) {
    Target target = targets.get(key.dpid());
    if (now == null) {
      counters.remove(key);
    } else if (target != null) {
      target.dirty.add(key);
      send(target);
    }
  }

  /** Reads the flow tables of all switches mastered here. */
  public void readBack() {
    List.copyOf(targets.values()).forEach(this::readBack);
  }

  private void readBack(Target target) {
    if (target.reading) {
      return;
    }
    target.reading = true;
    target.sentSinceRead.clear();
    target
        .connection
        .flowStats()
        .thenAccept(
            answer ->
                loop.execute(
                    () -> {
                      target.reading = false;
                      if (targets.get(target.connection.dpid()) == target) {
                        compare(target, answer);
                      }
                    }));
  }

  private void compare(Target target, Answer<List<FlowStats>> answer) {
    if (!(answer instanceof Answer.Of<List<FlowStats>> read)) {
      log.info("{}: flow tables could not be read: {}", target.connection.deviceId(), answer);
      if (!target.compared) {
        alarm.after(RETRY_MILLIS, () -> readBackAgain(target));
      }
      return;
    }
    Map<Long, FlowStats> byCookie = new HashMap<>();
    for (FlowStats entry : read.value()) {
      if (Cookies.isIntended(entry.cookie())) {
        byCookie.put(entry.cookie(), entry);
      }
    }
    for (RuleKey key : tables.keysOf(target.connection.dpid())) {
      Held<Intent> intent = tables.intents().held(key);
      if (intent != null) {
        long cookie = Cookies.intended(intent.value().rule());
        compareRule(target, key, intent.value(), byCookie.remove(cookie));
      }
    }
    removeOrphans(target, byCookie);
    target.compared = true;
    send(target);
  }

  private void readBackAgain(Target target) {
    if (targets.get(target.connection.dpid()) == target) {
      readBack(target);
    }
  }

  private void compareRule(Target target, RuleKey key, Intent intent, @Nullable FlowStats entry) {
    if (target.sentSinceRead.contains(key)) {
      return;
    }
    RuleState state = tables.present(key);
    if (entry != null) {
      counters.put(key, entry);
      if (intent.remove() || state == null) {
        target.dirty.add(key);
      }
    } else if (intent.remove() || state == null) {
      target.dirty.add(key);
    } else if (state.installed()) {
      counters.remove(key);
      if (intent.rule().isPermanent() && intent.rule().hardTimeout() == 0) {
        target.dirty.add(key);
      } else {
        expire(key);
      }
    }
  }

  private void expire(RuleKey key) {
    Held<Intent> intent = tables.intents().held(key);
    if (intent != null) {
      forget(key, intent);
    }
  }

  /** An entry that no intention explains goes when it is seen for the second time in a row. */
  private void removeOrphans(Target target, Map<Long, FlowStats> orphans) {
    List<FlowMod> deletes = new ArrayList<>();
    for (FlowStats orphan : orphans.values()) {
      if (target.orphans.contains(orphan.cookie()) && deletes.size() < MAX_BATCH) {
        deletes.add(
            new FlowMod(
                FlowMod.Operation.DELETE_STRICT,
                orphan.tableId(),
                orphan.priority(),
                orphan.cookie(),
                -1L,
                0,
                0,
                false,
                PacketIn.NO_BUFFER,
                orphan.selector(),
                DefaultTrafficTreatment.emptyTreatment()));
      }
    }
    target.orphans = new HashSet<>(orphans.keySet());
    if (!deletes.isEmpty()) {
      target.connection.flowMods(deletes);
    }
  }

  /** Sends a batch of what changed, where none is on its way. */
  private void send(Target target) {
    if (target.sending || !target.compared || target.dirty.isEmpty()) {
      return;
    }
    List<RuleKey> keys = new ArrayList<>();
    List<Held<Intent>> intents = new ArrayList<>();
    List<FlowMod> mods = new ArrayList<>();
    for (RuleKey key : List.copyOf(target.dirty)) {
      target.dirty.remove(key);
      Held<Intent> intent = tables.intents().held(key);
      if (intent != null) {
        keys.add(key);
        intents.add(intent);
        mods.add(flowMod(intent.value()));
        target.sentSinceRead.add(key);
      }
      if (mods.size() == MAX_BATCH) {
        break;
      }
    }
    if (mods.isEmpty()) {
      return;
    }
    target.sending = true;
    target
        .connection
        .flowModsConfirmed(mods)
        .thenAccept(outcomes -> loop.execute(() -> confirmed(target, keys, intents, outcomes)));
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
      Target target,
      List<RuleKey> keys,
      List<Held<Intent>> intents,
      List<FlowModOutcome> outcomes) {
    target.sending = false;
    if (targets.get(target.connection.dpid()) != target) {
      return;
    }
    List<Write> writes = new ArrayList<>();
    boolean again = false;
    for (int i = 0; i < keys.size(); i++) {
      RuleKey key = keys.get(i);
      Held<Intent> intent = intents.get(i);
      FlowModOutcome outcome = outcomes.get(i);
      if (outcome instanceof FlowModOutcome.Unknown) {
        target.dirty.add(key);
        again = true;
      } else if (intent.value().remove()) {
        forget(key, intent);
      } else {
        String error = outcome instanceof FlowModOutcome.Refused refused ? refused.error() : "";
        RuleState state = new RuleState(intent.version(), error.isEmpty(), error, target.epoch);
        if (!state.equals(tables.states().get(key))) {
          writes.add(new Write.Put(RuleStateTable.NAME, key.encode(), STATES.encodeValue(state)));
        }
      }
    }
    if (!writes.isEmpty()) {
      writer.write(target.connection.deviceId(), writes);
    }
    if (again) {
      alarm.after(RETRY_MILLIS, () -> sendAgain(target));
    } else {
      send(target);
    }
  }

  private void sendAgain(Target target) {
    if (targets.get(target.connection.dpid()) == target) {
      send(target);
    }
  }

  /** Removes the intention, unless it was changed meanwhile, and then its state. */
  private void forget(RuleKey key, Held<Intent> intent) {
    store
        .submit(
            new Command.RemoveVersion(IntentTable.NAME, INTENTS.encodeKey(key), intent.version()))
        .thenAccept(
            reply ->
                loop.execute(
                    () -> {
                      if (reply instanceof Reply.Applied) {
                        writer.write(
                            SwitchScope.deviceId(key.dpid()),
                            List.of(new Write.Remove(RuleStateTable.NAME, key.encode())));
                      }
                    }));
  }

  /** A switch mastered here. */
  private static final class Target {
    final SwitchConnection connection;
    final long epoch;

    /** Rules to send, in the order in which they changed. */
    final Set<RuleKey> dirty = new LinkedHashSet<>();

    /** Rules sent since the last read-back began: it says nothing about them. */
    final Set<RuleKey> sentSinceRead = new HashSet<>();

    /** Cookies without intention in the last read-back. */
    Set<Long> orphans = new HashSet<>();

    /** Whether the switch was compared with the intentions once; nothing is sent before. */
    boolean compared;

    boolean reading;
    boolean sending;

    Target(SwitchConnection connection, long epoch) {
      this.connection = connection;
      this.epoch = epoch;
    }
  }
}
