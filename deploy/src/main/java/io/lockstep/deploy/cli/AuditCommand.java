package io.lockstep.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.cli.request.RemoteResources;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminAddress;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import io.lockstep.deploy.status.AuditText;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lockstep audit}: who changed what. */
@Command(
    name = "audit",
    description = "Lists the last changes that people and programs made, the newest last.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "The cluster keeps the newest 10 000 changes, 2 MiB at most. Asks the first node that",
      "answers; any node shows the same.",
      "Exit codes: 0 shown, 1 no node answers."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class AuditCommand implements Callable<Integer> {
  /** More than the pages of a full trail. */
  private static final int MAX_PAGES = 100;

  @Spec private CommandSpec spec;

  @Option(
      names = "--last",
      paramLabel = "N",
      defaultValue = "50",
      description = "How many at most; default ${DEFAULT-VALUE}.")
  private int last;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  @Override
  public Integer call() throws OperatorException, IOException {
    if (last < 1) {
      throw new ParameterException(spec.commandLine(), "--last: give a number from 1 on");
    }
    List<String> silent = new ArrayList<>();
    for (AdminAddress endpoint : nodes.asked(spec)) {
      AdminClient node = new AdminClient(endpoint, nodes.timeoutMillis());
      try {
        JsonAnswer first = page(node, null);
        if (first.status() == 200) {
          ArrayNode shown = newest(node, first.body());
          output.print(spec, shown, AuditText.lines(shown));
          return ExitCode.DONE;
        }
        RemoteResources.throwIfForbidden(first);
        silent.add(endpoint + ": " + first.body().path("error").asText("not ready"));
      } catch (IOException e) {
        silent.add(String.valueOf(e.getMessage()));
      }
    }
    throw new OperatorException(
        "no node answers: " + String.join("; ", silent),
        "start one with ./lockstep node, or name its admin address with -e");
  }

  private static JsonAnswer page(AdminClient node, @Nullable String next) throws IOException {
    return node.resource("audit" + (next == null ? "" : "?next=" + next));
  }

  private ArrayNode newest(AdminClient node, JsonNode first) throws IOException {
    ArrayDeque<JsonNode> newest = new ArrayDeque<>();
    JsonNode page = first;
    for (int pages = 0; pages < MAX_PAGES; pages++) {
      for (JsonNode one : page.path("entries")) {
        newest.addLast(one);
        if (newest.size() > last) {
          newest.removeFirst();
        }
      }
      if (!page.path("next").isNumber()) {
        break;
      }
      JsonAnswer more = page(node, page.path("next").asText());
      if (more.status() != 200) {
        throw new IOException(node.endpoint() + ": " + more.body().path("error").asText());
      }
      page = more.body();
    }
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    newest.forEach(all::add);
    return all;
  }
}
