package io.lockstep.deploy.cli.list;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.deploy.cli.request.DatapathIdParameter;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.FirstNode;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.Listing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lockstep switches}. */
@Command(
    name = "switches",
    description =
        "Lists the switches, with their masters and the nodes that they are connected to.",
    mixinStandardHelpOptions = true,
    footer = {"", ListHelp.ASKED})
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class SwitchesCommand implements Callable<Integer> {
  private static final Listing LISTING =
      Listing.of("lockstep.switches/1", "No switches.")
          .column("SWITCH", "dpid")
          .column("DOMAIN", "domain")
          .column("MASTER", "master")
          .column("CONNECTED TO", "connectedTo")
          .column("PORTS UP", SwitchesCommand::portsUp)
          .column("TROUBLE", "trouble")
          .wide("PROTOCOL", "protocol")
          .wide("ADDRESS", "address")
          .wide("PORTS", SwitchesCommand::ports);

  @Spec private CommandSpec spec;

  @Option(names = "--domain", paramLabel = "NAME", description = "Only those of a domain.")
  private @Nullable String domain;

  @Option(names = "--switch", paramLabel = "DPID", description = "Only this one.")
  private @Nullable String dpid;

  @Option(names = "--without-master", description = "Only those without a master.")
  private boolean isMasterless;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  private static String portsUp(JsonNode row) {
    int up = 0;
    for (JsonNode port : row.path("ports")) {
      up += port.path("up").asBoolean() ? 1 : 0;
    }
    return up + "/" + row.path("ports").size();
  }

  private static String ports(JsonNode row) {
    List<String> ports = new ArrayList<>();
    row.path("ports")
        .forEach(
            port ->
                ports.add(
                    port.path("number").asText() + (port.path("up").asBoolean() ? "" : " down")));
    return ports.isEmpty() ? "-" : String.join(", ", ports);
  }

  @Override
  public Integer call() throws OperatorException, IOException {
    String wanted = dpid == null ? null : DatapathIdParameter.parse(spec, dpid);
    output.print(
        spec,
        LISTING,
        ListFilter.of(FirstNode.of(spec, nodes).list("switches"))
            .equal(domain, "domain")
            .equal(wanted, "dpid")
            .only(
                row ->
                    !isMasterless
                        || row.path("master").asText("").isEmpty()
                        || row.path("master").isNull())
            .rows());
    return ExitCode.DONE;
  }
}
