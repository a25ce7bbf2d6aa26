package io.lockstep.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.cli.request.RemoteResources;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.ResourcesText;
import io.lockstep.yaml.Suggestion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep resource}: shows and changes what rooms and applications of a node offer. */
@Command(
    name = "resource",
    description = "Lists the resources of a cluster, or shows and changes the items of one.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "  resource                        all resources, and what can be done to their items",
      "  resource RESOURCE               its fields, and what may stand there",
      ResourceCommand.VERBS_OF_ANY,
      ResourceCommand.EXIT_CODES,
      ResourceCommand.ASKED
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class ResourceCommand implements Callable<Integer> {
  static final String VERBS_OF_ANY =
      """
        resource RESOURCE list
        resource RESOURCE show ID
        resource RESOURCE add ID FIELD=VALUE...
        resource RESOURCE set ID FIELD=VALUE...   the other fields stay; FIELD= leaves it out
        resource RESOURCE remove ID
      The values of a list are separated by commas.
      """;
  static final String EXIT_CODES =
      "Exit codes: 0 done, 1 refused, failed or no node answers, 2 wrong usage or a\n"
          + "wrong value, 5 changed by others meanwhile: nothing was changed.";
  static final String ASKED =
      "Asks the first node that answers; without -e and --config 127.0.0.1:8181, :8182\n"
          + "and :8183.";

  @Spec private CommandSpec spec;

  @Parameters(index = "0", arity = "0..1", paramLabel = "RESOURCE", description = "Its name.")
  private @Nullable String resource;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "VERB",
      description = "One of ${COMPLETION-CANDIDATES}.")
  private @Nullable ResourceVerb verb;

  @Parameters(index = "2", arity = "0..1", paramLabel = "ID", description = "Of the item.")
  private String id = "";

  @Parameters(
      index = "3..*",
      arity = "0..*",
      paramLabel = "FIELD=VALUE",
      description = "Fields of the item.")
  private List<String> settings = new ArrayList<>();

  @Mixin private ResourceMixin options = new ResourceMixin();
  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  /** The options of all resources. */
  static final class ResourceMixin {
    @Option(
        names = "--version",
        paramLabel = "N",
        description =
            "The version that the change was decided on; without it the newest that is read.")
    private @Nullable Long version;
  }

  /** {@code lockstep vip}: the same for one resource that applications of the product have. */
  @Command(
      mixinStandardHelpOptions = true,
      footer = {ResourceCommand.EXIT_CODES, ResourceCommand.ASKED})
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  static final class Named implements Callable<Integer> {
    private final String name;

    @Spec private CommandSpec spec;

    @Parameters(
        index = "0",
        arity = "0..1",
        defaultValue = "list",
        paramLabel = "VERB",
        description = "One of ${COMPLETION-CANDIDATES}; without one list.")
    private ResourceVerb verb = ResourceVerb.list;

    @Parameters(index = "1", arity = "0..1", paramLabel = "ID", description = "Of the item.")
    private String id = "";

    @Parameters(
        index = "2..*",
        arity = "0..*",
        paramLabel = "FIELD=VALUE",
        description =
            "Fields of the item; set leaves the others as they are, FIELD= leaves one out. The"
                + " values of a list are separated by commas.")
    private List<String> settings = new ArrayList<>();

    @Mixin private ResourceMixin options = new ResourceMixin();
    @Mixin private EndpointsMixin nodes = new EndpointsMixin();
    @Mixin private OutputMixin output = new OutputMixin();

    private Named(String name) {
      this.name = name;
    }

    @Override
    public Integer call() throws OperatorException, IOException {
      ResourceVerb.Line line =
          new ResourceVerb.Line(spec, verb, id, settings, options.version, output);
      RemoteResources node = RemoteResources.find(nodes.asked(spec), nodes.timeoutMillis());
      JsonNode found = node.named(name);
      if (found == null) {
        throw new OperatorException(
            node.endpoint() + " has no resource '" + name + "'",
            "it runs another release: ask another node with -e");
      }
      return line.run(node, found);
    }
  }

  /** Adds a command for a resource, under the name of an item and that of the collection. */
  static void addTo(CommandLine line, ResourceDescription description) {
    CommandLine command = new CommandLine(new Named(description.name()));
    List<String> help = new ArrayList<>();
    help.add("Shows and changes " + description.help() + ". ID: " + description.idAllowed() + ".");
    description
        .fields()
        .forEach(field -> help.add("  " + field.name() + ": " + field.allowed() + "."));
    command.getCommandSpec().usageMessage().description(help.toArray(String[]::new));
    line.addSubcommand(description.item(), command, description.name());
  }

  @Override
  public Integer call() throws OperatorException, IOException {
    if (resource == null) {
      RemoteResources node = RemoteResources.find(nodes.asked(spec), nodes.timeoutMillis());
      output.print(spec, node.descriptions(), ResourcesText.list(node.descriptions()));
      return ExitCode.DONE;
    }
    ResourceVerb.Line line =
        verb == null
            ? null
            : new ResourceVerb.Line(spec, verb, id, settings, options.version, output);
    RemoteResources node = RemoteResources.find(nodes.asked(spec), nodes.timeoutMillis());
    JsonNode found = node.named(resource);
    if (found == null) {
      throw new ParameterException(
          spec.commandLine(), node.endpoint() + " has no resource '" + resource + "'" + near(node));
    }
    if (line == null) {
      output.print(spec, found, ResourcesText.fields(found));
      return ExitCode.DONE;
    }
    return line.run(node, found);
  }

  private String near(RemoteResources node) {
    List<String> names = new ArrayList<>();
    node.descriptions().forEach(one -> names.add(one.path("item").asText()));
    return Suggestion.nearest(String.valueOf(resource), names)
        .map(near -> "; did you mean '" + near + "'?")
        .orElse(names.isEmpty() ? "" : "; it has " + String.join(", ", names));
  }
}
