package io.lockstep.deploy.status;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What commands print of resources, from the bodies of the admin HTTP. Pure. */
public final class ResourcesText {
  private static final String STATE = "state";

  private ResourcesText() {}

  /** All resources, with their fields. */
  public static List<String> list(JsonNode descriptions) {
    TextTable table = new TextTable("ITEM", "RESOURCE", "CHANGES", "SHOWS");
    for (JsonNode one : descriptions) {
      table.row(
          one.path("item").asText(),
          one.path("name").asText(),
          joined(one.path("changes")),
          one.path("shows").asText());
    }
    return table.lines();
  }

  /** The fields of a resource. */
  public static List<String> fields(JsonNode description) {
    List<String> lines = new ArrayList<>();
    lines.add("id: " + description.path("id").asText());
    for (JsonNode field : description.path("fields")) {
      JsonNode usual = field.path("usual");
      String end =
          field.path("required").asBoolean()
              ? ""
              : usual.isNull() || usual.isMissingNode()
                  ? "; may be left out"
                  : "; usually " + cell(usual);
      lines.add(field.path("name").asText() + ": " + field.path("allowed").asText() + end);
    }
    return lines;
  }

  /** Items as a table. */
  public static List<String> items(JsonNode items) {
    Set<String> names = new LinkedHashSet<>();
    names.add("id");
    items.forEach(item -> names.addAll(fieldNames(item)));
    Set<String> states = new LinkedHashSet<>();
    items.forEach(item -> item.path(STATE).fieldNames().forEachRemaining(states::add));
    List<String> heads = new ArrayList<>();
    names.forEach(name -> heads.add(head(name)));
    states.forEach(name -> heads.add(head(name)));
    TextTable table = new TextTable(heads.toArray(String[]::new));
    for (JsonNode item : items) {
      List<String> cells = new ArrayList<>();
      names.forEach(name -> cells.add(cell(item.path(name))));
      states.forEach(name -> cells.add(cell(item.path(STATE).path(name))));
      table.row(cells.toArray());
    }
    return table.lines();
  }

  /** One item, a line for each field. */
  public static List<String> item(JsonNode item) {
    List<String> lines = new ArrayList<>();
    fieldNames(item).forEach(name -> lines.add(name + ": " + cell(item.path(name))));
    item.path(STATE)
        .fieldNames()
        .forEachRemaining(name -> lines.add(name + ": " + cell(item.path(STATE).path(name))));
    return lines;
  }

  private static List<String> fieldNames(JsonNode item) {
    List<String> names = new ArrayList<>();
    item.fieldNames().forEachRemaining(names::add);
    names.remove(STATE);
    return names;
  }

  private static String cell(JsonNode value) {
    return value.isMissingNode() || value.isNull()
        ? "-"
        : value.isArray() ? joined(value) : value.asText();
  }

  private static String joined(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(each -> texts.add(each.asText()));
    return texts.isEmpty() ? "-" : String.join(",", texts);
  }

  private static String head(String name) {
    return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").toUpperCase(Locale.ROOT);
  }
}
