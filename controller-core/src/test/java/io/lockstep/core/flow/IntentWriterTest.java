package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.node.CoreTables;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.NodeState;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;

/** Intentions whose answers get lost, while another node writes the same rule. */
class IntentWriterTest {
  private static final Reply LOST = new Reply.Unknown("no answer in time");
  private static final IntentTable TABLE = new IntentTable();

  /** What becomes of a put. */
  private enum Fate {
    ANSWERED,
    ANSWER_LOST,
    REQUEST_LOST
  }

  private final LocalEngine engine = LocalEngine.start(new StoreStateMachine(List.of()));
  private final BatchingStoreClient store = open("n1");
  private final BatchingStoreClient other = open("n2");
  private final ControlLoop loop =
      new ControlLoop("control", (where, e) -> assertThat(e).as(where).isNull());
  private final RuleTables tables = new RuleTables(new NodeState(loop));
  private final Queue<Fate> fates = new ArrayDeque<>();
  private boolean compacted;
  private final IntentWriter writer =
      new IntentWriter(new Lossy(), tables.intents(), (millis, task) -> task.run());

  private BatchingStoreClient open(String name) {
    return BatchingStoreClient.open(
        engine.connect(16),
        ClientOptions.of(name).withTimeToLiveMillis(600_000).withTables(CoreTables.all()),
        System::nanoTime,
        name::hashCode);
  }

  @AfterEach
  void close() {
    loop.close();
    store.close();
    other.close();
    engine.close();
  }

  /** The store, which loses what the test says. */
  private final class Lossy implements StoreClient {
    @Override
    public CompletableFuture<Reply> submit(Command command) {
      if (compacted && command instanceof Command.ReadChanges) {
        return CompletableFuture.completedFuture(new Reply.Compacted(1));
      }
      Fate fate =
          command instanceof Command.Put && !fates.isEmpty() ? fates.remove() : Fate.ANSWERED;
      return switch (fate) {
        case ANSWERED -> store.submit(command);
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

  /** What another node does before this one knows that the answer is lost. */
  private Supplier<CompletableFuture<Reply>> meanwhile =
      () -> CompletableFuture.completedFuture(new Reply.Absent());

  private static FlowRule rule() {
    return DefaultFlowRule.builder()
        .forDevice(DeviceId.deviceId("of:0000000000000001"))
        .forTable(0)
        .fromApp(new DefaultApplicationId(7, "org.example"))
        .withPriority(100)
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

    long version = get(write(false));

    assertThat(stored())
        .isInstanceOfSatisfying(
            Reply.Found.class, found -> assertThat(found.version()).isEqualTo(version));
    assertThat(removes()).isFalse();
  }

  @Test
  void twoWritesOnTheirWayEndInTheirOrder() throws Exception {
    fates.addAll(List.of(Fate.REQUEST_LOST, Fate.ANSWER_LOST));
    CompletableFuture<Long> first = write(false);
    CompletableFuture<Long> second = write(true);

    assertThat(get(first)).isPositive();
    assertThat(get(second)).isPositive();

    assertThat(removes()).isTrue();
  }

  @Test
  void theOtherWriteStaysWhereTheHistoryDoesNotTell() throws Exception {
    compacted = true;
    fates.add(Fate.ANSWER_LOST);
    meanwhile = () -> otherWrites(true);

    assertThat(get(write(false))).isEqualTo(-1);

    assertThat(removes()).isTrue();
  }

  @Test
  void anOldEntryIsReplacedWhereTheHistoryDoesNotTell() throws Exception {
    long first = get(write(true));
    compacted = true;
    fates.add(Fate.REQUEST_LOST);

    assertThat(get(write(false))).isGreaterThan(first);

    assertThat(removes()).isFalse();
  }
}
