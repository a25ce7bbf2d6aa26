package io.lockstep.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.deploy.cli.request.DatapathIdParameter;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep switch probe DPID}. */
@Command(
    name = "probe",
    description = "Finds out what a switch's flow tables hold, by filling them.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Says what it would do and ends, unless --yes is given. The node that masters the switch does",
      "it, over OpenFlow; its rules have a cookie and the lowest priorities of their own and are",
      "removed at the end. A probe takes minutes. Where the switch or its mastership is lost on the",
      "way it begins anew, at most " + SwitchProbeCommand.ATTEMPTS + " times in all.",
      "Without -e and --config: asks 127.0.0.1:8181, :8182 and :8183.",
      "",
      "Exit codes: 0 done, 1 refused or failed, 2 wrong usage."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class SwitchProbeCommand implements Callable<Integer> {
  /** Probes of one command. */
  static final int ATTEMPTS = 3;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DPID",
      description = "The switch: up to 16 hexadecimal digits, with of: or without.")
  private String dpid;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();

  @Option(
      names = {"-t", "--tables"},
      paramLabel = "N",
      split = ",",
      defaultValue = "0",
      description = "The tables to fill, separated by commas (default 0).")
  private List<Integer> tables;

  @Option(names = "--yes", description = "Do it.")
  private boolean yes;

  @Option(
      names = "--despite-others",
      description = "Go on where entries of others are in the switch.")
  private boolean despiteOthers;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write what was found as a switch profile.")
  private @Nullable Path out;

  @Override
  public Integer call() throws OperatorException, IOException {
    String id = DatapathIdParameter.parse(spec, dpid);
    PrintWriter print = spec.commandLine().getOut();
    JsonNode done = probe(id, print);
    done.path("report").forEach(line -> print.println(Printable.of(line.asText())));
    print.flush();
    if (out != null) {
      Files.writeString(out, done.path("profile").asText());
      print.println("profile written to " + out);
      print.flush();
    }
    return ExitCode.DONE;
  }

  /** Probes with whoever masters the switch, and once more where that was interrupted. */
  private JsonNode probe(String id, PrintWriter print) throws OperatorException {
    MasterSearch masters = new MasterSearch(nodes.asked(spec), nodes.timeoutMillis());
    for (int attempt = 1; ; attempt++) {
      RemoteProbe probe =
          new RemoteProbe(masters.find(id, attempt > 1), id, tables, despiteOthers, print);
      JsonNode said = probe.warn();
      if (!RemoteProbe.interrupted(said)) {
        if (!yes) {
          throw new OperatorException("nothing was done", "give --yes to go on");
        }
        said = probe.run();
      }
      if (!RemoteProbe.interrupted(said) || attempt == ATTEMPTS) {
        RemoteProbe.refuse(said);
        return said;
      }
      print.println("interrupted: " + said.path("error").asText() + "; it begins anew");
      print.flush();
    }
  }
}
