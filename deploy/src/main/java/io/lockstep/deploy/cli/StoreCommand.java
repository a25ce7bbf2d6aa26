package io.lockstep.deploy.cli;

import io.lockstep.deploy.config.ConfigException;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.config.SettingsReader;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.store.log.disk.Backup;
import io.lockstep.store.log.disk.Damage;
import io.lockstep.store.log.disk.Identity;
import io.lockstep.store.log.disk.LogVerifier;
import io.lockstep.store.log.disk.RefusedException;
import io.lockstep.store.log.disk.Restore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lockstep store}: what a replica keeps on disk. */
@Command(
    name = "store",
    description = "Checks, backs up and restores what a replica keeps on disk.",
    mixinStandardHelpOptions = true,
    subcommands = {StoreCommand.Verify.class, StoreCommand.Save.class, StoreCommand.Refill.class})
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class StoreCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }

  /** Which directory: named, or that of a configuration file. */
  static final class Place {
    @Option(
        names = "--data",
        paramLabel = "DIR",
        description = "The data directory of a replica ('store.directory').")
    @Nullable Path data;

    @Option(
        names = {"-c", "--config"},
        paramLabel = "FILE",
        description = "The configuration file of a replica, which names its directory.")
    @Nullable Path config;

    Path directory() throws OperatorException {
      Path named = data;
      Path file = config;
      if (named != null || file == null) {
        return java.util.Objects.requireNonNull(named, "one of the two is required");
      }
      return StoreCommand.directory(settings(file), file);
    }
  }

  private static NodeSettings settings(Path file) throws OperatorException {
    try {
      return SettingsReader.read(file, SettingsReader.Role.REPLICA);
    } catch (ConfigException e) {
      throw new OperatorException(e.explanation());
    }
  }

  private static Path directory(NodeSettings settings, Path file) throws OperatorException {
    Path directory = settings.store().directory();
    if (directory == null) {
      throw new OperatorException(
          file + ": state: memory: this replica keeps nothing on disk",
          "name a data directory with --data, or the file of a replica with 'state: disk'");
    }
    return directory;
  }

  private interface Work<T> {
    T run() throws IOException, OperatorException;
  }

  private static <T> T withDisk(Work<T> work) throws OperatorException {
    try {
      return work.run();
    } catch (RefusedException refused) {
      throw new OperatorException(String.valueOf(refused.getMessage()));
    } catch (IOException e) {
      throw new OperatorException(
          "reading or writing failed: " + e, "see to the file or directory named, and try again");
    }
  }

  /** {@code lockstep store verify}. */
  @Command(
      name = "verify",
      description = {
        "Checks every record of a replica's log and snapshots, and changes nothing.",
        "The replica may be running."
      },
      mixinStandardHelpOptions = true,
      footer = {"", "Exit codes: 0 all good, 1 damaged or not to be read, 2 wrong usage."})
  static final class Verify implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private Place place;

    @Override
    public Integer call() throws OperatorException {
      LogVerifier.Report report = withDisk(() -> LogVerifier.verify(place.directory()));
      PrintWriter out = spec.commandLine().getOut();
      Identity owner = report.owner();
      if (owner != null) {
        out.printf("replica %d of cluster %s%n", owner.replicaId(), owner.clusterId());
      }
      out.printf(
          "%s, promised regency %d%n",
          report.joined() ? "has taken part" : "has never taken part", report.regency());
      out.printf(
          "decisions %d to %d in %d segments%n",
          report.firstInstance(), report.lastInstance(), report.segments());
      report
          .snapshots()
          .forEach(
              one ->
                  out.printf(
                      "snapshot %s: instance %d, %d bytes%n",
                      one.file(), one.instance(), one.bytes()));
      Damage torn = report.torn();
      if (torn != null) {
        out.println("not yet synced, cut at the next start: " + torn);
      }
      report.setAside().forEach(file -> out.println("set aside, no longer counts: " + file));
      report.damages().forEach(damage -> out.println("DAMAGED: " + damage));
      out.println(report.good() ? "good" : "damaged");
      out.flush();
      return report.good() ? ExitCode.DONE : ExitCode.FAILED;
    }
  }

  /** {@code lockstep store backup}. */
  @Command(
      name = "backup",
      description = {
        "Writes the newest snapshot of a replica and the decisions after it into one file.",
        "The replica may be running."
      },
      mixinStandardHelpOptions = true)
  static final class Save implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private Place place;

    @Option(
        names = "--out",
        required = true,
        paramLabel = "FILE",
        description = "The backup; must not exist yet.")
    private Path out;

    @Override
    public Integer call() throws OperatorException {
      Backup.Written written = withDisk(() -> Backup.write(place.directory(), out));
      spec.commandLine()
          .getOut()
          .printf(
              "%s: cluster %s up to instance %d, %d bytes%n",
              out, written.source().clusterId(), written.lastInstance(), written.bytes());
      return ExitCode.DONE;
    }
  }

  /** {@code lockstep store restore}. */
  @Command(
      name = "restore",
      description = {
        "Makes a replica's data directory from a backup. Stop all replicas, move their directories",
        "away, restore each from the same file, and start them."
      },
      mixinStandardHelpOptions = true)
  static final class Refill implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(names = "--in", required = true, paramLabel = "FILE", description = "The backup.")
    private Path in;

    @Option(
        names = {"-c", "--config"},
        required = true,
        paramLabel = "FILE",
        description = "The configuration file of the replica; its directory must be empty.")
    private Path config;

    @Override
    public Integer call() throws OperatorException {
      NodeSettings settings = settings(config);
      Path directory = directory(settings, config);
      Identity owner = new Identity(settings.cluster(), settings.replicaNumber());
      Restore.RestoredDirectory restored = withDisk(() -> Restore.into(in, directory, owner));
      spec.commandLine()
          .getOut()
          .printf(
              "%s: replica %d of cluster %s up to instance %d%n",
              directory, owner.replicaId(), owner.clusterId(), restored.lastInstance());
      return ExitCode.DONE;
    }
  }
}
