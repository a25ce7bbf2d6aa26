package io.lockstep.deploy.cli;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** In which form a command shows what it found. */
final class OutputMixin {
  enum Format {
    table,
    json
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table (default) or json.")
  private Format format = Format.table;

  /** Shows JSON, whatever was given. */
  void asJson() {
    format = Format.json;
  }

  /**
   * Prints it to the command's output.
   *
   * @param found for JSON
   * @param lines for people
   * @throws IOException where it cannot be said in JSON
   */
  void print(CommandSpec spec, Object found, List<String> lines) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (format == Format.json) {
      out.println(
          JsonMapper.builder()
              .enable(SerializationFeature.INDENT_OUTPUT)
              .build()
              .writeValueAsString(found));
    } else {
      lines.forEach(out::println);
    }
    out.flush();
  }
}
