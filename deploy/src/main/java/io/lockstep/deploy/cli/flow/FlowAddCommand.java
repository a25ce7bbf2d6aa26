package io.lockstep.deploy.cli.flow;

import io.lockstep.deploy.cli.request.DatapathIdParameter;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.cli.request.Refusals;
import io.lockstep.deploy.cli.request.RemoteResources;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep flows add}. */
@Command(
    name = "add",
    description = "Adds a static flow, which the cluster keeps at the switch from then on.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "  flows add web --switch 1f --priority 100 \\",
      "    --match eth_type=0x800,ipv4_dst=10.0.0.7 --action output:2",
      "  flows add quiet --switch 1f --match in_port=3 --action drop",
      "",
      "Fields of a match: in_port, eth_dst, eth_src (also ADDRESS/MASK), eth_type, vlan_vid (a",
      "number, none or any), vlan_pcp, ip_proto, ip_dscp, ip_ecn, ipv4_src, ipv4_dst, ipv6_src,",
      "ipv6_dst (also prefixes), tcp_src, tcp_dst, udp_src, udp_dst, sctp_src, sctp_dst,",
      "icmpv4_type, icmpv4_code, arp_op, arp_spa, arp_tpa, arp_sha, arp_tha, metadata.",
      "Actions: output:PORT (a number, controller, in_port, flood, all, normal), group:ID,",
      "push_vlan, pop_vlan, dec_nw_ttl, set_field:FIELD=VALUE, write:ACTION, clear_actions,",
      "goto_table:ID, drop. To add the same flow again changes nothing. To change one, use",
      "'resource flow set ID FIELD=VALUE'.",
      FlowHelp.ASKED
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class FlowAddCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "ID", description = "A name of your choice.")
  private String id;

  @Option(
      names = "--switch",
      required = true,
      paramLabel = "DPID",
      description = "The switch: up to 16 hexadecimal digits.")
  private String dpid;

  @Option(names = "--table", paramLabel = "N", description = "Of the switch (default 0).")
  private int table;

  @Option(
      names = "--priority",
      paramLabel = "N",
      defaultValue = "1000",
      description = "0 to 65534 (default 1000).")
  private int priority = 1_000;

  @Option(
      names = "--match",
      split = ",",
      paramLabel = "FIELD=VALUE",
      description = "What packets have; without it all packets match.")
  private List<String> match = new ArrayList<>();

  @Option(
      names = "--action",
      split = ",",
      required = true,
      paramLabel = "ACTION",
      description = "What is done with them, in this order.")
  private List<String> actions = new ArrayList<>();

  @Option(
      names = "--idle",
      paramLabel = "SECONDS",
      description = "The switch removes it after this time without a packet (default 0, never).")
  private int idleSeconds;

  @Option(
      names = "--hard",
      paramLabel = "SECONDS",
      description = "The switch removes it after this time (default 0, never).")
  private int hardSeconds;

  @Option(
      names = "--displaceable",
      description = {
        "Where the switch has no room, an entry of an application with more traffic may take the",
        "place of this flow. It is FAILED then, and comes back when there is room."
      })
  private boolean displaceable;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  @Override
  public Integer call() throws OperatorException, IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("switch", DatapathIdParameter.parse(spec, dpid));
    fields.put("table", table);
    fields.put("priority", priority);
    fields.put("match", match);
    fields.put("actions", actions);
    fields.put("idleSeconds", idleSeconds);
    fields.put("hardSeconds", hardSeconds);
    if (displaceable) {
      fields.put("displaceable", true); // An earlier release does not know the field.
    }
    RemoteResources cluster = RemoteResources.find(nodes.asked(spec), nodes.timeoutMillis());
    JsonAnswer said = cluster.add("flows/" + Refusals.segment(spec, id), fields);
    if (said.status() >= 300) {
      int exitCode = Refusals.report(spec, said);
      // What is there already was not overtaken.
      return exitCode == ExitCode.OUTDATED ? ExitCode.FAILED : exitCode;
    }
    output.print(
        spec,
        said.body(),
        List.of(id + " is added: version " + said.body().path("version").asText()));
    return ExitCode.DONE;
  }
}
