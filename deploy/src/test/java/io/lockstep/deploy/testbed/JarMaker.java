package io.lockstep.deploy.testbed;

import io.lockstep.core.app.ApplicationProvider;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles sources against this build and packs them, as the author of an application does. */
public final class JarMaker {
  /**
   * An application that passes everything; the places are for its name, its decision and more
   * methods of its provider.
   */
  private static final String PROVIDER =
      """
      package test;

      import io.lockstep.core.app.*;
      import io.lockstep.store.*;
      import java.util.*;

      public final class Provider implements ApplicationProvider {
        public String name() { return "%s"; }
        public int priority() { return USUAL_PRIORITY; }
        public PacketApplication create(ApplicationConfiguration configuration) {
          return new PacketApplication() {
            public String name() { return "%s"; }
            public Decision packetIn(PacketView packet, NetworkView network) {
              %s
            }
          };
        }
        %s
      }
      """;

  private final Path directory;
  private final Map<String, byte[]> entries = new LinkedHashMap<>();

  /** A jar with nothing in it. */
  public JarMaker(Path directory) {
    this.directory = directory;
  }

  /**
   * A jar with one application.
   *
   * @param decision statements of its method that decides on packets
   * @param more methods of its provider
   */
  public static JarMaker application(Path directory, String name, String decision, String more)
      throws IOException {
    JarMaker maker = new JarMaker(directory);
    maker.compile("Provider", PROVIDER.formatted(name, name, decision, more));
    return maker.declare("test.Provider");
  }

  /** Compiles a class of the package {@code test} into the jar. */
  public void compile(String name, String source) throws IOException {
    Path sources = Files.createTempDirectory(directory, "sources");
    Path classes = Files.createTempDirectory(directory, "classes");
    Path file = Files.writeString(sources.resolve(name + ".java"), source);
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK");
    List<String> line = new ArrayList<>();
    line.addAll(List.of("-cp", System.getProperty("java.class.path", ""), "--release", "17"));
    line.addAll(List.of("-proc:none", "-d", classes.toString(), file.toString()));
    if (compiler.run(null, null, null, line.toArray(String[]::new)) != 0) {
      throw new AssertionError("not compiled: " + source);
    }
    try (Stream<Path> all = Files.walk(classes)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        entries.put(classes.relativize(each).toString(), Files.readAllBytes(each));
      }
    }
  }

  /** Names a class as the provider of an application. */
  public JarMaker declare(String type) {
    entries.put(
        "META-INF/services/" + ApplicationProvider.class.getName(),
        type.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** Marks all classes as compiled for a release of Java. */
  public JarMaker builtForJava(int release) {
    entries.forEach(
        (name, bytes) -> {
          if (name.endsWith(".class")) {
            bytes[7] = (byte) (44 + release); // JVMS 4.1: the low byte of major_version
          }
        });
    return this;
  }

  /** Writes the jar. */
  public Path write(String name) throws IOException {
    Path jar = directory.resolve(name);
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream packed = new JarOutputStream(out)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        packed.putNextEntry(new JarEntry(entry.getKey()));
        packed.write(entry.getValue());
        packed.closeEntry();
      }
    }
    return jar;
  }
}
