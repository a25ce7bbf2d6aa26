package io.lockstep.core.packet;

import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableView;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.TableDef;
import io.lockstep.store.typed.WriteOutcome;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Which applications operators deactivated, in the whole cluster. Each node follows the table, so
 * it shows no packet and no event to a deactivated application from a moment after the change. What
 * such an application asked the store before goes on, and its flow entries stay until their time is
 * up. Thread-safe.
 */
public final class ApplicationStates {
  private final TableDef<String, Long> table;
  private final TableView<String, Long> view;
  private final Store store;
  private final LongSupplier wallMillis;

  /** Read for each packet, so it is kept apart from the view. */
  private volatile Set<String> deactivated = Set.of();

  /**
   * Declares the table.
   *
   * @param wallMillis milliseconds since 1970
   */
  public ApplicationStates(NodeState state, Store store, LongSupplier wallMillis) {
    DeactivatedTable codec = new DeactivatedTable();
    this.table =
        TableDef.of(
            DeactivatedTable.NAME,
            Codec.of(codec::encodeKey, codec::decodeKey),
            Codec.of(codec::encodeValue, codec::decodeValue));
    this.view = state.declare(DeactivatedTable.NAME, codec);
    this.store = store;
    this.wallMillis = wallMillis;
    view.addListener(
        (application, old, now) ->
            deactivated = view.entries().keySet().stream().collect(Collectors.toUnmodifiableSet()));
  }

  /** Whether the application is to decide, as this node knows it. */
  public boolean isActive(String application) {
    Set<String> now = deactivated;
    return now.isEmpty() || !now.contains(application);
  }

  /** Reports applications that became active again, on the control loop; added before the start. */
  public void onActivation(Consumer<String> listener) {
    view.addListener(
        (application, old, now) -> {
          if (old != null && now == null) {
            listener.accept(application);
          }
        });
  }

  /**
   * Changes an application's state. What it is already, it may be made again.
   *
   * @return whether that changed something; a conflict or a failure where it could not be written
   */
  public CompletableFuture<WriteOutcome<Boolean>> set(String application, boolean active) {
    return active
        ? store.table(table).remove(application)
        : store
            .table(table)
            .put(application, wallMillis.getAsLong())
            .thenApply(outcome -> outcome.map(version -> true));
  }
}
