package io.lockstep.store.typed;

import io.lockstep.store.Command;
import io.lockstep.store.TableSpec;
import io.lockstep.store.core.Limits;

/** A table that a {@link Store} declares when it opens. */
public sealed interface Declared permits TableDef, RowTableDef {

  /** The table's name in the store. */
  String name();

  /** How the store keeps the table. */
  TableSpec spec();

  /** Throws where {@code name} cannot be declared. */
  static void check(String name, TableSpec spec) {
    String violation = Limits.violation(new Command.CreateTable(name, spec));
    if (violation != null) {
      throw new IllegalArgumentException("table \"" + name + "\" cannot be declared: " + violation);
    }
  }
}
