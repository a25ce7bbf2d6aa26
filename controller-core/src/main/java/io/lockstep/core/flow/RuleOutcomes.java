package io.lockstep.core.flow;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.mastership.DomainWriter;
import io.lockstep.core.mastership.FencedWrite;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.ReplyWords;
import io.lockstep.core.state.TableView.Held;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Command.Guard;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;

/**
 * Writes the states of intended rules to the store, under one mastership. Repeats a write that the
 * store did not acknowledge, with the latest states only. Control loop only.
 */
final class RuleOutcomes {
  private static final BoundedLog log = BoundedLog.of(RuleOutcomes.class);
  private static final long RETRY_MILLIS = 500;

  /** Removals of expired rules of one switch that are on their way to the store. */
  static final int MAX_EXPIRING = 256;

  private static final RuleStateTable STATES = new RuleStateTable();

  private final RuleTables tables;
  private final StoreClient store;
  private final DomainWriter writer;
  private final Executor loop;
  private final Alarm alarm;
  private final long epoch;
  private final @Nullable RulesInNode inNode;

  /** The latest states that this node wrote: its view may not show them yet. */
  private final Map<IntentKey, RuleState> latest = new HashMap<>();

  /** Expired rules whose removal waits, each once. */
  private final Set<IntentKey> over = new LinkedHashSet<>();

  /** Expired rules whose removal is on its way. */
  private final Set<IntentKey> expiring = new HashSet<>();

  private boolean closed;

  /**
   * Outcomes under the epoch of a mastership.
   *
   * @param inNode hears of rules that the switch does not have; null where the node applies none
   */
  RuleOutcomes(
      RuleTables tables,
      StoreClient store,
      DomainWriter writer,
      Executor loop,
      Alarm alarm,
      long epoch,
      @Nullable RulesInNode inNode) {
    this.tables = tables;
    this.store = store;
    this.writer = writer;
    this.loop = loop;
    this.alarm = alarm;
    this.epoch = epoch;
    this.inNode = inNode;
  }

  /** Ends with the mastership, and repeats no write. */
  void close() {
    closed = true;
  }

  private @Nullable RuleState known(IntentKey key) {
    RuleState written = latest.get(key);
    return written == null ? tables.states().known(key) : written;
  }

  /** States of several rules of one switch, to be written at once. */
  Collected collect(DeviceId device) {
    return new Collected(device);
  }

  /**
   * A temporary rule has expired. Removes its intention once, however often this is called. At most
   * {@link #MAX_EXPIRING} removals are on their way.
   */
  void expire(IntentKey key) {
    if (tables.intents().held(key) != null && !expiring.contains(key)) {
      over.add(key);
      expireSome();
    }
  }

  private void expireSome() {
    while (!closed && expiring.size() < MAX_EXPIRING && !over.isEmpty()) {
      IntentKey key = over.iterator().next();
      over.remove(key);
      Held<Intent> intent = tables.intents().held(key);
      if (intent != null) {
        expiring.add(key);
        remove(
            key,
            intent,
            () -> {
              expiring.remove(key);
              expireSome();
            });
      }
    }
  }

  /** Removes the intention, unless it was changed meanwhile, and its state with it. */
  void forget(IntentKey key, Held<Intent> intent) {
    remove(key, intent, () -> {});
  }

  /**
   * Both are removed at one index. If the state were removed later, an application could have
   * requested the rule again by then, and the removal would take the new state away.
   */
  private void remove(IntentKey key, Held<Intent> intent, Runnable answered) {
    latest.remove(key);
    Bytes id = key.encode();
    after(
        store.submit(
            new Command.Batch(
                List.of(new Guard(IntentTable.NAME, id, intent.version())),
                List.of(
                    new Command.Remove(IntentTable.NAME, id),
                    new Command.Remove(RuleStateTable.NAME, id)))),
        loop,
        reply -> answered.run());
  }

  /** States of rules that the store does not have yet. */
  final class Collected {
    private final DeviceId device;
    private final Map<IntentKey, RuleState> states = new LinkedHashMap<>();

    private Collected(DeviceId device) {
      this.device = device;
    }

    /**
     * Adds a state.
     *
     * @param version of the intention that the state belongs to
     * @param error why the rule is not in the switch; empty where it is
     */
    void add(IntentKey key, long version, String error) {
      add(key, new RuleState(version, error.isEmpty(), error, epoch));
    }

    /**
     * Adds that the switch still has a rule that is to be removed.
     *
     * @param version of the intention to remove it
     */
    void addRefusedRemoval(IntentKey key, long version, String error) {
      add(key, new RuleState(version, true, error, epoch));
    }

    private void add(IntentKey key, RuleState state) {
      if (!state.equals(known(key))) {
        states.put(key, state);
      }
    }

    /** Adds a state, unless the store has the same one under any epoch. */
    void addIfNews(IntentKey key, long version, String error) {
      Intent intent = tables.intents().known(key);
      if (inNode != null && intent != null) {
        inNode.decided(key, intent.rule(), !error.isEmpty());
      }
      RuleState known = known(key);
      boolean same =
          known != null && known.intentVersion() == version && known.error().equals(error);
      if (!same) {
        add(key, version, error);
      }
    }

    /**
     * Writes the states. Completes on the control loop when the store has these or later ones.
     *
     * @return the index at which it has them; 0 where it had them before
     */
    CompletableFuture<Long> write() {
      CompletableFuture<Long> told = new CompletableFuture<>();
      latest.putAll(states);
      write(told);
      return told;
    }

    private void write(CompletableFuture<Long> told) {
      List<Write> writes = new ArrayList<>();
      states.forEach(
          (key, state) ->
              writes.add(
                  new Write.Put(RuleStateTable.NAME, key.encode(), STATES.encodeValue(state))));
      if (writes.isEmpty()) {
        told.complete(0L);
        return;
      }
      after(writer.write(device, writes), loop, reply -> answered(reply, told));
    }

    private void answered(Reply reply, CompletableFuture<Long> told) {
      if (closed) {
        return;
      }
      OptionalLong at = FencedWrite.appliedAt(reply);
      if (at.isEmpty()) {
        log.info(device, "{}: states of rules not stored yet: {}", device, ReplyWords.of(reply));
        alarm.after(
            RETRY_MILLIS,
            () -> {
              // Leaves out states that a later one replaced, and those of removed rules.
              states.entrySet().removeIf(one -> !one.getValue().equals(latest.get(one.getKey())));
              write(told);
            });
      } else {
        told.complete(at.getAsLong());
      }
    }
  }
}
