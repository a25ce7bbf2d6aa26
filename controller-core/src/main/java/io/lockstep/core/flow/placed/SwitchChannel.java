package io.lockstep.core.flow.placed;

import io.lockstep.core.mastership.FencedWrite;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.state.Continuations;
import io.lockstep.core.state.ReplyWords;
import io.lockstep.store.logging.BoundedLog;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Carries requests of one placed switch to the switch and to the store. Every answer arrives on the
 * control loop; none arrives after {@link #close}. Control loop only.
 */
final class SwitchChannel {
  private static final BoundedLog log = BoundedLog.of(SwitchChannel.class);
  private static final long RETRY_MILLIS = 500;

  private final SwitchConnection connection;
  private final SwitchEnvironment environment;
  private boolean closed;

  SwitchChannel(SwitchConnection connection, SwitchEnvironment environment) {
    this.connection = connection;
    this.environment = environment;
  }

  /** The switch's device id, for messages. */
  String name() {
    return connection.deviceId().toString();
  }

  /** Milliseconds since 1970. */
  long nowMillis() {
    return environment.wallMillis().getAsLong();
  }

  void close() {
    closed = true;
  }

  boolean closed() {
    return closed;
  }

  /** Queues a task on the control loop. */
  void soon(Runnable task) {
    environment.loop().execute(() -> runUnlessClosed(task));
  }

  /** Runs a task on the control loop later. */
  void after(long millis, Runnable task) {
    environment.alarm().after(millis, () -> runUnlessClosed(task));
  }

  private <T> void goOn(CompletableFuture<T> answer, Consumer<? super T> then) {
    Continuations.after(
        answer, environment.loop(), value -> runUnlessClosed(() -> then.accept(value)));
  }

  private void runUnlessClosed(Runnable task) {
    if (!closed) {
      task.run();
    }
  }

  /** Sends flow-mods and a barrier; gives one outcome for each flow-mod, in order. */
  void send(List<FlowMod> mods, Consumer<List<FlowModOutcome>> then) {
    goOn(connection.flowModsConfirmed(mods), then);
  }

  /** Reads the flow statistics; gives nothing where the switch does not answer with them. */
  void read(Consumer<Optional<List<FlowStats>>> then) {
    goOn(connection.flowStats(), answer -> then.accept(read(answer)));
  }

  private Optional<List<FlowStats>> read(Answer<List<FlowStats>> answer) {
    if (answer instanceof Answer.Of<List<FlowStats>> read) {
      return Optional.of(read.value());
    }
    log.info(name(), "{}: the node could not read the flow tables: {}", name(), answer.whyNone());
    return Optional.empty();
  }

  /**
   * Writes to the store and repeats the write until the store acknowledges it. Where another master
   * has taken over, the store rejects it each time, and the node closes this channel before long.
   */
  void write(List<Write> writes, Runnable then) {
    goOn(
        environment.writer().write(connection.deviceId(), writes),
        reply -> {
          if (FencedWrite.appliedAt(reply).isPresent()) {
            then.run();
          } else {
            log.info(
                name(),
                "{}: the store did not acknowledge the placement yet: {}",
                name(),
                ReplyWords.of(reply));
            after(RETRY_MILLIS, () -> write(writes, then));
          }
        });
  }
}
