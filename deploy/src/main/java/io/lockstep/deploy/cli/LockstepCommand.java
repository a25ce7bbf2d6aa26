package io.lockstep.deploy.cli;

import io.lockstep.apps.Applications;
import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.deploy.cli.check.ConfigCommand;
import io.lockstep.deploy.cli.check.DoctorCommand;
import io.lockstep.deploy.cli.check.EventsCommand;
import io.lockstep.deploy.cli.check.LogCommand;
import io.lockstep.deploy.cli.check.TopCommand;
import io.lockstep.deploy.cli.check.UpgradeCommand;
import io.lockstep.deploy.cli.flow.FlowsCommand;
import io.lockstep.deploy.cli.flow.PathCommand;
import io.lockstep.deploy.cli.list.AppsCommand;
import io.lockstep.deploy.cli.list.HostsCommand;
import io.lockstep.deploy.cli.list.LinksCommand;
import io.lockstep.deploy.cli.list.NodesCommand;
import io.lockstep.deploy.cli.list.SwitchesCommand;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.process.ProductVersion;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line as a whole. */
@Command(
    name = "lockstep",
    description = "A cluster of SDN controllers on one linearizable store.",
    mixinStandardHelpOptions = true,
    versionProvider = LockstepCommand.Version.class,
    subcommands = {
      NodeCommand.class,
      ReplicaCommand.class,
      StatusCommand.class,
      NodesCommand.class,
      SwitchesCommand.class,
      LinksCommand.class,
      HostsCommand.class,
      FlowsCommand.class,
      PathCommand.class,
      AppsCommand.class,
      DoctorCommand.class,
      TopCommand.class,
      ConfigCommand.class,
      EventsCommand.class,
      LogCommand.class,
      StoreCommand.class,
      PkiCommand.class,
      SwitchCommand.class,
      DomainCommand.class,
      DevicesCommand.class,
      ExplainCommand.class,
      ApplicationCommand.class,
      ResourceCommand.class,
      MastersCommand.class,
      DrainCommand.class,
      DrainCommand.Undrain.class,
      RebalanceCommand.class,
      RecordCommand.class,
      CompletionCommand.class,
      ManualCommand.class,
      AuditCommand.class,
      UserCommand.class,
      UpgradeCommand.class,
      RehearseCommand.class
    })
@SuppressWarnings("NullAway.Init") // picocli sets the field
public final class LockstepCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** Parses and runs; gives the exit code. A wrong command line is explained on standard error. */
  public static int run(String... arguments) {
    return line(arguments).execute(arguments);
  }

  /**
   * The command that these arguments name, if it is one of this module; else all commands. To read
   * the options of all takes longer than most commands.
   */
  private static CommandLine line(String... arguments) {
    String wanted = arguments.length == 0 ? "" : arguments[0];
    for (Class<?> type : LockstepCommand.class.getAnnotation(Command.class).subcommands()) {
      if (type.getAnnotation(Command.class).name().equals(wanted)) {
        CommandLine only = new CommandLine(new OneCommand());
        only.addSubcommand(wanted, new CommandLine(type));
        return withHandlers(only);
      }
    }
    return line();
  }

  /** Stands for the whole command line where one of its commands is called. */
  @Command(name = "lockstep", mixinStandardHelpOptions = true, versionProvider = Version.class)
  private static final class OneCommand {}

  /** The commands, with what is written where one fails. */
  static CommandLine line() {
    CommandLine line = new CommandLine(new LockstepCommand());
    // Before the handlers are set: they are set for the commands that are there.
    ServiceLoader.load(AddedCommand.class, LockstepCommand.class.getClassLoader())
        .forEach(line::addSubcommand);
    for (ApplicationProvider provider : Applications.providers()) {
      provider.resources().forEach(one -> ResourceCommand.addTo(line, one.description()));
    }
    return withHandlers(line);
  }

  private static CommandLine withHandlers(CommandLine line) {
    line.setParameterExceptionHandler(UsageError::report);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setExecutionExceptionHandler(
        (failure, commandLine, result) -> {
          commandLine.getErr().println("lockstep: " + explain(failure));
          return ExitCode.FAILED;
        });
    return line;
  }

  /** The operator's sentence; anything unexpected keeps its trace. */
  private static String explain(Exception failure) {
    if (failure instanceof OperatorException operator) {
      return operator.explanation();
    }
    java.io.StringWriter trace = new java.io.StringWriter();
    failure.printStackTrace(new java.io.PrintWriter(trace));
    return "unexpected: " + trace;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }

  /** The version that the build wrote into the jar. */
  public static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"lockstep " + ProductVersion.text() + ", Java " + Runtime.version()};
    }
  }
}
