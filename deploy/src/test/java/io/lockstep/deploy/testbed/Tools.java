package io.lockstep.deploy.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;

/**
 * The tools of a machine that has few: a directory of links, which is the whole {@code PATH} of the
 * scripts under test.
 *
 * @param directory holds a link for each tool
 */
public record Tools(Path directory) {

  /** Makes the directory, with a link to each of the tools that this machine has to have. */
  public static Tools in(Path directory, Collection<String> names) throws IOException {
    Files.createDirectory(directory);
    for (String name : names) {
      Files.createSymbolicLink(directory.resolve(name), CommandRun.locate(name));
    }
    return new Tools(directory);
  }

  /** Adds the java that runs this test. */
  public Tools withJava() throws IOException {
    Files.createSymbolicLink(directory.resolve("java"), Path.of(Distribution.java()));
    return this;
  }

  /** Puts a program of the test's own in the place of a tool, or beside them. */
  public void put(String name, String shellScript) throws IOException {
    Path program = directory.resolve(name);
    Files.deleteIfExists(program);
    Files.writeString(program, "#!/bin/sh\n" + shellScript + "\n");
    if (!program.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + program + " executable");
    }
  }

  /** An environment in which a script finds these tools, and no Java but theirs. */
  public Map<String, String> environment() {
    return Map.of("PATH", directory.toString(), "JAVA_HOME", "", "LOCKSTEP_JAVA", "");
  }
}
