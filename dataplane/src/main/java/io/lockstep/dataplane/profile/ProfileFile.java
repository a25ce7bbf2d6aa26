package io.lockstep.dataplane.profile;

import io.lockstep.yaml.TextFile;
import io.lockstep.yaml.YamlDocument;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds and reads profiles: those of this module by name, others from YAML files. An unknown key is
 * an error.
 */
public final class ProfileFile {
  /** Largest file read. */
  public static final int MAX_BYTES = 1 << 18;

  /** The profiles of this module. */
  public static final List<String> BUILT_IN =
      List.of("2920", "3500yl-1.0", "3500yl-1.3", "5130", "5700", "ideal", "of-dpa", "ovs-small");

  private ProfileFile() {}

  /**
   * A profile by what a user wrote: the name of a built-in one, or a file (anything with a slash or
   * ending in {@code .yaml}).
   *
   * @param directory where relative files are
   * @throws IOException when there is no such profile or the file cannot be read
   * @throws ProfileException naming everything that is wrong with it
   */
  public static HardwareProfile find(String text, Path directory) throws IOException {
    if (text.contains("/") || text.endsWith(".yaml") || text.endsWith(".yml")) {
      return read(directory.resolve(text));
    }
    return builtIn(text);
  }

  /**
   * A profile of this module.
   *
   * @throws IOException when there is none of that name
   */
  public static HardwareProfile builtIn(String name) throws IOException {
    String resource = "/io/lockstep/dataplane/profile/" + name + ".yaml";
    try (InputStream in =
        BUILT_IN.contains(name) ? ProfileFile.class.getResourceAsStream(resource) : null) {
      if (in == null) {
        throw new IOException("no profile " + name + " among " + String.join(", ", BUILT_IN));
      }
      return parse(name + ".yaml", new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /**
   * Reads a file.
   *
   * @throws IOException when it cannot be read or is larger than {@link #MAX_BYTES}
   * @throws ProfileException naming everything that is wrong with its content, with lines
   */
  public static HardwareProfile read(Path file) throws IOException {
    String remedy = "name one of " + String.join(", ", BUILT_IN) + ", or a file";
    return parse(file.toString(), TextFile.read(file, MAX_BYTES, remedy));
  }

  /**
   * Reads text.
   *
   * @param source name for messages
   * @throws ProfileException naming everything that is wrong, with lines
   */
  public static HardwareProfile parse(String source, String text) {
    YamlDocument document = YamlDocument.parse(text);
    if (document.isReadable()) {
      HardwareProfile profile = ProfileReader.profile(document.root());
      if (document.isSound()) {
        return profile;
      }
    }
    throw new ProfileException(source, document.problems());
  }
}
