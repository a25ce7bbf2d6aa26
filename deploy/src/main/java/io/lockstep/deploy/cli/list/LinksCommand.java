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
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lockstep links}. */
@Command(
    name = "links",
    description = "Lists the links between switches, each direction for itself.",
    mixinStandardHelpOptions = true,
    footer = {"", "--domain: links that begin or end in it.", ListHelp.ASKED})
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class LinksCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--domain", paramLabel = "NAME", description = "Only those of a domain.")
  private @Nullable String domain;

  @Option(names = "--switch", paramLabel = "DPID", description = "Only those of a switch.")
  private @Nullable String dpid;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  /** The domain of each switch, by datapath id. */
  static Map<String, String> domains(FirstNode node) throws OperatorException {
    Map<String, String> domains = new TreeMap<>();
    for (JsonNode one : node.list("switches")) {
      domains.put(one.path("dpid").asText(), one.path("domain").asText());
    }
    return domains;
  }

  @Override
  public Integer call() throws OperatorException, IOException {
    String wanted = dpid == null ? null : DatapathIdParameter.parse(spec, dpid);
    FirstNode node = FirstNode.of(spec, nodes);
    JsonNode links = node.list("links");
    Map<String, String> domains = domains(node);
    Listing listing =
        Listing.of("lockstep.links/1", "No links.")
            .column("FROM", "fromSwitch")
            .column("PORT", "fromPort")
            .column("TO", "toSwitch")
            .column("PORT", "toPort")
            .wide("FROM DOMAIN", row -> in(domains, row.path("fromSwitch")))
            .wide("TO DOMAIN", row -> in(domains, row.path("toSwitch")));
    output.print(
        spec,
        listing,
        ListFilter.of(links)
            .equal(wanted, "fromSwitch", "toSwitch")
            .only(
                row ->
                    domain == null
                        || in(domains, row.path("fromSwitch")).equals(domain)
                        || in(domains, row.path("toSwitch")).equals(domain))
            .rows());
    return ExitCode.DONE;
  }

  /** The domain of a switch, or a dash. */
  static String in(Map<String, String> domains, JsonNode dpid) {
    String domain = domains.getOrDefault(dpid.asText(), "");
    return domain.isEmpty() ? "-" : domain;
  }
}
