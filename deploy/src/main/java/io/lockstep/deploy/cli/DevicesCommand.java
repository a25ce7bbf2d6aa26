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
import io.lockstep.deploy.status.DevicesText;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep devices}: the hosts of the network as the store has them. */
@Command(
    name = "devices",
    description = "Lists the devices of the network, or those with an address or at a place.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "  devices                        all, with their addresses and places",
      "  devices 02:00:00:00:00:01      one, in all its VLANs, and where it was before",
      "  devices 10.0.0.1               those with an IP address",
      "  devices 1f                     those at a switch",
      "  devices 1f/3                   those at a port of a switch",
      "",
      "Asks the first node that answers; without -e and --config 127.0.0.1:8181, :8182 and :8183.",
      "Exit codes: 0 shown, 1 none found or no node answers, 2 what is no address or place."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class DevicesCommand implements Callable<Integer> {
  /** As many as all switches of a large network may have; more are left out, and it says so. */
  private static final int MAX_PAGES = 100;

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "WHICH",
      description = "A MAC or IP address, a switch, or SWITCH/PORT.")
  private @Nullable String which;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  @Override
  public Integer call() throws OperatorException, IOException {
    List<String> silent = new ArrayList<>();
    for (AdminAddress endpoint : nodes.asked(spec)) {
      AdminClient node = new AdminClient(endpoint, nodes.timeoutMillis());
      try {
        JsonAnswer first = node.devices(query(null));
        if (first.status() == 200) {
          return show(node, first.body());
        }
        if (first.status() == 400) {
          report(first.body().path("error").asText(), first.body().path("remedy").asText());
          return ExitCode.USAGE;
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

  private String query(@Nullable String next) {
    List<String> fields = new ArrayList<>();
    if (which != null) {
      fields.add("find=" + URLEncoder.encode(which, StandardCharsets.UTF_8));
    }
    if (next != null) {
      fields.add("next=" + next);
    }
    return fields.isEmpty() ? "" : "?" + String.join("&", fields);
  }

  private int show(AdminClient node, JsonNode first) throws IOException {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    JsonNode page = first;
    page.path("devices").forEach(all::add);
    for (int pages = 1; page.path("next").isTextual(); pages++) {
      if (pages == MAX_PAGES) {
        report("this is not all, the rest was left out", "name a switch");
        break;
      }
      JsonAnswer more = node.devices(query(page.path("next").asText()));
      if (more.status() != 200) {
        throw new IOException(node.endpoint() + ": " + more.body().path("error").asText());
      }
      page = more.body();
      page.path("devices").forEach(all::add);
    }
    if (all.isEmpty() && which != null) {
      report("no device is known at or as " + which, "./lockstep devices lists all");
      return ExitCode.FAILED;
    }
    output.print(spec, all, which == null ? DevicesText.lines(all) : DevicesText.details(all));
    return ExitCode.DONE;
  }

  private void report(String error, String remedy) {
    spec.commandLine().getErr().println("lockstep: " + error + "\n    remedy: " + remedy);
  }
}
