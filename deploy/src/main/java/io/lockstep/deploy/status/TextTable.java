package io.lockstep.deploy.status;

import java.util.ArrayList;
import java.util.List;

/** Rows of {@link Printable} text in columns as wide as their widest cell. */
public final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  /** A table with these column heads. */
  public TextTable(String... heads) {
    rows.add(List.of(heads));
  }

  /** Adds a row; it has one cell for each column. */
  public TextTable row(Object... cells) {
    if (cells.length != rows.get(0).size()) {
      throw new IllegalArgumentException(cells.length + " cells, not " + rows.get(0).size());
    }
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(Printable.of(String.valueOf(cell)));
    }
    rows.add(row);
    return this;
  }

  /** Whether there is nothing but the heads. */
  public boolean isEmpty() {
    return rows.size() == 1;
  }

  /** The lines, without trailing blanks. */
  public List<String> lines() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
