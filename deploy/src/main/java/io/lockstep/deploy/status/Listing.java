package io.lockstep.deploy.status;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * How a list of the admin HTTP is shown to people: its columns, of which some are in the wide form
 * only. Immutable once it is built.
 */
public final class Listing {
  private final String schema;
  private final String none;
  private final List<Column> columns = new ArrayList<>();

  private record Column(String head, boolean isWide, Function<JsonNode, String> cell) {}

  private Listing(String schema, String none) {
    this.schema = schema;
    this.none = none;
  }

  /**
   * Begins a list.
   *
   * @param schema name and version of the form for programs, such as {@code lockstep.nodes/1}; the
   *     version rises when a key leaves or changes its meaning
   * @param none what is printed where it is empty
   */
  public static Listing of(String schema, String none) {
    return new Listing(schema, none);
  }

  /** Adds a column. */
  public Listing column(String head, Function<JsonNode, String> cell) {
    columns.add(new Column(head, false, cell));
    return this;
  }

  /** Adds a column that shows a key of a row. */
  public Listing column(String head, String key) {
    return column(head, row -> cell(row.path(key)));
  }

  /** Adds a column of the wide form. */
  public Listing wide(String head, Function<JsonNode, String> cell) {
    columns.add(new Column(head, true, cell));
    return this;
  }

  /** Adds a column of the wide form that shows a key of a row. */
  public Listing wide(String head, String key) {
    return wide(head, row -> cell(row.path(key)));
  }

  /** Name and version of the form for programs. */
  public String schema() {
    return schema;
  }

  /** The lines to print. */
  public List<String> lines(JsonNode items, boolean isWide) {
    if (items.isEmpty()) {
      return List.of(none);
    }
    List<Column> shown = columns.stream().filter(column -> isWide || !column.isWide()).toList();
    TextTable table = new TextTable(shown.stream().map(Column::head).toArray(String[]::new));
    for (JsonNode row : items) {
      table.row(shown.stream().map(column -> column.cell().apply(row)).toArray());
    }
    return table.lines();
  }

  /** A value as a cell: a dash for nothing, a list with blanks. */
  public static String cell(JsonNode value) {
    if (value.isArray()) {
      List<String> texts = new ArrayList<>();
      value.forEach(one -> texts.add(one.asText()));
      return texts.isEmpty() ? "-" : String.join(" ", texts);
    }
    String text = value.isMissingNode() || value.isNull() ? "" : value.asText();
    return text.isEmpty() ? "-" : text;
  }
}
