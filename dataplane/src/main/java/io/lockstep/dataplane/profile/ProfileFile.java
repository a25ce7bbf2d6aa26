package io.lockstep.dataplane.profile;

import io.lockstep.dataplane.yaml.Problem;
import io.lockstep.dataplane.yaml.YamlFields;
import io.lockstep.dataplane.yaml.YamlNode;
import io.lockstep.dataplane.yaml.YamlNode.Mapping;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds and reads profiles: those of this module by name, others from YAML files. An unknown key is
 * an error.
 */
public final class ProfileFile {
  /** Largest file read. */
  public static final int MAX_BYTES = 1 << 18;

  /** The profiles of this module. */
  public static final List<String> BUILT_IN =
      List.of("2920", "3500yl-1.0", "3500yl-1.3", "5130", "5700", "ideal", "ovs-small");

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
    if (!Files.isRegularFile(file)) {
      throw new IOException("no file " + file);
    } else if (Files.size(file) > MAX_BYTES) {
      throw new IOException(file + " is larger than " + MAX_BYTES + " bytes");
    }
    return parse(file.toString(), Files.readString(file));
  }

  /**
   * Reads text.
   *
   * @param source name for messages
   * @throws ProfileException naming everything that is wrong, with lines
   */
  public static HardwareProfile parse(String source, String text) throws IOException {
    List<Problem> problems = new ArrayList<>();
    YamlNode root = YamlNode.read(text, problems);
    HardwareProfile profile = null;
    if (root instanceof Mapping top) {
      profile = new ProfileReader(problems).profile(new YamlFields(top, problems));
    } else if (problems.isEmpty()) {
      problems.add(new Problem(1, "no profile", "begin with the keys name and tables"));
    }
    return sound(source, profile, problems);
  }

  private static HardwareProfile sound(
      String source, @Nullable HardwareProfile profile, List<Problem> problems) {
    if (profile == null || !problems.isEmpty()) {
      throw new ProfileException(source, problems);
    }
    return profile;
  }
}
