package io.lockstep.bench.variant;

import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.bench.variant.DeviceVariant.Outcome;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.host.DeviceAccess;
import io.lockstep.core.packet.CachedQuestions;
import io.lockstep.core.packet.FrameView;
import io.lockstep.core.recording.EventTrace;
import io.lockstep.core.recording.StoreTraffic;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
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

  /** In traces it is called as an application. */
  static final String NAME = "device-manager";

  private static final Decision UNANSWERED = Decision.act(new Instruction.Count("unanswered"));
  private static final Decision REJECTED = Decision.act(new Instruction.Count("rejected"));

  private static final Logger log = LoggerFactory.getLogger(PaperDevices.class);

  private final DeviceVariant variant;
  private final StoreTraffic traffic;
  private final StoreClient store;
  private final CachedQuestions cache;
  private final LongSupplier wallMillis;
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicBoolean full = new AtomicBoolean();

  /**
   * The device manager of a node.
   *
   * @param traffic of {@code store}
   * @param nanoTime the clock of the store's client
   * @param wallMillis milliseconds since 1970
   */
  PaperDevices(
      DeviceVariant variant,
      StoreClient store,
      StoreTraffic traffic,
      LongSupplier nanoTime,
      LongSupplier wallMillis) {
    this.variant = variant;
    this.store = store;
    this.traffic = traffic;
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

  /** Asks all that a packet leads to, as one event; completes with what is counted. */
  CompletableFuture<Decision> decide(DevicePacket packet) {
    EventTrace event = traffic.begin(NAME, "packet-in", packet.dpid(), packet.port());
    CompletableFuture<Decision> decided = run(event, variant.packetIn(packet, PaperDevices::count));
    return event == null
        ? decided
        : decided.whenComplete(
            (decision, failure) ->
                event.end(decision == null ? "application_failed" : outcome(decision)));
  }

  private static Decision count(Outcome outcome) {
    return Decision.act(new Instruction.Count(outcome.isNew() ? "new" : "known"));
  }

  /** In the words that a node has for packets. */
  private static String outcome(Decision decision) {
    return decision.equals(UNANSWERED)
        ? "store_unknown"
        : decision.equals(REJECTED) ? "store_rejected" : "decided";
  }

  /** As a node does with an application: without an answer of the store the packet is dropped. */
  private CompletableFuture<Decision> run(@Nullable EventTrace event, Decision decision) {
    if (!(decision instanceof Decision.Ask ask)) {
      return CompletableFuture.completedFuture(decision);
    }
    CompletableFuture<Reply> answer =
        traffic.isRecorded() ? traffic.ask(event, () -> submit(ask)) : submit(ask);
    return answer.thenCompose(
        reply -> {
          if (reply instanceof Reply.Unknown) {
            return CompletableFuture.completedFuture(UNANSWERED);
          } else if (reply instanceof Reply.Rejected) {
            return CompletableFuture.completedFuture(REJECTED);
          }
          return run(event, ask.then().apply(reply));
        });
  }

  private CompletableFuture<Reply> submit(Decision.Ask ask) {
    return ask.freshness().isExact()
        ? store.submit(ask.command())
        : cache.submit(ask.command(), ask.freshness(), 0);
  }
}
