package io.lockstep.placer.profile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The profiles that come with Lockstep. */
public final class BuiltInProfiles {
  private static final List<String> NAMES =
      List.of(
          "2920",
          "3500yl-1.0",
          "3500yl-1.3",
          "5130",
          "5130-mac-ip",
          "5700",
          "ideal",
          "of-dpa",
          "ovs-small");

  private BuiltInProfiles() {}

  /** The names of the profiles. */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * The profile of a name.
   *
   * @throws IllegalArgumentException for another name
   */
  public static SwitchProfile get(String name) {
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException("no built-in profile '" + name + "': " + NAMES);
    }
    String file = name + ".yaml";
    try (InputStream in = BuiltInProfiles.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("not on the class path: " + file);
      }
      return ProfileReader.read(file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + file, e);
    } catch (ProfileException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }
}
