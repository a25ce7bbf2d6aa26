package io.lockstep.deploy.cli.check;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminAddress;
import io.lockstep.deploy.status.ClusterStatus;
import io.lockstep.deploy.status.Diagnosis;
import io.lockstep.deploy.status.Finding;
import io.lockstep.deploy.status.Finding.Severity;
import io.lockstep.deploy.status.Listing;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lockstep doctor}. */
@Command(
    name = "doctor",
    description = "Looks for what is wrong in the cluster, and says what to do.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Asks the nodes of -e, --config or the usual addresses; one is enough, since each knows what",
      "the others published. It looks at quorum, nodes, replicas and leaders, versions, files that",
      "differ, domains, switches and their connections, disks, clocks, drops and applications.",
      "Exit codes: 0 no error (there may be warnings), 1 an error or no node answers, 2 wrong usage."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class DoctorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  @Override
  public Integer call() throws OperatorException, IOException {
    List<AdminAddress> asked = nodes.asked(spec);
    ClusterStatus status = ClusterStatus.askAt(asked, nodes.timeoutMillis());
    NodeReport report =
        status
            .best()
            .orElseThrow(
                () ->
                    new OperatorException(
                        "no node answers at " + AdminAddress.texts(asked),
                        "start one with ./lockstep node, or name its admin address with -e"));
    List<Finding> findings = Diagnosis.of(status, Instant.now());
    ArrayNode rows = JsonNodeFactory.instance.arrayNode();
    for (Finding one : findings) {
      rows.addObject()
          .put("severity", one.severity().name().toLowerCase(Locale.ROOT))
          .put("where", one.where())
          .put("problem", one.problem())
          .put("remedy", one.remedy());
    }
    String looked =
        report.nodes().size()
            + " nodes, "
            + report.domains().size()
            + " domains and "
            + report.switches().size()
            + " switches";
    Listing listing =
        Listing.of("lockstep.doctor/1", "Nothing is wrong with " + looked + ".")
            .column("SEVERITY", "severity")
            .column("WHERE", "where")
            .column("PROBLEM", "problem")
            .column("WHAT TO DO", "remedy");
    output.print(spec, listing, rows);
    return findings.stream().anyMatch(one -> one.severity() == Severity.ERROR)
        ? ExitCode.FAILED
        : ExitCode.DONE;
  }
}
