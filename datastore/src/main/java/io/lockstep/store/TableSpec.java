package io.lockstep.store;

import org.jspecify.annotations.Nullable;

/**
 * What a table holds. Fixed when it is declared.
 *
 * @param target the table whose keys a reference table's values are; null for the other kinds
 */
public record TableSpec(Kind kind, @Nullable String target) {

  /** Kinds of tables. */
  public enum Kind {
    /** Opaque values. */
    VALUES,
    /** Rows of named columns; see {@link Row}. */
    COLUMNS,
    /** Each value is a key of the target table. */
    REFERENCE,
    /** Each value is a list of keys of the target table. */
    REFERENCES
  }

  public TableSpec {
    boolean reference = kind == Kind.REFERENCE || kind == Kind.REFERENCES;
    if (reference != (target != null)) {
      throw new IllegalArgumentException(kind + " with target " + target);
    }
  }

  /** Opaque values. */
  public static TableSpec values() {
    return new TableSpec(Kind.VALUES, null);
  }

  /** Rows of named columns. */
  public static TableSpec columns() {
    return new TableSpec(Kind.COLUMNS, null);
  }

  /** One key of {@code target} for each key. */
  public static TableSpec reference(String target) {
    return new TableSpec(Kind.REFERENCE, target);
  }

  /** A list of keys of {@code target} for each key. */
  public static TableSpec references(String target) {
    return new TableSpec(Kind.REFERENCES, target);
  }
}
