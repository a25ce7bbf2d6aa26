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
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lockstep hosts}. */
@Command(
    name = "hosts",
    description = "Lists the hosts, and where each was seen last.",
    mixinStandardHelpOptions = true,
    footer = {"", "'devices' has VLANs, times, and where a host was before.", ListHelp.ASKED})
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class HostsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--domain", paramLabel = "NAME", description = "Only those in a domain.")
  private @Nullable String domain;

  @Option(names = "--switch", paramLabel = "DPID", description = "Only those at a switch.")
  private @Nullable String dpid;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  @Override
  public Integer call() throws OperatorException, IOException {
    String wanted = dpid == null ? null : DatapathIdParameter.parse(spec, dpid);
    FirstNode node = FirstNode.of(spec, nodes);
    JsonNode hosts = node.list("hosts");
    Map<String, String> domains = LinksCommand.domains(node);
    Listing listing =
        Listing.of("lockstep.hosts/1", "No hosts.")
            .column("HOST", "mac")
            .column("AT SWITCH", "atSwitch")
            .column("PORT", "atPort")
            .column("IP ADDRESSES", "ips")
            .wide("DOMAIN", row -> LinksCommand.in(domains, row.path("atSwitch")));
    output.print(
        spec,
        listing,
        ListFilter.of(hosts)
            .equal(wanted, "atSwitch")
            .only(
                row ->
                    domain == null || LinksCommand.in(domains, row.path("atSwitch")).equals(domain))
            .rows());
    return ExitCode.DONE;
  }
}
