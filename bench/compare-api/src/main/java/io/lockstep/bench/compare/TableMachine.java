package io.lockstep.bench.compare;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of peers that take one of their users': tables of values, and the procedures.
 * Writes by one thread at a time, reads beside them by any.
 */
public final class TableMachine implements Procedures.Tables {
  private static final int COUNTER_BYTES = 8;

  private final Map<String, Map<String, byte[]>> tables = new ConcurrentHashMap<>();

  /** Carries out an operation that peers are asked. */
  public Answer apply(Operation operation) {
    if (operation instanceof Operation.Get get) {
      return Answer.of(get(get.table(), get.key()), 0);
    } else if (operation instanceof Operation.Put put) {
      put(put.table(), put.key(), put.value());
      return Answer.written();
    } else if (operation instanceof Operation.ReplaceValue replace) {
      boolean same = Arrays.equals(get(replace.table(), replace.key()), replace.expected());
      if (same) {
        put(replace.table(), replace.key(), replace.value());
      }
      return Answer.of(same);
    } else if (operation instanceof Operation.Increment increment) {
      return Answer.counter(increment(increment.table(), increment.key()));
    } else if (operation instanceof Operation.Call call) {
      return Procedures.call(this, call);
    }
    throw new IllegalArgumentException("peers are not asked " + operation);
  }

  /** Whether an operation changes nothing. */
  public static boolean isRead(Operation operation) {
    return operation instanceof Operation.Get
        || (operation instanceof Operation.Call call && !call.procedure().isWriting());
  }

  private Map<String, byte[]> table(String name) {
    Map<String, byte[]> table = tables.get(name);
    return table != null ? table : tables.computeIfAbsent(name, n -> new ConcurrentHashMap<>());
  }

  @Override
  public byte @Nullable [] get(String table, String key) {
    return table(table).get(key);
  }

  @Override
  public void put(String table, String key, byte[] value) {
    table(table).put(key, value);
  }

  @Override
  public long increment(String table, String key) {
    byte[] old = get(table, key);
    long value = (old == null ? 0 : ByteBuffer.wrap(old).getLong()) + 1;
    put(table, key, ByteBuffer.allocate(COUNTER_BYTES).putLong(value).array());
    return value;
  }
}
