package io.lockstep.store.client;

import io.lockstep.store.Command;
import io.lockstep.store.TableSpec;
import io.lockstep.store.core.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Options of a client.
 *
 * @param owner names the owner of the session, at most 128 bytes of UTF-8
 * @param timeToLiveMillis of the session, 500 to 600 000
 * @param queueDeadlineMillis how long a command waits to be sent, without a session or with a full
 *     window, before it is rejected
 * @param queueCapacity the most commands that wait to be sent
 * @param queueBytes the most bytes of those commands
 * @param tables the tables that the client uses, at most 1000. The client declares them in every
 *     new session before it sends other commands, so that a store that began anew has them again
 */
public record ClientOptions(
    String owner,
    int timeToLiveMillis,
    long queueDeadlineMillis,
    int queueCapacity,
    long queueBytes,
    Map<String, TableSpec> tables) {
  private static final int MAX_TABLES = 1_000;
  private static final long QUEUE_BYTES = 128 << 20;

  public ClientOptions {
    tables = Map.copyOf(tables);
    String violation = Limits.violation(new Command.OpenSession(0, owner, timeToLiveMillis));
    if (violation != null) {
      throw new IllegalArgumentException(violation);
    }
    if (queueDeadlineMillis < 1 || queueCapacity < 1 || queueBytes < 1) {
      throw new IllegalArgumentException(
          "queue deadline "
              + queueDeadlineMillis
              + " ms, capacity "
              + queueCapacity
              + ", bytes "
              + queueBytes);
    }
    if (tables.size() > MAX_TABLES) {
      throw new IllegalArgumentException(
          "a client declares at most " + MAX_TABLES + " tables, not " + tables.size());
    }
    declarations(tables)
        .forEach(
            create -> {
              String wrong = Limits.violation(create);
              if (wrong != null) {
                throw new IllegalArgumentException(wrong);
              }
            });
  }

  /** With a queue of 128 MiB. */
  public ClientOptions(
      String owner,
      int timeToLiveMillis,
      long queueDeadlineMillis,
      int queueCapacity,
      Map<String, TableSpec> tables) {
    this(owner, timeToLiveMillis, queueDeadlineMillis, queueCapacity, QUEUE_BYTES, tables);
  }

  /** Three seconds to live, ten in the queue, 65 536 commands, 128 MiB. */
  public static ClientOptions of(String owner) {
    return new ClientOptions(owner, 3_000, 10_000, 1 << 16, Map.of());
  }

  /** The same with another time to live. */
  public ClientOptions withTimeToLiveMillis(int millis) {
    return new ClientOptions(owner, millis, queueDeadlineMillis, queueCapacity, queueBytes, tables);
  }

  /** The same with another bound on the bytes of the commands that wait. */
  public ClientOptions withQueueBytes(long bytes) {
    return new ClientOptions(
        owner, timeToLiveMillis, queueDeadlineMillis, queueCapacity, bytes, tables);
  }

  /** The same with these tables in place of the earlier ones. */
  public ClientOptions withTables(Map<String, TableSpec> used) {
    return new ClientOptions(
        owner, timeToLiveMillis, queueDeadlineMillis, queueCapacity, queueBytes, used);
  }

  /** The commands that declare the tables, every reference after its target. */
  List<Command.CreateTable> declarations() {
    return declarations(tables);
  }

  private static List<Command.CreateTable> declarations(Map<String, TableSpec> tables) {
    List<Command.CreateTable> inOrder = new ArrayList<>();
    Map<String, TableSpec> left = new TreeMap<>(tables);
    while (!left.isEmpty()) {
      int before = left.size();
      for (String name : List.copyOf(left.keySet())) {
        TableSpec spec = tables.get(name);
        if (spec != null && (spec.target() == null || !left.containsKey(spec.target()))) {
          inOrder.add(new Command.CreateTable(name, spec));
          left.remove(name);
        }
      }
      if (left.size() == before) {
        throw new IllegalArgumentException("tables refer to each other in a circle: " + left);
      }
    }
    return inOrder;
  }
}
