package io.lockstep.core.app;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * What a noun shows: rows of text in named columns. Immutable and bounded: rows beyond the bounds
 * are left out, and {@link #isCut} says so.
 */
public final class Rows {
  /** Rows at most. */
  public static final int MAX_ROWS = 10_000;

  /** Bytes of UTF-8 of all cells at most, and {@link #CELL_BYTES} for each besides. */
  public static final int MAX_BYTES = 1 << 20;

  /** Columns at most. */
  public static final int MAX_COLUMNS = 32;

  /** Characters of a cell at most; three dots follow where it was cut. */
  public static final int MAX_CELL_CHARS = 1_000;

  /** What a column's name must match: {@code lastSeen} becomes the head LAST SEEN. */
  public static final String COLUMN = "[a-z][A-Za-z0-9]{0,31}";

  /** What a cell costs besides its text: quotes and a comma. */
  private static final int CELL_BYTES = 3;

  private final List<String> columns;
  private final List<List<String>> rows;
  private final boolean isCut;

  private Rows(List<String> columns, List<List<String>> rows, boolean isCut) {
    this.columns = columns;
    this.rows = List.copyOf(rows);
    this.isCut = isCut;
  }

  /** Begins rows with these columns. */
  public static Builder of(String... columns) {
    return of(List.of(columns));
  }

  /** The same. */
  public static Builder of(List<String> columns) {
    if (columns.isEmpty() || columns.size() > MAX_COLUMNS) {
      throw new IllegalArgumentException("1 to " + MAX_COLUMNS + " columns, not " + columns.size());
    }
    for (String column : columns) {
      if (!column.matches(COLUMN)) {
        throw new IllegalArgumentException(
            "'" + column + "' is no column: it must match " + COLUMN);
      }
    }
    if (new HashSet<>(columns).size() != columns.size()) {
      throw new IllegalArgumentException("a column is there twice: " + columns);
    }
    return new Builder(List.copyOf(columns));
  }

  /** The names of the columns. */
  public List<String> columns() {
    return columns;
  }

  /** The rows, each with one cell for each column. A cell is one printable line. */
  public List<List<String>> rows() {
    return rows;
  }

  /** Whether rows were left out. */
  public boolean isCut() {
    return isCut;
  }

  /** Rows that come one after the other. Used by one thread. */
  public static final class Builder {
    private final List<String> columns;
    private final List<List<String>> rows = new ArrayList<>();
    private long bytes;
    private boolean isCut;

    private Builder(List<String> columns) {
      this.columns = columns;
    }

    /** Whether a further row would be left out. */
    public boolean isFull() {
      return isCut;
    }

    /**
     * Adds a row, unless the bounds are reached.
     *
     * @param cells as many as there are columns; each is shown as its {@code toString} is
     */
    public Builder add(Object... cells) {
      if (cells.length != columns.size()) {
        throw new IllegalArgumentException(cells.length + " cells, not " + columns.size());
      }
      if (isCut) {
        return this;
      }
      List<String> row = new ArrayList<>(cells.length);
      long length = 0;
      for (Object cell : cells) {
        String text = printable(String.valueOf(cell));
        row.add(text);
        length += text.getBytes(StandardCharsets.UTF_8).length + CELL_BYTES;
      }
      if (rows.size() == MAX_ROWS || bytes + length > MAX_BYTES) {
        isCut = true;
      } else {
        bytes += length;
        rows.add(List.copyOf(row));
      }
      return this;
    }

    /** The rows so far. */
    public Rows build() {
      return new Rows(columns, rows, isCut);
    }

    /** Nothing that moves the cursor of a terminal, and no more than a cell holds. */
    private static String printable(String text) {
      String read = text.length() <= MAX_CELL_CHARS ? text : text.substring(0, MAX_CELL_CHARS);
      String line = read.replaceAll("\\p{C}", " ");
      return text.length() <= MAX_CELL_CHARS ? line : line + "...";
    }
  }
}
