package io.lockstep.bench.atomix;

import io.atomix.core.Atomix;
import io.atomix.core.counter.AsyncAtomicCounter;
import io.atomix.core.counter.AtomicCounter;
import io.atomix.core.map.AsyncAtomicMap;
import io.atomix.core.map.AtomicMap;
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
 * procedures, each with a session for each operation under way ({@link SessionPool} says why). All
 * reads linearizable, asked of the leader. Thread-safe.
 */
final class AtomixStore implements PeerStore {
  private static final String PROCEDURES = "procedures";
  private static final String COUNTER = ".counter";
  private static final int STOP_SECONDS = 10;

  /** As many flows as the comparison ever has at a time. */
  private static final int SESSIONS = 1024;

  private final Atomix client;
  private final MultiRaftProtocol protocol =
      MultiRaftProtocol.builder(AtomixAdapter.GROUP)
          .withReadConsistency(ReadConsistency.LINEARIZABLE)
          .withCommunicationStrategy(CommunicationStrategy.LEADER)
          .build();
  private final Map<String, SessionPool<AsyncAtomicMap<String, byte[]>>> maps =
      new ConcurrentHashMap<>();
  private final Map<String, SessionPool<AsyncAtomicCounter>> counters = new ConcurrentHashMap<>();
  private final SessionPool<ProxyClient<TablesOperations>> procedures;

  AtomixStore(Atomix client) {
    this.client = client;
    procedures = new SessionPool<>(this::openProcedures, SESSIONS);
  }

  /** Opens the primitives, with one session each; a counter when something is counted. */
  @Override
  public CompletableFuture<Void> declare(List<TableLayout> tables) {
    List<CompletableFuture<?>> opened = new ArrayList<>();
    for (TableLayout table : tables) {
      opened.add(Procedures.owns(table.name()) ? procedures.open() : map(table.name()).open());
    }
    return CompletableFuture.allOf(opened.toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<ProxyClient<TablesOperations>> openProcedures() {
    return protocol
        .newProxy(
            PROCEDURES,
            TablesType.INSTANCE,
            TablesOperations.class,
            new ServiceConfig(),
            client.getPartitionService())
        .connect();
  }

  private CompletableFuture<AsyncAtomicMap<String, byte[]>> openMap(String table) {
    return client
        .<String, byte[]>atomicMapBuilder(table)
        .withProtocol(protocol)
        .buildAsync()
        .thenApply(AtomicMap::async);
  }

  private CompletableFuture<AsyncAtomicCounter> openCounter(String table) {
    return client
        .atomicCounterBuilder(table + COUNTER)
        .withProtocol(protocol)
        .buildAsync()
        .thenApply(AtomicCounter::async);
  }

  @Override
  public CompletableFuture<Answer> submit(Operation operation) {
    if (operation instanceof Operation.Get get) {
      return map(get.table()).use(map -> map.get(get.key())).thenApply(AtomixStore::read);
    } else if (operation instanceof Operation.Put put && !Procedures.owns(put.table())) {
      return map(put.table())
          .use(map -> map.put(put.key(), put.value()))
          .thenApply(old -> Answer.written());
    } else if (operation instanceof Operation.ReplaceValue replace) {
      return map(replace.table())
          .use(map -> map.replace(replace.key(), replace.expected(), replace.value()))
          .thenApply(Answer::of);
    } else if (operation instanceof Operation.Increment increment) {
      return counter(increment.table())
          .use(AsyncAtomicCounter::incrementAndGet)
          .thenApply(Answer::counter);
    }
    return call(operation);
  }

  private CompletableFuture<Answer> call(Operation operation) {
    byte[] bytes = OperationCodec.encode(operation);
    boolean reading = TableMachine.isRead(operation);
    CompletableFuture<byte[]> answer =
        procedures.use(
            proxy ->
                proxy.applyBy(
                    PROCEDURES, tables -> reading ? tables.read(bytes) : tables.write(bytes)));
    return answer.thenApply(found -> OperationCodec.answer(ByteBuffer.wrap(found)));
  }

  private SessionPool<AsyncAtomicMap<String, byte[]>> map(String table) {
    return maps.computeIfAbsent(table, name -> new SessionPool<>(() -> openMap(name), SESSIONS));
  }

  private SessionPool<AsyncAtomicCounter> counter(String table) {
    return counters.computeIfAbsent(
        table, name -> new SessionPool<>(() -> openCounter(name), SESSIONS));
  }

  private static Answer read(@Nullable Versioned<byte[]> entry) {
    return entry == null ? Answer.nothing() : Answer.of(entry.value(), entry.version());
  }

  @Override
  public void close() {
    client.stop().orTimeout(STOP_SECONDS, TimeUnit.SECONDS).join();
  }
}
