package io.lockstep.deploy.cli;

import io.lockstep.deploy.config.ConfigException;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.node.Halt;
import io.lockstep.deploy.node.ProcessKeys;
import io.lockstep.deploy.process.ExitCause;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OpenFiles;
import io.lockstep.deploy.process.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine.Option;

/** What {@code node} and {@code replica} have in common: a configuration file, and running on. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class ServeMixin {
  /** Below the 10 s after which Docker and others kill what they asked to stop. */
  private static final long STOP_MILLIS = 9_000;

  @Option(
      names = {"-c", "--config"},
      required = true,
      paramLabel = "FILE",
      description = "The configuration file; every key is explained in docs/OPERATING.md.")
  private Path config;

  @Option(
      names = "--until-input-ends",
      hidden = true,
      description = "End when standard input does: a launcher that dies takes this along.")
  private boolean untilInputEnds;

  @Option(names = "--check", description = "Check the configuration file and end.")
  private boolean check;

  /** Reads the file. */
  interface Reader {
    NodeSettings read(Path file) throws ConfigException;
  }

  /** Starts what the command is about. */
  interface Starter {
    AutoCloseable start(NodeSettings settings) throws OperatorException;
  }

  /**
   * Reads the file, starts, and waits for the end of the process. What keeps it from that is
   * written to standard error, and so is a thread that fails later.
   */
  int serve(Reader reader, Starter starter) {
    try {
      return run(reader, starter);
    } catch (OperatorException | RuntimeException | Error e) {
      return ExitCause.report(e, System.err).code();
    }
  }

  private int run(Reader reader, Starter starter) throws OperatorException {
    NodeSettings settings;
    try {
      settings = reader.read(config);
    } catch (ConfigException e) {
      throw new OperatorException(e.explanation());
    }
    if (check) {
      ProcessKeys.check(settings);
      System.out.println(config + ": good");
      return ExitCode.DONE;
    }
    setUpLogging(settings);
    OpenFiles.check();
    Thread.setDefaultUncaughtExceptionHandler(Halt::threadFailed);
    AutoCloseable running = starter.start(settings);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(running), "shutdown"));
    if (untilInputEnds) {
      awaitEndOfInput();
      return ExitCode.DONE;
    }
    awaitForever();
    return ExitCode.DONE;
  }

  /** Before anything asks for a logger. */
  private static void setUpLogging(NodeSettings settings) throws OperatorException {
    System.setProperty("lockstep.cluster", settings.cluster());
    System.setProperty("lockstep.node", settings.nodeId());
    System.setProperty("lockstep.log.format", settings.log().format());
    String file = settings.log().file();
    if (file != null) {
      requireWritable(Path.of(file).toAbsolutePath());
      System.setProperty("lockstep.log.file", file);
      System.setProperty("logback.configurationFile", "logback-file.xml");
    }
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }

  /** The logging library would say nothing of a file that it cannot write. */
  private static void requireWritable(Path file) throws OperatorException {
    try {
      Path directory = file.getParent();
      if (directory != null) {
        Files.createDirectories(directory);
      }
      Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND).close();
    } catch (IOException e) {
      throw new OperatorException(
          "log.file: cannot write " + file + ": " + e,
          "name a file that this user may write, or leave log.file out");
    }
  }

  private static void close(AutoCloseable running) {
    Halt.afterStop(STOP_MILLIS);
    try {
      running.close();
    } catch (Exception e) {
      throw new IllegalStateException("stopping failed", e);
    }
  }

  private static void awaitEndOfInput() {
    byte[] ignored = new byte[64];
    try {
      while (System.in.read(ignored) >= 0) {
        // whatever comes, only its end matters
      }
    } catch (IOException gone) {
      // the launcher is gone
    }
  }

  private static void awaitForever() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
