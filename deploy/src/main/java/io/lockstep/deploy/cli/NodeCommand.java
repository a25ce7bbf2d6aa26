package io.lockstep.deploy.cli;

import io.lockstep.deploy.application.ApplicationCatalog;
import io.lockstep.deploy.application.ApplicationJarException;
import io.lockstep.deploy.config.SettingsReader;
import io.lockstep.deploy.node.RunningNode;
import io.lockstep.deploy.process.ExitCode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lockstep node}. */
@Command(
    name = "node",
    description = "Runs one controller node until it is told to stop.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 --check found the file good; 1 the Java virtual machine did not start; 2 wrong",
      "usage; 10 the replica halted; 11 full disk, port in use, too few open files or too little",
      "memory; 12 it needs a person: broken configuration, damaged or newer files, another replica's",
      "directory; 143 stopped by SIGTERM. Start it again after 1, 10 and 11. The last line on standard",
      "error names the cause and the remedy."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the field
final class NodeCommand implements Callable<Integer> {
  @Mixin private ServeMixin serving;

  @Option(
      names = "--app",
      paramLabel = "FILE.jar",
      description =
          "Also run the applications of this jar, beside those of the file's applicationJars; may"
              + " be given several times. Give all nodes the same: docs/APPLICATIONS.md.")
  private List<Path> jars = List.of();

  @Override
  public Integer call() {
    ApplicationCatalog catalog;
    try {
      catalog = ApplicationCatalog.BUILT_IN.with(jars);
    } catch (ApplicationJarException e) {
      System.err.println("lockstep: " + e.getMessage());
      return ExitCode.USAGE;
    }
    return serving.serve(
        file -> SettingsReader.read(file, SettingsReader.Role.NODE, catalog), RunningNode::start);
  }
}
