package io.lockstep.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import io.lockstep.deploy.status.ApplicationsText;
import io.lockstep.yaml.Suggestion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep app}: what the applications of a node show. */
@Command(
    name = "app",
    description = "Lists the applications of a node and their nouns, or prints what a noun shows.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "  app                            the applications of a node, and their nouns",
      "  app learning-switch            the nouns of one application, and their arguments",
      "  app learning-switch addresses  what a noun shows",
      "",
      "Asks the first node that answers; without -e and --config 127.0.0.1:8181, :8182 and :8183.",
      "Exit codes: 0 shown, 1 failed or no node answers, 2 no such noun or wrong arguments."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class ApplicationCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "APPLICATION",
      description = "The name of an application.")
  private @Nullable String application;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "NOUN",
      description = "What the application is to show.")
  private @Nullable String noun;

  @Parameters(
      index = "2..*",
      arity = "0..*",
      paramLabel = "ARGUMENT",
      description = "The noun's arguments, in the order in which it lists them.")
  private List<String> arguments = new ArrayList<>();

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  @Override
  public Integer call() throws OperatorException, IOException {
    RemoteApplications node = RemoteApplications.find(nodes.asked(spec), nodes.timeoutMillis());
    JsonNode all = node.applications();
    if (application == null) {
      output.print(spec, all, ApplicationsText.list(all));
      return ExitCode.DONE;
    }
    JsonNode found = named(all, application);
    if (found == null) {
      return wrong(
          node.endpoint() + " has no application '" + application + "'", near(application, all));
    }
    if (noun == null) {
      output.print(spec, found, ApplicationsText.one(found));
      return ExitCode.DONE;
    }
    JsonNode asked = named(found.path("nouns"), noun);
    if (asked == null) {
      return wrong(
          "application " + application + " has no noun '" + noun + "'",
          near(noun, found.path("nouns")));
    }
    int most = asked.path("arguments").size();
    if (arguments.size() > most) {
      return wrong(
          noun + " takes " + (most == 0 ? "no arguments" : most + " at most"),
          "./lockstep app " + application + " lists its nouns with their arguments");
    }
    return show(node.ask(application, asked, arguments));
  }

  private int show(JsonAnswer answer) throws IOException {
    if (answer.status() != 200) {
      report(
          answer.body().path("error").asText("HTTP status " + answer.status()),
          answer.body().path("remedy").asText(""));
      return answer.status() == 400 || answer.status() == 404 ? ExitCode.USAGE : ExitCode.FAILED;
    }
    output.print(spec, answer.body(), ApplicationsText.rows(answer.body()));
    if (!answer.body().path("complete").asBoolean()) {
      spec.commandLine().getErr().println("lockstep: this is not all, the rest was left out");
    }
    return ExitCode.DONE;
  }

  private static @Nullable JsonNode named(JsonNode all, String name) {
    for (JsonNode one : all) {
      if (one.path("name").asText().equals(name)) {
        return one;
      }
    }
    return null;
  }

  private static String near(String word, JsonNode all) {
    List<String> names = new ArrayList<>();
    all.forEach(one -> names.add(one.path("name").asText()));
    return Suggestion.nearest(word, names)
        .map(near -> "did you mean '" + near + "'?")
        .orElse(names.isEmpty() ? "it has none" : "one of " + String.join(", ", names));
  }

  private int wrong(String error, String remedy) {
    report(error, remedy);
    return ExitCode.USAGE;
  }

  private void report(String error, String remedy) {
    spec.commandLine()
        .getErr()
        .println("lockstep: " + error + (remedy.isEmpty() ? "" : "\n    remedy: " + remedy));
  }
}
