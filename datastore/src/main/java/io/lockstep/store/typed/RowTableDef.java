package io.lockstep.store.typed;

import io.lockstep.store.TableSpec;

/**
 * A table of rows: its name and how its keys are written; each {@link Column} has a codec of its
 * own.
 *
 * @param name as that of a {@link TableDef}
 */
public record RowTableDef<K>(String name, Codec<K> keys) implements Declared {
  public RowTableDef {
    Declared.check(name, TableSpec.columns());
  }

  @Override
  public TableSpec spec() {
    return TableSpec.columns();
  }
}
