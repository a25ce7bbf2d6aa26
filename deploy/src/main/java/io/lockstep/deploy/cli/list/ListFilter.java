package io.lockstep.deploy.cli.list;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The rows of a list that an operator wants. Immutable. */
final class ListFilter {
  private final JsonNode rows;

  private ListFilter(JsonNode rows) {
    this.rows = rows;
  }

  static ListFilter of(JsonNode rows) {
    return new ListFilter(rows);
  }

  /** Keeps rows. */
  ListFilter only(Predicate<JsonNode> wanted) {
    ArrayNode kept = JsonNodeFactory.instance.arrayNode();
    for (JsonNode row : rows) {
      if (wanted.test(row)) {
        kept.add(row);
      }
    }
    return new ListFilter(kept);
  }

  /** Keeps the rows that have a value at one of these keys; all where there is no value. */
  ListFilter equal(@Nullable String value, String... keys) {
    return value == null
        ? this
        : only(row -> Set.of(keys).stream().anyMatch(key -> row.path(key).asText().equals(value)));
  }

  JsonNode rows() {
    return rows;
  }
}
