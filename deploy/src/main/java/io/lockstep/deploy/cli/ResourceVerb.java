package io.lockstep.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.cli.request.Refusals;
import io.lockstep.deploy.cli.request.RemoteResources;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import io.lockstep.deploy.status.ResourcesText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What a command does with a resource; the same for every resource. */
enum ResourceVerb {
  list,
  show,
  add,
  set,
  remove;

  /**
   * A command line behind the name of the resource.
   *
   * @param id empty for none
   * @param settings {@code FIELD=VALUE}
   * @param version that the operator decided on; null for the newest
   */
  record Line(
      CommandSpec spec,
      ResourceVerb verb,
      String id,
      List<String> settings,
      @Nullable Long version,
      OutputMixin output) {

    Line {
      boolean hasId = !id.isEmpty();
      if (hasId == (verb == list)) {
        throw new ParameterException(
            spec.commandLine(), verb + (hasId ? " takes no ID" : ": which one? give its ID"));
      }
      boolean writes = verb == add || verb == set;
      if (!writes && !settings.isEmpty()) {
        throw new ParameterException(spec.commandLine(), verb + " takes no FIELD=VALUE");
      }
      if (verb == set && settings.isEmpty()) {
        throw new ParameterException(spec.commandLine(), "set: give FIELD=VALUE");
      }
      if (version != null && (version < 1 || verb == list || verb == show || verb == add)) {
        throw new ParameterException(
            spec.commandLine(), "--version " + version + ": for set and remove, give 1 or more");
      }
      for (String setting : settings) {
        if (setting.indexOf('=') < 1) {
          throw new ParameterException(
              spec.commandLine(), "'" + setting + "': give FIELD=VALUE, such as port=80");
        }
      }
    }

    /** Carries it out; gives the exit code. */
    int run(RemoteResources node, JsonNode description) throws OperatorException, IOException {
      String name = description.path("name").asText();
      String below = verb == list ? name : name + "/" + id;
      return switch (verb) {
        case list, show -> read(node.read(below));
        case add -> changed(node.add(below, fields(description, Map.of())), "added");
        case set, remove -> {
          JsonAnswer now = node.read(below);
          if (now.status() != 200) {
            yield refused(now);
          }
          long decidedOn = version == null ? now.body().path("version").asLong() : version;
          yield verb == remove
              ? changed(node.remove(below, decidedOn), "removed")
              : changed(
                  node.set(below, decidedOn, fields(description, written(description, now.body()))),
                  "changed");
        }
      };
    }

    private int read(JsonAnswer answer) throws IOException {
      if (answer.status() != 200) {
        return refused(answer);
      }
      JsonNode body = answer.body();
      output.print(
          spec,
          body,
          verb == list ? ResourcesText.items(body.path("items")) : ResourcesText.item(body));
      if (verb == list && !body.path("complete").asBoolean()) {
        spec.commandLine().getErr().println("lockstep: this is not all, the rest was left out");
      }
      return ExitCode.DONE;
    }

    private int changed(JsonAnswer answer, String what) throws IOException {
      if (answer.status() >= 300) {
        return refused(answer);
      }
      String end = answer.status() == 202 ? ", in force in a moment" : "";
      String version = answer.body().path("version").asText();
      output.print(
          spec,
          answer.body(),
          List.of(id + " is " + what + (verb == remove ? "" : ": version " + version) + end));
      return ExitCode.DONE;
    }

    private int refused(JsonAnswer answer) {
      int exitCode = Refusals.report(spec, answer);
      // What is to be added and is there already is no version that was overtaken.
      return verb == add && exitCode == ExitCode.OUTDATED ? ExitCode.FAILED : exitCode;
    }

    /** The item's fields that can be written, as they are. */
    private static Map<String, Object> written(JsonNode description, JsonNode item) {
      Map<String, Object> fields = new LinkedHashMap<>();
      for (JsonNode field : description.path("fields")) {
        String name = field.path("name").asText();
        if (item.has(name)) {
          fields.put(name, item.get(name));
        }
      }
      return fields;
    }

    private Map<String, Object> fields(JsonNode description, Map<String, Object> before) {
      Map<String, Object> fields = new LinkedHashMap<>(before);
      for (String setting : settings) {
        int at = setting.indexOf('=');
        String name = setting.substring(0, at);
        Optional<Object> value = value(kind(description, name), setting.substring(at + 1));
        value.ifPresentOrElse(given -> fields.put(name, given), () -> fields.remove(name));
      }
      return fields;
    }
  }

  private static String kind(JsonNode description, String name) {
    for (JsonNode field : description.path("fields")) {
      if (field.path("name").asText().equals(name)) {
        return field.path("kind").asText();
      }
    }
    return "text"; // the node says that there is no such field
  }

  /**
   * The value as JSON has it; the node checks it. Nothing where the text is empty: the field is
   * left out.
   */
  static Optional<Object> value(String kind, String text) {
    if (text.isEmpty()) {
      return kind.equals("texts") ? Optional.of(List.of()) : Optional.empty();
    }
    return Optional.of(
        switch (kind) {
          case "whole" -> text.matches("-?[0-9]{1,18}") ? Long.valueOf(text) : text;
          case "flag" -> text.equals("true") || text.equals("false") ? Boolean.valueOf(text) : text;
          case "texts" -> new ArrayList<>(List.of(text.split(",", -1)));
          default -> text;
        });
  }
}
