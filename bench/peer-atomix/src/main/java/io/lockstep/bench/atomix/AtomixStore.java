package io.lockstep.bench.atomix;

import io.atomix.core.Atomix;
import io.atomix.core.counter.AsyncAtomicCounter;
import io.atomix.core.map.AsyncAtomicMap;
import io.atomix.primitive.proxy.ProxyClient;
import io.atomix.primitive.service.ServiceConfig;
import io.atomix.protocols.raft.MultiRaftProtocol;
import io.atomix.protocols.raft.ReadConsistency;
import io.atomix.protocols.raft.session.CommunicationStrategy;
import io.atomix.utils.time.Versioned;
import io.lockstep.bench.compare.Answer;
import io.lockstep.bench.compare.Operation;
import io.lockstep.bench.compare.OperationCodec;
import io.lockstep.bench.compare.PeerStore;
import io.lockstep.bench.compare.Procedures;
import io.lockstep.bench.compare.TableLayout;
import io.lockstep.bench.compare.TableMachine;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client: one atomic map for each table, an atomic counter for each key that is counted, and the
 * procedures. All reads linearizable, asked of the leader. Thread-safe.
 */
final class AtomixStore implements PeerStore {
  private static final String PROCEDURES = "procedures";
  private static final String COUNTER = ".counter";
  private static final int STOP_SECONDS = 10;

  private final Atomix client;
  private final MultiRaftProtocol protocol =
      MultiRaftProtocol.builder(AtomixAdapter.GROUP)
          .withReadConsistency(ReadConsistency.LINEARIZABLE)
          .withCommunicationStrategy(CommunicationStrategy.LEADER)
          .build();
  private final Map<String, AsyncAtomicMap<String, byte[]>> maps = new ConcurrentHashMap<>();
  private final Map<String, AsyncAtomicCounter> counters = new ConcurrentHashMap<>();
  private volatile @Nullable ProxyClient<TablesOperations> procedures;

  AtomixStore(Atomix client) {
    this.client = client;
  }

  /** Opens the primitives: their counters too, those of the keys that the workloads count. */
  @Override
  public CompletableFuture<Void> declare(List<TableLayout> tables) {
    List<CompletableFuture<?>> opened = new ArrayList<>();
    for (TableLayout table : tables) {
      String name = table.name();
      if (Procedures.owns(name)) {
        opened.add(openProcedures());
      } else if (!maps.containsKey(name)) {
        opened.add(
            client
                .<String, byte[]>atomicMapBuilder(name)
                .withProtocol(protocol)
                .buildAsync()
                .thenAccept(map -> maps.put(name, map.async())));
        opened.add(
            client
                .atomicCounterBuilder(name + COUNTER)
                .withProtocol(protocol)
                .buildAsync()
                .thenAccept(counter -> counters.put(name, counter.async())));
      }
    }
    return CompletableFuture.allOf(opened.toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<?> openProcedures() {
    if (procedures != null) {
      return CompletableFuture.completedFuture(null);
    }
    return protocol
        .newProxy(
            PROCEDURES,
            TablesType.INSTANCE,
            TablesOperations.class,
            new ServiceConfig(),
            client.getPartitionService())
        .connect()
        .thenAccept(proxy -> procedures = proxy);
  }

  @Override
  public CompletableFuture<Answer> submit(Operation operation) {
    if (operation instanceof Operation.Get get) {
      return map(get.table()).get(get.key()).thenApply(AtomixStore::read);
    } else if (operation instanceof Operation.Put put && !Procedures.owns(put.table())) {
      return map(put.table()).put(put.key(), put.value()).thenApply(old -> Answer.written());
    } else if (operation instanceof Operation.ReplaceValue replace) {
      return map(replace.table())
          .replace(replace.key(), replace.expected(), replace.value())
          .thenApply(Answer::of);
    } else if (operation instanceof Operation.Increment increment) {
      return counter(increment.table()).incrementAndGet().thenApply(Answer::counter);
    }
    return call(operation);
  }

  private CompletableFuture<Answer> call(Operation operation) {
    ProxyClient<TablesOperations> proxy = procedures;
    if (proxy == null) {
      throw new IllegalStateException("procedures are not open for " + operation);
    }
    byte[] bytes = OperationCodec.encode(operation);
    boolean reading = TableMachine.isRead(operation);
    CompletableFuture<byte[]> answer =
        proxy.applyBy(PROCEDURES, tables -> reading ? tables.read(bytes) : tables.write(bytes));
    return answer.thenApply(found -> OperationCodec.answer(ByteBuffer.wrap(found)));
  }

  private AsyncAtomicMap<String, byte[]> map(String table) {
    AsyncAtomicMap<String, byte[]> map = maps.get(table);
    if (map == null) {
      throw new IllegalStateException("table " + table + " is not declared");
    }
    return map;
  }

  private AsyncAtomicCounter counter(String table) {
    AsyncAtomicCounter counter = counters.get(table);
    if (counter == null) {
      throw new IllegalStateException("counter " + table + " is not declared");
    }
    return counter;
  }

  private static Answer read(@Nullable Versioned<byte[]> entry) {
    return entry == null ? Answer.nothing() : Answer.of(entry.value(), entry.version());
  }

  @Override
  public void close() {
    client.stop().orTimeout(STOP_SECONDS, TimeUnit.SECONDS).join();
  }
}
