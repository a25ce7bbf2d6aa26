package io.lockstep.core.flow;

import io.lockstep.core.mastership.DomainWriter;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.mastership.SwitchScope;
import io.lockstep.core.state.TableView.Held;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.onosproject.net.DeviceId;

/** Tells the store what became of intended rules. Control loop only. */
final class RuleOutcomes {
  private static final IntentTable INTENTS = new IntentTable();
  private static final RuleStateTable STATES = new RuleStateTable();

  private final RuleTables tables;
  private final StoreClient store;
  private final DomainWriter writer;
  private final Executor loop;
  private final long epoch;

  /** Outcomes under the epoch of a mastership. */
  RuleOutcomes(
      RuleTables tables, StoreClient store, DomainWriter writer, Executor loop, long epoch) {
    this.tables = tables;
    this.store = store;
    this.writer = writer;
    this.loop = loop;
    this.epoch = epoch;
  }

  /** States of several rules of one switch, to be written at once. */
  Collected collect(DeviceId device) {
    return new Collected(device);
  }

  /** A temporary rule is over. */
  void expire(RuleKey key) {
    Held<Intent> intent = tables.intents().held(key);
    if (intent != null) {
      forget(key, intent);
    }
  }

  /** Removes the intention, unless it was changed meanwhile, and then its state. */
  void forget(RuleKey key, Held<Intent> intent) {
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

  /** States that are news. */
  final class Collected {
    private final DeviceId device;
    private final List<Write> writes = new ArrayList<>();

    private Collected(DeviceId device) {
      this.device = device;
    }

    /**
     * Adds a state.
     *
     * @param version of the intention that it is about
     * @param error why the rule is not in the switch; empty where it is
     */
    void add(RuleKey key, long version, String error) {
      RuleState state = new RuleState(version, error.isEmpty(), error, epoch);
      if (!state.equals(tables.states().get(key))) {
        writes.add(new Write.Put(RuleStateTable.NAME, key.encode(), STATES.encodeValue(state)));
      }
    }

    /** Adds a state, unless one that says the same was written, under whatever epoch. */
    void addIfNews(RuleKey key, long version, String error) {
      RuleState known = tables.states().get(key);
      boolean same =
          known != null && known.intentVersion() == version && known.error().equals(error);
      if (!same) {
        add(key, version, error);
      }
    }

    void write() {
      if (!writes.isEmpty()) {
        writer.write(device, writes);
      }
    }
  }
}
