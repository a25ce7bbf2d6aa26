package io.lockstep.bench.balancer;

import io.lockstep.apps.loadbalancer.state.BalancerTables;
import io.lockstep.apps.loadbalancer.state.ConnectionKey;
import io.lockstep.apps.loadbalancer.state.ConnectionRecord;
import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.deploy.config.ConfigException;
import io.lockstep.deploy.config.ConfiguredStore;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import io.lockstep.store.typed.StoreAddress;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The records of the load balancer in the store of running nodes, read and removed by a client of
 * the store's own. Used by one thread.
 */
final class StoredConnections implements AutoCloseable {
  private static final int CLIENT = 4_243;
  private static final int PAGE = 10_000;

  /** Commands of a batch; the store takes 1024. */
  private static final int BATCH = 1_000;

  private static final long PATIENCE_SECONDS = 60;

  private final BatchingStoreClient store;

  private StoredConnections(BatchingStoreClient store) {
    this.store = store;
  }

  /** Connects to the store of the nodes. */
  static StoredConnections open(NodeProcesses nodes) throws BenchException {
    try {
      StoreAddress address = ConfiguredStore.address(nodes.plan().configFile(2));
      return new StoredConnections(
          BatchingStoreClient.open(
              BftSmartClient.connect(ClientConfig.of(address.cluster(), address.members(), CLIENT)),
              ClientOptions.of("bench load-balancer"),
              System::nanoTime,
              new SecureRandom()::nextLong));
    } catch (ConfigException e) {
      throw new BenchException("the store of the nodes: " + e.getMessage(), e);
    }
  }

  /** All records, by the client's IP and port. */
  Map<List<Integer>, ConnectionRecord> records() throws BenchException, InterruptedException {
    Map<List<Integer>, ConnectionRecord> records = new HashMap<>();
    Bytes from = Bytes.empty();
    boolean more = true;
    while (more) {
      Reply.Entries page = page(BalancerTables.CONNECTIONS, from, PAGE);
      for (Entry entry : page.entries()) {
        ConnectionKey key = ConnectionKey.of(entry.key());
        records.put(List.of(key.clientIp(), key.clientPort()), ConnectionRecord.of(entry.value()));
        from = after(entry.key());
      }
      more = page.more();
    }
    return records;
  }

  /**
   * Removes all records and what is counted of them, as if all had expired. No connection may be
   * opened meanwhile. Turns of pools go on.
   */
  void forgetAll() throws BenchException, InterruptedException {
    for (String table : List.of(BalancerTables.CONNECTIONS, BalancerTables.COUNTS)) {
      List<Entry> entries = page(table, Bytes.empty(), BATCH).entries();
      while (!entries.isEmpty()) {
        List<Command> removals =
            entries.stream().<Command>map(one -> new Command.Remove(table, one.key())).toList();
        Reply reply = ask(new Command.Batch(List.of(), removals));
        if (!(reply instanceof Reply.Batched)) {
          throw new BenchException("the records cannot be removed: " + reply);
        }
        entries = page(table, Bytes.empty(), BATCH).entries();
      }
    }
  }

  private Reply.Entries page(String table, Bytes from, int limit)
      throws BenchException, InterruptedException {
    Reply reply = ask(new Command.Scan(table, from, null, limit));
    if (reply instanceof Reply.Entries page) {
      return page;
    }
    throw new BenchException("the records cannot be read: " + reply);
  }

  private Reply ask(Command command) throws BenchException, InterruptedException {
    try {
      return store.submit(command).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new BenchException("the store of the nodes does not answer: " + e.getMessage(), e);
    }
  }

  /** The first key that can stand behind this one. */
  private static Bytes after(Bytes key) {
    return Bytes.copyOf(Arrays.copyOf(key.toArray(), key.length() + 1));
  }

  @Override
  public void close() {
    store.close();
  }
}
