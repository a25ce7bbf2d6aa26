package io.lockstep.bench.variant;

import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.host.DeviceAccess;
import io.lockstep.core.packet.CachedQuestions;
import io.lockstep.core.packet.FrameView;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paper's device manager in a node: carries out the questions of a {@link DeviceVariant} for
 * each packet of a device. The packet goes on meanwhile, as in the product. At most {@link
 * #MOST_UNDER_WAY} packets wait for the store; what comes beside them is not looked at, and the log
 * says that once. Thread-safe.
 */
final class PaperDevices implements DeviceAccess {
  /** Packets whose questions are not answered yet, at most. */
  static final int MOST_UNDER_WAY = 512;

  private static final Logger log = LoggerFactory.getLogger(PaperDevices.class);

  private final DeviceVariant variant;
  private final OperationTrace trace;
  private final StoreClient store;
  private final CachedQuestions cache;
  private final LongSupplier wallMillis;
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicBoolean full = new AtomicBoolean();

  /**
   * The device manager of a node.
   *
   * @param nanoTime the clock of the store's client
   * @param wallMillis milliseconds since 1970
   */
  PaperDevices(
      DeviceVariant variant,
      OperationTrace trace,
      StoreClient store,
      LongSupplier nanoTime,
      LongSupplier wallMillis) {
    this.variant = variant;
    this.trace = trace;
    this.store = store;
    this.cache = new CachedQuestions(store, nanoTime, DeviceRecord.tables(variant.variant()));
    this.wallMillis = wallMillis;
  }

  @Override
  public void packetIn(FrameView packet) {
    if (underWay.incrementAndGet() > MOST_UNDER_WAY) {
      underWay.decrementAndGet();
      if (full.compareAndSet(false, true)) {
        log.warn("{} packets wait for the store; further ones are not looked at", MOST_UNDER_WAY);
      }
      return;
    }
    logFailure(
        "the device manager's questions",
        decide(DevicePacket.of(packet, wallMillis.getAsLong()))
            .whenComplete((decision, failure) -> underWay.decrementAndGet()));
  }

  /** Asks all that a packet leads to; completes with what is counted. */
  CompletableFuture<Decision> decide(DevicePacket packet) {
    OperationTrace.Event event = trace.begin("dm-known");
    return run(
        event.following(
            variant.packetIn(
                packet,
                outcome -> {
                  if (outcome.isNew()) {
                    event.is("dm-unknown");
                  }
                  return Decision.act(new Instruction.Count(outcome.isNew() ? "new" : "known"));
                })));
  }

  /** As a node does with an application: without an answer of the store the packet is dropped. */
  private CompletableFuture<Decision> run(Decision decision) {
    if (!(decision instanceof Decision.Ask ask)) {
      return CompletableFuture.completedFuture(decision);
    }
    return submit(ask)
        .thenCompose(
            reply ->
                reply instanceof Reply.Unknown || reply instanceof Reply.Rejected
                    ? CompletableFuture.completedFuture(Decision.DROP)
                    : run(ask.then().apply(reply)));
  }

  private CompletableFuture<Reply> submit(Decision.Ask ask) {
    return ask.freshness().isExact()
        ? store.submit(ask.command())
        : cache.submit(ask.command(), ask.freshness(), 0);
  }
}
