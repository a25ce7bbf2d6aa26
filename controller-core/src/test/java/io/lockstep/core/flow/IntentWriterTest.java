package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.node.CoreTables;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;

/** Intentions whose answers get lost, while another node writes the same rule. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class IntentWriterTest {
  private static final Reply LOST = new Reply.Unknown("no answer in time");
  private static final Reply NO_ROOM =
      new Reply.Rejected(Reply.Reason.NO_ROOM, "the state is full");
  private static final IntentTable TABLE = new IntentTable();

  /** What becomes of a put. */
  private enum Fate {
    ANSWERED,
    ANSWER_LOST,
    REQUEST_LOST,
    REJECTED
  }

  private final LocalEngine engine = LocalEngine.start(new StoreStateMachine(List.of()));
  private final BatchingStoreClient store = open("n1");
  private final BatchingStoreClient other = open("n2");
  private final Queue<Fate> fates = new ArrayDeque<>();
  private final AtomicInteger looks = new AtomicInteger();
  private final Queue<Runnable> later = new ConcurrentLinkedQueue<>();
  private boolean compacted;
  private boolean holdsRetries;

  /** The index up to which the node has seen every change. */
  private long seen;

  private final IntentWriter writer =
      new IntentWriter(
          new Lossy(),
          () -> seen,
          (millis, task) -> {
            if (holdsRetries) {
              later.add(task);
            } else {
              task.run();
            }
          });

  private BatchingStoreClient open(String name) {
    return BatchingStoreClient.open(
        engine.connect(16),
        ClientOptions.of(name).withTimeToLiveMillis(600_000).withTables(CoreTables.all()),
        System::nanoTime,
        name::hashCode);
  }

  @AfterEach
  void close() {
    store.close();
    other.close();
    engine.close();
  }

  /** The store, which loses what the test says. */
  private final class Lossy implements StoreClient {
    @Override
    public CompletableFuture<Reply> submit(Command command) {
      if (command instanceof Command.ReadChanges) {
        looks.incrementAndGet();
        if (compacted) {
          return CompletableFuture.completedFuture(new Reply.Compacted(1));
        }
      }
      if (command instanceof Command.Batch && beforeBatch != null) {
        Supplier<CompletableFuture<Reply>> other = beforeBatch;
        beforeBatch = null;
        return other.get().thenCompose(done -> store.submit(command));
      }
      boolean writes = command instanceof Command.Put || command instanceof Command.Batch;
      Fate fate = writes && !fates.isEmpty() ? fates.remove() : Fate.ANSWERED;
      return switch (fate) {
        case ANSWERED -> store.submit(command);
        case REJECTED -> CompletableFuture.completedFuture(NO_ROOM);
        case REQUEST_LOST -> meanwhile.get().thenApply(reply -> LOST);
        case ANSWER_LOST ->
            store.submit(command).thenCompose(reply -> meanwhile.get()).thenApply(reply -> LOST);
      };
    }

    @Override
    public SessionState session() {
      return store.session();
    }

    @Override
    public void onSessionChange(SessionListener listener) {}

    @Override
    public void close() {}
  }

  /** What another node does before the guarded write. */
  private @Nullable Supplier<CompletableFuture<Reply>> beforeBatch;

  /** What another node does before this one knows that the answer is lost. */
  private Supplier<CompletableFuture<Reply>> meanwhile =
      () -> CompletableFuture.completedFuture(new Reply.Absent());

  private static FlowRule rule() {
    return rule(100);
  }

  private static FlowRule rule(int priority) {
    return DefaultFlowRule.builder()
        .forDevice(DeviceId.deviceId("of:0000000000000001"))
        .forTable(0)
        .fromApp(new DefaultApplicationId(7, "org.example"))
        .withPriority(priority)
        .makePermanent()
        .withSelector(
            DefaultTrafficSelector.builder().matchInPort(PortNumber.portNumber(1)).build())
        .withTreatment(
            DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(2)).build())
        .build();
  }

  private CompletableFuture<Long> write(boolean remove) {
    return writer.writeAll(List.of(new Intent(rule(), remove))).get(0);
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  /** Whether the store's intention is a removal. */
  private boolean removes() throws Exception {
    return TABLE.decodeValue(((Reply.Found) stored()).value()).remove();
  }

  private Reply stored() throws Exception {
    return get(other.submit(new Command.Get(IntentTable.NAME, IntentKey.of(rule()).encode())));
  }

  /** The store's entry is the addition that got this version. */
  private void assertStoredAs(long version) throws Exception {
    assertThat(stored())
        .isInstanceOfSatisfying(
            Reply.Found.class, found -> assertThat(found.version()).isEqualTo(version));
    assertThat(removes()).isFalse();
  }

  private CompletableFuture<Reply> otherWrites(boolean remove) {
    return other.submit(
        new Command.Put(
            IntentTable.NAME,
            IntentKey.of(rule()).encode(),
            TABLE.encodeValue(new Intent(rule(), remove))));
  }

  private CompletableFuture<Reply> otherErases() {
    return other.submit(new Command.Remove(IntentTable.NAME, IntentKey.of(rule()).encode()));
  }

  @Test
  void whatTookEffectIsNotRepeatedOverAnotherNodesWrite() throws Exception {
    fates.add(Fate.ANSWER_LOST);
    meanwhile = () -> otherWrites(true);

    assertThat(get(write(false))).isPositive();

    assertThat(removes()).isTrue();
  }

  @Test
  void whatTookEffectIsNotRepeatedOnceAnotherNodeErasedIt() throws Exception {
    fates.add(Fate.ANSWER_LOST);
    meanwhile = this::otherErases;

    assertThat(get(write(false))).isPositive();

    assertThat(stored()).isEqualTo(new Reply.Absent());
  }

  @Test
  void whatDidNotTakeEffectIsWrittenThoughAnotherNodeWroteMeanwhile() throws Exception {
    fates.add(Fate.REQUEST_LOST);
    meanwhile = () -> otherWrites(true);

    assertStoredAs(get(write(false)));
  }

  @Test
  void writesOfOneRuleGoOneAfterTheOther() throws Exception {
    fates.addAll(List.of(Fate.ANSWER_LOST, Fate.ANSWER_LOST, Fate.REQUEST_LOST));
    holdsRetries = true;
    CompletableFuture<Long> add = write(false);
    CompletableFuture<Long> remove = write(true);
    CompletableFuture<Long> again = write(false);
    for (CompletableFuture<Long> each : List.of(add, remove, again)) {
      while (!each.isDone()) {
        Runnable retry = later.poll();
        if (retry != null) {
          retry.run();
        }
        Thread.onSpinWait();
      }
    }

    assertThat(get(add)).isPositive().isLessThan(get(remove));
    assertThat(get(again)).isGreaterThan(get(remove));
    assertThat(removes()).isFalse();
  }

  @Test
  void anEarlierWriteOfTheSameIsNotTakenForThisOne() throws Exception {
    get(otherWrites(false));
    get(otherWrites(true));
    seen = ((Reply.Applied) get(otherErases())).version();
    fates.add(Fate.REQUEST_LOST);

    assertThat(get(write(false))).isGreaterThan(seen);

    assertThat(removes()).isFalse();
  }

  @Test
  void whatIsRefusedIsWrittenLater() throws Exception {
    fates.addAll(List.of(Fate.REJECTED, Fate.REQUEST_LOST, Fate.REQUEST_LOST, Fate.REJECTED));

    assertThat(get(write(false))).isPositive();

    assertThat(removes()).isFalse();
  }

  @Test
  void aWriteThatIsNeverTakenFails() throws Exception {
    for (int i = 0; i < 20; i++) {
      fates.add(Fate.REJECTED);
    }

    assertThat(get(write(false))).isEqualTo(-1);

    assertThat(stored()).isEqualTo(new Reply.Absent());
  }

  @Test
  void aWriteBetweenTheLookAndTheRepetitionIsSeen() throws Exception {
    fates.add(Fate.REQUEST_LOST);
    beforeBatch = () -> otherWrites(true);

    assertStoredAs(get(write(false)));
  }

  @Test
  void manyLostAnswersShareTheirLooks() throws Exception {
    int rules = 2_000;
    holdsRetries = true;
    List<Intent> intents = new ArrayList<>();
    for (int i = 0; i < rules; i++) {
      fates.add(Fate.REQUEST_LOST);
      intents.add(new Intent(rule(1 + i), false));
    }
    List<CompletableFuture<Long>> versions = writer.writeAll(intents);
    assertThat(later).hasSize(rules);
    holdsRetries = false;
    later.forEach(Runnable::run);

    for (CompletableFuture<Long> version : versions) {
      assertThat(get(version)).isPositive();
    }
    // A walk has two pages at least here, and another one begins only where something waits.
    assertThat(looks).hasValueLessThan(rules / 4);
  }

  @Test
  void theOtherWriteStaysWhereTheHistoryIsGone() throws Exception {
    compacted = true;
    fates.add(Fate.ANSWER_LOST);
    meanwhile = () -> otherWrites(true);

    assertThat(get(write(false))).isEqualTo(-1);

    assertThat(removes()).isTrue();
  }

  @Test
  void anOldEntryIsReplacedWithoutTheHistory() throws Exception {
    long first = get(write(true));
    compacted = true;
    fates.add(Fate.REQUEST_LOST);

    assertThat(get(write(false))).isGreaterThan(first);

    assertThat(removes()).isFalse();
  }
}
