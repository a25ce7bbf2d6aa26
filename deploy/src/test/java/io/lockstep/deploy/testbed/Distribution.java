package io.lockstep.deploy.testbed;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The distribution that the build put together before the integration tests, as tests of deploy and
 * of the demo find it from the directories of their modules.
 */
public final class Distribution {
  private Distribution() {}

  /** The class path of every command. */
  public static String classPath() {
    Path lib = root().resolve(Path.of("deploy", "target", "dist", "lib"));
    if (!Files.isDirectory(lib)) {
      throw new IllegalStateException(lib + " is missing: integration tests run after 'package'");
    }
    return lib + "/*";
  }

  /** The root of the source tree, where the script is. */
  public static Path root() {
    return Path.of("..").toAbsolutePath().normalize();
  }

  /** The java that runs this test: the commands run on the same. */
  public static String java() {
    return Path.of(System.getProperty("java.home", ""), "bin", "java").toString();
  }
}
