package io.lockstep.deploy.placed;

import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.core.flow.placed.SwitchProfiles.Choice;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.ProfileFile;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.ProfileException;
import io.lockstep.placer.profile.ProfileReader;
import io.lockstep.placer.profile.SwitchProfile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The built-in models of switches, as they are or with small tables: then some dozens of rules are
 * more than they hold. The emulated switch's profile and the placer's are cut alike, each in its
 * own file.
 */
final class Models {
  /** What is replaced in both files; the placer's reserve besides. */
  private static final Map<String, List<String>> SMALL =
      Map.of(
          "2920", List.of("units: 460", "units: 24", "reserve: 8", "reserve: 3"),
          "3500yl-1.0", List.of("units: 1526", "units: 64", "reserve: 16", "reserve: 6"),
          "3500yl-1.3", List.of("units: 1526", "units: 20", "reserve: 16", "reserve: 3"),
          "5130",
              List.of(
                  "units: 16000",
                  "units: 12",
                  "reserve: 64",
                  "reserve: 2",
                  "units: 1536",
                  "units: 120",
                  "reserve: 32",
                  "reserve: 12"),
          "5700",
              List.of(
                  "units: 65535",
                  "units: 12",
                  "reserve: 64",
                  "reserve: 2",
                  "units: 2560",
                  "units: 200",
                  "reserve: 32",
                  "reserve: 20",
                  "planAtMost: 512",
                  "planAtMost: 40"),
          "ovs-small", List.of("units: 128", "units: 20", "reserve: 8", "reserve: 3"));

  private Models() {}

  /** Their names. */
  static List<String> names() {
    return ProfileFile.BUILT_IN;
  }

  /** Whether the placer has anything to do with it. */
  static boolean isPlaced(String name) {
    return !name.equals("ideal");
  }

  /**
   * Whether its tables are tables of OpenFlow, among which rules can be moved. Elsewhere a rule
   * that hardware takes is refused where one above is in software.
   */
  static boolean isVisible(String name) {
    return !name.equals("2920") && !name.equals("3500yl-1.0");
  }

  /** The emulated switch, as the paper measured it. */
  static HardwareProfile emulated(String name) throws IOException {
    return ProfileFile.builtIn(name);
  }

  /** What an operator has configured for it: nothing, unless it is no switch of a known maker. */
  static SwitchProfiles configured(String name) {
    return name.equals("ovs-small") ? only(BuiltInProfiles.get(name)) : SwitchProfiles.NONE;
  }

  /** The emulated switch with small tables. */
  static HardwareProfile smallEmulated(String name) throws IOException {
    String file = "/io/lockstep/dataplane/profile/" + name + ".yaml";
    return ProfileFile.parse(name, cut(name, ProfileFile.class, file));
  }

  /** What an operator has configured for that. */
  static SwitchProfiles smallConfigured(String name) throws IOException {
    if (!isPlaced(name)) {
      return SwitchProfiles.NONE;
    }
    try {
      return only(ProfileReader.read(name, smallText(name)));
    } catch (ProfileException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The placer's profile of it, as a file. */
  static String smallText(String name) throws IOException {
    return cut(name, BuiltInProfiles.class, "/io/lockstep/placer/profile/" + name + ".yaml");
  }

  /** One profile for all switches. */
  static SwitchProfiles only(SwitchProfile profile) {
    return new SwitchProfiles(List.of(new Choice(1, 16, profile)));
  }

  private static String cut(String name, Class<?> beside, String file) throws IOException {
    try (InputStream in = Objects.requireNonNull(beside.getResourceAsStream(file), file)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      List<String> cuts = SMALL.getOrDefault(name, List.of());
      for (int i = 0; i < cuts.size(); i += 2) {
        text = text.replace(cuts.get(i), cuts.get(i + 1));
      }
      return text;
    }
  }
}
