package io.lockstep.deploy.cli.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.deploy.status.Listing;
import io.lockstep.deploy.status.Printable;
import io.lockstep.deploy.status.YamlText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** In which form a command shows what it found; {@code -o} means the same for all commands. */
public final class OutputMixin {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  enum Format {
    table,
    wide,
    json,
    yaml
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table (default), wide (all columns), json or yaml.")
  private Format format = Format.table;

  /** Shows JSON, whatever was given. */
  public void asJson() {
    format = Format.json;
  }

  /** Whether it is for programs, so that nothing else may be printed there. */
  public boolean isForPrograms() {
    return format == Format.json || format == Format.yaml;
  }

  /**
   * Prints it to the command's output.
   *
   * @param found for JSON and YAML
   * @param lines for people; all columns
   * @throws IOException where it cannot be said in JSON
   */
  public void print(CommandSpec spec, Object found, List<String> lines) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    switch (format) {
      case json -> out.println(JSON.writeValueAsString(found));
      case yaml -> YamlText.lines(JSON.<JsonNode>valueToTree(found)).forEach(out::println);
      case table, wide -> lines.forEach(line -> out.println(Printable.lines(line)));
    }
    out.flush();
  }

  /**
   * Prints a list. For programs it is an object: {@code schema} names its form, {@code items} has
   * the rows as the node gave them.
   *
   * @throws IOException where it cannot be said in JSON
   */
  public void print(CommandSpec spec, Listing listing, JsonNode items) throws IOException {
    ObjectNode found = JSON.createObjectNode();
    found.put("schema", listing.schema());
    found.set("items", items);
    print(spec, found, listing.lines(items, format == Format.wide));
  }
}
