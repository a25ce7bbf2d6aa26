package io.lockstep.store.typed;

import io.lockstep.store.TableSpec;

/**
 * A table of values: its name and how its entries are written. Usually a constant.
 *
 * @param name 1 to 64 of {@code a-z}, {@code 0-9}, dot and dash, a letter first
 */
public record TableDef<K, V>(String name, EntryCodec<K, V> codec) implements Declared {
  public TableDef {
    Declared.check(name, TableSpec.values());
  }

  /** Of a codec for keys and one for values. */
  public static <K, V> TableDef<K, V> of(String name, Codec<K> keys, Codec<V> values) {
    return new TableDef<>(name, EntryCodec.of(keys, values));
  }

  @Override
  public TableSpec spec() {
    return TableSpec.values();
  }
}
