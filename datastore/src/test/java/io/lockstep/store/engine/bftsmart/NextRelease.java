package io.lockstep.store.engine.bftsmart;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The release after this one, as a developer would make it: a few sources of this one, changed and
 * compiled anew. It knows version 3 of the cluster, in which a micro component answers otherwise
 * and another one is new, counters only grow, and segments have a header of format 2.
 */
final class NextRelease {
  private static final Path MAIN = Path.of("src", "main", "java", "io", "lockstep", "store");
  private static final Path TEST = Path.of("src", "test", "java", "io", "lockstep", "store");

  private final Map<Path, String> sources = new LinkedHashMap<>();

  /**
   * Compiles it.
   *
   * @param to a directory for the changed sources and their classes
   * @return the directory of the classes, which belongs in front of this release's
   */
  static Path compile(Path to) throws IOException {
    NextRelease next = new NextRelease();
    next.changeVersion();
    next.changeComponents();
    next.changeOperation();
    next.changeLog();
    return next.compiled(to);
  }

  private void changeVersion() throws IOException {
    change(MAIN.resolve("Release.java"), "return BASELINE;", "return 3;");
  }

  private void changeComponents() throws IOException {
    change(
        TEST.resolve(Path.of("engine", "bftsmart", "UpgradedComponents.java")),
        "List.of(new Answer(GREET, 1, \"hello\"))",
        "List.of(new Answer(GREET, 1, \"hello\"), new Answer(GREET, 3, \"good day\"),"
            + " new Answer(PART, 3, \"bye\"))");
  }

  private void changeOperation() throws IOException {
    change(
        MAIN.resolve(Path.of("core", "CommandInterpreter.java")),
        "    if (command instanceof Command.Call c) {",
        "    if (state.rules().number() >= 3 && command instanceof Command.Increment increment"
            + " && increment.delta() < 0) {"
            + " return Refusals.outOfBounds(\"counters only grow\"); }\n"
            + "    if (command instanceof Command.Call c) {");
  }

  /** The header of a segment ends with 8 more bytes. */
  private void changeLog() throws IOException {
    Path disk = MAIN.resolve(Path.of("log", "disk"));
    Path formats = disk.resolve("Formats.java");
    change(
        formats,
        "static int ofSegments(int clusterVersion) {\n    return FileHeader.VERSION;",
        "static int ofSegments(int clusterVersion) {\n    return clusterVersion >= 3 ? 2 : 1;");
    change(
        formats,
        "static int newest(long magic) {\n    return FileHeader.VERSION;",
        "static int newest(long magic) {\n    return magic == FileHeader.SEGMENT ? 2 : 1;");
    Path segment = disk.resolve("Segment.java");
    change(
        segment, "+ 20 + Decision.CHAIN_BYTES", "+ 20 + 8 * (format - 1) + Decision.CHAIN_BYTES");
    change(
        segment,
        "body.putInt(generation).putLong(first).put(chainBefore).putLong(salt);",
        "body.putInt(generation).putLong(first).put(chainBefore);"
            + " if (format >= 2) { body.putLong(first ^ salt); }"
            + " body.putLong(salt);");
    change(
        segment,
        "          in.getLong(),\n          format);",
        "          format >= 2 ? in.getLong() ^ in.getLong() ^ in.getLong(in.position() - 16)"
            + " : in.getLong(),\n          format);");
  }

  /** Fails where the source is no longer as this change expects it. */
  private void change(Path source, String from, String to) throws IOException {
    String known = sources.get(source);
    String text = known == null ? Files.readString(source) : known;
    int at = text.indexOf(from);
    if (at < 0 || text.indexOf(from, at + 1) >= 0) {
      throw new AssertionError(
          source + " has this not once, but the next release changes it: " + from);
    }
    sources.put(source, text.replace(from, to));
  }

  private Path compiled(Path to) throws IOException {
    Path classes = Files.createDirectories(to.resolve("classes"));
    List<Path> files = new ArrayList<>();
    for (Map.Entry<Path, String> source : sources.entrySet()) {
      Path file = to.resolve("sources").resolve(source.getKey());
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      files.add(Files.writeString(file, source.getValue()));
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      boolean done =
          compiler
              .getTask(
                  said,
                  manager,
                  null,
                  List.of(
                      "-proc:none",
                      "-nowarn",
                      "-cp",
                      System.getProperty("java.class.path"),
                      "-d",
                      classes.toString()),
                  null,
                  manager.getJavaFileObjectsFromPaths(files))
              .call();
      if (!done) {
        throw new AssertionError("the next release does not compile: " + said);
      }
    }
    return classes;
  }
}
