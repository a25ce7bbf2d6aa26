package io.lockstep.deploy.cli;

import io.lockstep.core.flow.placed.RuleReport;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.TablesText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep explain}. */
@Command(
    name = "explain",
    description = "Explains what a node does.",
    mixinStandardHelpOptions = true,
    subcommands = ExplainCommand.Flow.class)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class ExplainCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "explain what? for example: flow ID");
  }

  /** {@code lockstep explain flow ID}. */
  @Command(
      name = "flow",
      description = "Shows in which table a flow rule is, why, since when, and what would move it.",
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "Rules of switches with bounded tables only; others are where they were written.",
        "Exit codes: 0 found, 1 no such rule or no node answers, 2 wrong usage."
      })
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  static final class Flow implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "ID", description = "The rule's flow id, in hexadecimal.")
    private String id;

    @Mixin private EndpointsMixin nodes = new EndpointsMixin();
    @Mixin private OutputMixin output = new OutputMixin();

    @Override
    public Integer call() throws OperatorException, IOException {
      if (!id.matches("(0x)?[0-9a-fA-F]{1,16}")) {
        throw new ParameterException(
            spec.commandLine(), "ID " + id + ": give up to 16 hexadecimal digits");
      }
      long flow = Long.parseUnsignedLong(id.replaceFirst("^0x", ""), 16);
      Map<String, RuleReport> found = nodes.gather(spec, node -> node.explain(flow));
      List<String> lines = new ArrayList<>();
      found.forEach((dpid, rule) -> lines.addAll(TablesText.rule(dpid, rule)));
      output.print(spec, found, lines);
      if (found.isEmpty()) {
        throw new OperatorException(
            "no rule " + id + " at a switch with bounded tables",
            "its id is that of FlowRule.id(); ./lockstep switch tables lists switches");
      }
      return ExitCode.DONE;
    }
  }
}
