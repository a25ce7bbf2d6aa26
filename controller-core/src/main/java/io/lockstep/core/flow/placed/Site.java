package io.lockstep.core.flow.placed;

import io.lockstep.core.flow.placed.PlacedSwitch.Surroundings;
import io.lockstep.core.mastership.FencedWrite;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.placer.Placer;
import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A placed switch, its ledger and its placer, with the ways to the switch and to the store. Owned
 * by the control loop, where all answers are given; none comes once the site is closed.
 */
final class Site {
  private static final BoundedLog log = BoundedLog.of(Site.class);
  private static final long RETRY_MILLIS = 500;

  /** Rows in one write: below what a fenced write takes, and far below its bytes. */
  private static final int MAX_ROWS = 1_000;

  final SwitchConnection connection;
  final Layout layout;
  final PlacementLedger ledger;
  private final Surroundings around;
  private @Nullable Placer placer;
  private boolean closed;

  /** Flow-mods and changes of the placer so far; tells whether something happened meanwhile. */
  long turns;

  Site(SwitchConnection connection, Layout layout, PlacementLedger ledger, Surroundings around) {
    this.connection = connection;
    this.layout = layout;
    this.ledger = ledger;
    this.around = around;
  }

  Placer placer() {
    if (placer == null) {
      throw new IllegalStateException(name() + " was not read yet");
    }
    return placer;
  }

  /** Whether the switch was read. */
  boolean known() {
    return placer != null;
  }

  void placer(Placer restored) {
    placer = restored;
  }

  String name() {
    return connection.deviceId().toString();
  }

  long now() {
    return around.wallMillis().getAsLong();
  }

  void close() {
    closed = true;
  }

  boolean closed() {
    return closed;
  }

  /** Runs something on the control loop, unless the site is closed by then. */
  void soon(Runnable task) {
    around
        .loop()
        .execute(
            () -> {
              if (!closed) {
                task.run();
              }
            });
  }

  /** The same later. */
  void after(long millis, Runnable task) {
    around
        .alarm()
        .after(
            millis,
            () -> {
              if (!closed) {
                task.run();
              }
            });
  }

  /** Sends flow-mods and waits for the switch. */
  void send(List<FlowMod> mods, Consumer<List<FlowModOutcome>> then) {
    turns++;
    connection.flowModsConfirmed(mods).thenAccept(outcomes -> soon(() -> then.accept(outcomes)));
  }

  /** Reads the flow statistics. */
  void read(Consumer<Answer<List<FlowStats>>> then) {
    connection.flowStats().thenAccept(answer -> soon(() -> then.accept(answer)));
  }

  /**
   * Tells the store what it does not know yet, then goes on. Tried until it succeeds: where another
   * master has taken over, this site is closed before long.
   */
  void write(Runnable then) {
    if (ledger.written()) {
      then.run();
      return;
    }
    List<Write> writes = new ArrayList<>(ledger.takeRows(MAX_ROWS).values());
    Write plan = ledger.takePlan();
    if (plan != null) {
      writes.add(plan);
    }
    write(writes, () -> write(then));
  }

  private void write(List<Write> writes, Runnable then) {
    around
        .writer()
        .write(connection.deviceId(), writes)
        .thenAccept(
            reply ->
                soon(
                    () -> {
                      if (FencedWrite.appliedAt(reply).isEmpty()) {
                        log.info(name(), "{}: placement not stored yet: {}", name(), reply);
                        after(RETRY_MILLIS, () -> write(writes, then));
                      } else {
                        then.run();
                      }
                    }));
  }

  static {
    if (MAX_ROWS >= FencedWrite.MAX_WRITES) {
      throw new IllegalStateException("more rows than a fenced write takes");
    }
  }
}
