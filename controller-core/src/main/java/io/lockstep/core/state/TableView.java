package io.lockstep.core.state;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * This node's copy of one store table. It is weaker than linearizable: it follows the store with a
 * short delay, shows each table's changes in the store's order, and may be arbitrarily old while
 * the store cannot be reached. Decisions that must not be wrong go through a command.
 *
 * <p>Reads may come from any thread. The control loop alone changes the view: the changes of one
 * operation, in all tables of the node, are visible before the first listener hears of them.
 *
 * @param <K> the key; needs {@code equals} and {@code hashCode}
 * @param <V> the value; immutable
 */
public final class TableView<K, V> {
  private static final BoundedLog log = BoundedLog.of(TableView.class);

  private final String table;
  private final RecordCodec<K, V> codec;
  private final ConcurrentHashMap<K, Held<V>> entries = new ConcurrentHashMap<>();
  private final Map<K, Held<V>> readOnly = Collections.unmodifiableMap(entries);
  private final CopyOnWriteArrayList<Listener<K, V>> listeners = new CopyOnWriteArrayList<>();

  TableView(String table, RecordCodec<K, V> codec) {
    this.table = table;
    this.codec = codec;
  }

  /** The value as this node knows it now, or null. Not as the store has it: {@code get} is that. */
  public @Nullable V known(K key) {
    Held<V> held = entries.get(key);
    return held == null ? null : held.value();
  }

  /** The same value with its version, or null. */
  public @Nullable Held<V> held(K key) {
    return entries.get(key);
  }

  /** How many entries this node knows now. */
  public int size() {
    return entries.size();
  }

  /** A live, read-only map in no order; its iterators never fail and may miss later changes. */
  public Map<K, Held<V>> entries() {
    return readOnly;
  }

  /** The values as they are now, in no order. */
  public List<V> values() {
    List<V> values = new ArrayList<>();
    for (Held<V> held : entries.values()) {
      values.add(held.value());
    }
    return values;
  }

  /** Adds a listener; it is called on the control loop and must not block or throw. */
  public void addListener(Listener<K, V> listener) {
    listeners.add(listener);
  }

  /**
   * Takes over one change; control loop only.
   *
   * @param tellings where the call of the listeners is added, if they have anything to hear
   */
  void apply(Bytes keyBytes, @Nullable Bytes valueBytes, long version, List<Runnable> tellings) {
    K key;
    V value;
    try {
      key = codec.decodeKey(keyBytes);
      value = valueBytes == null ? null : codec.decodeValue(valueBytes);
    } catch (RuntimeException e) {
      // Whatever a decoder throws, these bytes are no record of ours.
      log.error(
          table,
          "skipping a record of table {} that cannot be read: key {}, index {}: {}",
          table,
          keyBytes,
          version,
          e.getMessage());
      return;
    }
    if (value == null) {
      Held<V> old = entries.remove(key);
      if (old != null) {
        tellings.add(() -> tell(key, old.value(), null));
      }
      return;
    }
    Held<V> now = new Held<>(value, version);
    Held<V> old = entries.put(key, now);
    if (!now.equals(old)) {
      tellings.add(() -> tell(key, old == null ? null : old.value(), value));
    }
  }

  /** Makes the view equal to {@code present}; control loop only. */
  void replace(List<Entry> present, List<Runnable> tellings) {
    Set<Bytes> keys = new HashSet<>();
    for (Entry entry : present) {
      keys.add(entry.key());
    }
    for (K key : List.copyOf(entries.keySet())) {
      Bytes keyBytes = codec.encodeKey(key);
      if (!keys.contains(keyBytes)) {
        apply(keyBytes, null, 0, tellings);
      }
    }
    for (Entry entry : present) {
      apply(entry.key(), entry.value(), entry.version(), tellings);
    }
  }

  private void tell(K key, @Nullable V old, @Nullable V now) {
    for (Listener<K, V> listener : listeners) {
      listener.changed(key, old, now);
    }
  }

  /**
   * A value and the version of its entry.
   *
   * @param version index of the operation that wrote it
   */
  public record Held<V>(V value, long version) {}

  /** Hears of changes, on the control loop. */
  @FunctionalInterface
  public interface Listener<K, V> {
    /** The entry changed; {@code old} is null where it is new, {@code now} where it is gone. */
    void changed(K key, @Nullable V old, @Nullable V now);
  }
}
