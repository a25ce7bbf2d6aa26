package io.lockstep.deploy.cli.check;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lockstep.deploy.application.ApplicationCatalog;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.config.ConfigException;
import io.lockstep.deploy.config.SettingsReader;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.Listing;
import io.lockstep.yaml.ReadValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep config}. */
@Command(
    name = "config",
    description = "Looks at configuration files.",
    mixinStandardHelpOptions = true,
    subcommands = ConfigCommand.Check.class)
@SuppressWarnings("NullAway.Init") // picocli sets the field
public final class ConfigCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }

  /** {@code lockstep config check}. */
  @Command(
      name = "check",
      description = "Checks a node's file, and lists all values in effect with their origin.",
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "ORIGIN: FILE:LINE, or default. The environment changes no value of the file: it has only",
        "LOCKSTEP_JVM_FLAGS (flags of the virtual machine) and LOCKSTEP_JAVA. Sections of",
        "applications from outside are not checked: 'node --check' loads their jars.",
        "Exit codes: 0 sound, 12 something is wrong, with file, line and remedy."
      })
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  static final class Check implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The file of a node.")
    private Path file;

    @Option(names = "--changed", description = "Only what the file has, not the defaults.")
    private boolean isChangedOnly;

    @Mixin private OutputMixin output = new OutputMixin();

    @Override
    public Integer call() throws OperatorException, IOException {
      Map<String, ReadValue> byPath = new LinkedHashMap<>();
      try {
        SettingsReader.effective(file, ApplicationCatalog.BUILT_IN)
            .forEach(one -> byPath.put(one.path(), one));
      } catch (ConfigException e) {
        spec.commandLine().getErr().println("lockstep: " + e.explanation());
        return ExitCode.NEEDS_PERSON;
      }
      ArrayNode rows = JsonNodeFactory.instance.arrayNode();
      for (ReadValue one : byPath.values()) {
        if (!(isChangedOnly && one.isUsual())) {
          rows.addObject()
              .put("key", one.path())
              .put("value", one.value())
              .put("origin", one.isUsual() ? "default" : file + ":" + one.place().line());
        }
      }
      Listing listing =
          Listing.of("lockstep.config/1", "The file has no value.")
              .column("KEY", "key")
              .column("VALUE", "value")
              .column("ORIGIN", "origin");
      output.print(spec, listing, rows);
      return ExitCode.DONE;
    }
  }
}
