package io.lockstep.deploy.cli;

import io.lockstep.core.trace.TraceEvents;
import io.lockstep.core.trace.TraceEvents.Reading;
import io.lockstep.core.trace.TraceException;
import io.lockstep.core.trace.TraceReader;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.TraceSummary;
import io.lockstep.deploy.status.TraceText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep record show}: what a trace has; asks no node. */
@Command(
    name = "show",
    description = "Shows what a trace has, by application and event. Asks no node.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 shown, also where the trace is cut; 1 damaged or no trace; 2 wrong usage."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class RecordShowCommand implements Callable<Integer> {
  private static final int MAX_EVENTS = 10_000;

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FILE", description = "A file of ./lockstep record.")
  private Path file;

  @Option(
      names = "--events",
      paramLabel = "N",
      description = "Show the first N events in full, and as many operations of the core.")
  private int events;

  @Mixin private OutputMixin output = new OutputMixin();

  @Option(names = "--json", description = "The same as -o json.")
  private boolean isJson;

  @Override
  public Integer call() throws OperatorException, IOException {
    if (events < 0 || events > MAX_EVENTS) {
      throw new ParameterException(
          spec.commandLine(), "--events " + events + ": give 0 to " + MAX_EVENTS);
    }
    TraceSummary summary = new TraceSummary(events);
    Reading reading;
    try (TraceReader reader = TraceReader.open(file)) {
      reading = TraceEvents.read(reader, summary);
      summary.ended(reader.header(), reading);
    } catch (TraceException e) {
      throw new OperatorException(e.problem(), e.remedy());
    } catch (IOException e) {
      throw new OperatorException(file + " cannot be read: " + e, "give a file of a trace");
    }
    if (isJson) {
      output.asJson();
    }
    output.print(spec, summary.shown(), TraceText.lines(summary.shown()));
    TraceException damage = reading.damage();
    if (damage != null) {
      throw new OperatorException(damage.problem(), damage.remedy());
    }
    return ExitCode.DONE;
  }
}
