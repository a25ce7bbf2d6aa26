package io.lockstep.deploy.status;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What {@code lockstep app} prints, from the bodies of the admin HTTP. Pure. */
public final class ApplicationsText {
  private ApplicationsText() {}

  /** Applications and their nouns. */
  public static List<String> list(JsonNode applications) {
    TextTable table = new TextTable("APPLICATION", "NOUN", "SHOWS");
    for (JsonNode one : applications) {
      String name = one.path("name").asText();
      if (one.path("nouns").isEmpty()) {
        table.row(name, "-", "");
      }
      for (JsonNode noun : one.path("nouns")) {
        table.row(name, withArguments(noun), noun.path("shows").asText());
      }
    }
    return table.lines();
  }

  /** One application, with the arguments of its nouns. */
  public static List<String> one(JsonNode application) {
    String jar = application.path("from").asText();
    List<String> lines = new ArrayList<>();
    lines.add(
        application.path("name").asText()
            + ": priority "
            + application.path("priority").asInt()
            + ", "
            + (jar.isEmpty() ? "part of Lockstep" : "from " + jar));
    for (JsonNode noun : application.path("nouns")) {
      lines.add("");
      lines.add("  " + withArguments(noun));
      lines.add("      shows " + noun.path("shows").asText());
      for (JsonNode argument : noun.path("arguments")) {
        lines.add(
            "      "
                + upper(argument.path("name").asText(), "-")
                + ": "
                + argument.path("allowed").asText());
      }
    }
    return lines;
  }

  /** The rows that a noun shows. */
  public static List<String> rows(JsonNode shown) {
    List<String> heads = new ArrayList<>();
    shown.path("columns").forEach(column -> heads.add(upper(column.asText(), " ")));
    TextTable table = new TextTable(heads.toArray(String[]::new));
    for (JsonNode row : shown.path("rows")) {
      List<String> cells = new ArrayList<>();
      row.forEach(cell -> cells.add(cell.asText()));
      table.row(cells.toArray());
    }
    return table.lines();
  }

  private static String withArguments(JsonNode noun) {
    StringBuilder text = new StringBuilder(noun.path("name").asText());
    for (JsonNode argument : noun.path("arguments")) {
      String name = upper(argument.path("name").asText(), "-");
      text.append(' ').append(argument.path("required").asBoolean() ? name : "[" + name + "]");
    }
    return text.toString();
  }

  /** {@code lastSeen} as LAST SEEN. */
  private static String upper(String name, String between) {
    return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", between).toUpperCase(Locale.ROOT);
  }
}
