package io.lockstep.deploy.launch;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One node as a process that lives no longer than this one: it ends when its standard input does.
 * May be started again after it ended. Used by one thread at a time, except for {@link #running}
 * and {@link #close}.
 */
public final class LaunchedNode implements AutoCloseable {
  /** Small heaps: three nodes stay well below 1.5 GB together. */
  public static final List<String> JVM_FLAGS =
      List.of(
          "-Xms256m",
          "-Xmx256m",
          "-XX:NewSize=64m",
          "-XX:MetaspaceSize=64m",
          "-XX:+UseSerialGC",
          "-Xshare:auto");

  /** By name: the entry point imports the commands, and some of those import this room. */
  static final String MAIN_CLASS = "io.lockstep.deploy.Main";

  private static final int STOP_SECONDS = 10;

  private final String mainClass;
  private final List<String> arguments;
  private final Path log;
  private final String classPath;
  private final List<String> jvmFlags;
  private volatile @Nullable Process process;

  /**
   * A node that is not yet started.
   *
   * @param command {@code node} or {@code replica}
   * @param log gets its output, appended
   * @param classPath of the program
   */
  public LaunchedNode(String command, Path configuration, Path log, String classPath) {
    this(command, configuration, log, classPath, JVM_FLAGS);
  }

  /** The same with other flags of the virtual machine than {@link #JVM_FLAGS}. */
  public LaunchedNode(
      String command, Path configuration, Path log, String classPath, List<String> jvmFlags) {
    this(command, configuration, log, classPath, jvmFlags, List.of());
  }

  private LaunchedNode(
      String command,
      Path configuration,
      Path log,
      String classPath,
      List<String> jvmFlags,
      List<String> options) {
    this(MAIN_CLASS, arguments(command, configuration, options), log, classPath, jvmFlags);
  }

  private LaunchedNode(
      String mainClass, List<String> arguments, Path log, String classPath, List<String> jvmFlags) {
    this.mainClass = mainClass;
    this.arguments = List.copyOf(arguments);
    this.log = log;
    this.classPath = classPath;
    this.jvmFlags = List.copyOf(jvmFlags);
  }

  private static List<String> arguments(String command, Path configuration, List<String> options) {
    List<String> all = new ArrayList<>();
    all.addAll(List.of(command, "--config", configuration.toString(), "--until-input-ends"));
    all.addAll(options);
    return all;
  }

  /**
   * A node that another entry point starts, with the class path of this process.
   *
   * @param main ends when its standard input does
   * @param arguments all of them
   */
  public static LaunchedNode of(Class<?> main, List<String> arguments, Path log) {
    String classPath = System.getProperty("java.class.path", "");
    return new LaunchedNode(main.getName(), arguments, log, classPath, JVM_FLAGS);
  }

  /** A node of this product. */
  public static LaunchedNode of(Path configuration, Path log) {
    return of(configuration, log, List.of());
  }

  /**
   * The same with more options.
   *
   * @param options of {@code lockstep node}
   */
  public static LaunchedNode of(Path configuration, Path log, List<String> options) {
    return new LaunchedNode("node", configuration, log, productClassPath(), JVM_FLAGS, options);
  }

  /**
   * The class path of the product: the jars beside the archive of loaded classes, which fits no
   * other class path, or without an archive that of this process.
   */
  public static String productClassPath() {
    return archive()
        .map(file -> file.resolveSibling("lib").resolve("*").toString())
        .orElseGet(() -> System.getProperty("java.class.path", ""));
  }

  private static Optional<Path> archive() {
    return Optional.ofNullable(System.getProperty("lockstep.archive"))
        .filter(name -> !name.isEmpty())
        .map(Path::of)
        .filter(Files::exists);
  }

  /** Starts the process. */
  public synchronized void start() throws IOException {
    if (running()) {
      throw new IllegalStateException("it runs already: " + arguments);
    }
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    line.addAll(jvmFlags);
    line.addAll(compilerFlags());
    line.addAll(archiveFlags());
    line.addAll(List.of("-cp", classPath, mainClass));
    line.addAll(arguments);
    process =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()))
            .start();
  }

  /** What makes a start use the archive of loaded classes; empty without one. */
  public static List<String> archiveFlags() {
    return archive()
        .map(
            file ->
                List.of(
                    "-XX:SharedArchiveFile=" + file,
                    "-Xlog:disable",
                    "-Xlog:all=error:stderr",
                    "-Xlog:cds=off",
                    "-Xlog:cds+dynamic=off"))
        .orElse(List.of());
  }

  /**
   * The bound on compilation that this process was started with, as test processes are: what they
   * start ends as soon as they do, before the second compiler has paid for itself. Usually empty.
   */
  public static List<String> compilerFlags() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("-XX:TieredStopAtLevel="))
        .toList();
  }

  /** Whether the process runs. */
  public boolean running() {
    Process current = process;
    return current != null && current.isAlive();
  }

  /** The process. */
  public Process process() {
    Process current = process;
    if (current == null) {
      throw new IllegalStateException("it was never started: " + arguments);
    }
    return current;
  }

  /** Its output so far. */
  public Path log() {
    return log;
  }

  /** Kills it as {@code kill -9} does, and waits until it is gone. */
  public synchronized void kill() {
    Process current = process();
    current.destroyForcibly();
    awaitEnd(current, STOP_SECONDS);
  }

  /** Asks it to stop, and kills it where that takes too long. Gives the exit code. */
  public synchronized int stop() {
    Process current = process();
    current.destroy();
    if (!awaitEnd(current, STOP_SECONDS)) {
      kill();
    }
    return current.exitValue();
  }

  private static boolean awaitEnd(Process process, int seconds) {
    try {
      return process.waitFor(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Ends the process, whatever state it is in. */
  @Override
  public void close() {
    Process current = process;
    if (current != null && current.isAlive()) {
      current.destroyForcibly();
      awaitEnd(current, STOP_SECONDS);
    }
  }
}
