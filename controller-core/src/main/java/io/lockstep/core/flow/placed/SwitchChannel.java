package io.lockstep.core.flow.placed;

import io.lockstep.core.mastership.FencedWrite;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PortGroup;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.state.Continuations;
import io.lockstep.core.state.ReplyWords;
import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries requests of one placed switch to the switch and to the store. Every answer arrives on the
 * control loop; none arrives after {@link #close}. Control loop only.
 */
final class SwitchChannel {
  private static final BoundedLog log = BoundedLog.of(SwitchChannel.class);
  private static final long RETRY_MILLIS = 500;

  private final SwitchConnection connection;
  private final SwitchEnvironment environment;
  private final @Nullable FixedEntries fixed;
  private final @Nullable PortPreparation preparation;
  private boolean closed;

  /**
   * A channel.
   *
   * @param fixed the form of the entries; null where they are written as they are
   */
  SwitchChannel(
      SwitchConnection connection, SwitchEnvironment environment, @Nullable FixedEntries fixed) {
    this.connection = connection;
    this.environment = environment;
    this.fixed = fixed;
    this.preparation =
        fixed == null ? null : new PortPreparation(connection, fixed, environment.loop());
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
    if (fixed == null || preparation == null) {
      goOn(connection.flowModsConfirmed(mods), then);
      return;
    }
    List<FlowMod> all = new ArrayList<>();
    int[] ends = new int[mods.size()];
    for (int i = 0; i < ends.length; i++) {
      all.addAll(fixed.toSwitch(mods.get(i)));
      ends[i] = all.size();
    }
    goOn(
        preparation.newPorts(),
        ready ->
            goOn(
                connection.flowModsConfirmed(all),
                outcomes -> then.accept(ofEach(ends, outcomes))));
  }

  /** One outcome for the parts of each flow-mod: the first that is not installed, if one is. */
  private static List<FlowModOutcome> ofEach(int[] ends, List<FlowModOutcome> parts) {
    List<FlowModOutcome> outcomes = new ArrayList<>(ends.length);
    int from = 0;
    for (int end : ends) {
      List<FlowModOutcome> own = parts.subList(from, end);
      outcomes.add(
          own.stream()
              .filter(one -> !(one instanceof FlowModOutcome.Installed))
              .findFirst()
              .orElse(own.get(0)));
      from = end;
    }
    return outcomes;
  }

  /** Reads the flow statistics; gives nothing where the switch does not answer with them. */
  void read(Consumer<Optional<List<FlowStats>>> then) {
    goOn(
        connection.flowStats(),
        answer -> {
          Optional<List<FlowStats>> seen = read(answer);
          if (fixed == null || preparation == null || seen.isEmpty()) {
            then.accept(seen);
          } else {
            goOn(groups(fixed), groups -> readFixed(fixed, preparation, seen.get(), groups, then));
          }
        });
  }

  private CompletableFuture<Answer<List<PortGroup>>> groups(FixedEntries form) {
    return form.groups()
        ? connection.portGroups()
        : CompletableFuture.completedFuture(new Answer.Of<>(List.of()));
  }

  private void readFixed(
      FixedEntries form,
      PortPreparation ports,
      List<FlowStats> seen,
      Answer<List<PortGroup>> answer,
      Consumer<Optional<List<FlowStats>>> then) {
    if (answer instanceof Answer.Of<List<PortGroup>> groups) {
      goOn(
          ports.afterReading(seen, groups.value()),
          ready -> then.accept(Optional.of(form.fromSwitch(seen))));
    } else {
      log.info(name(), "{}: the node could not read the groups: {}", name(), answer.whyNone());
      then.accept(Optional.empty());
    }
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
