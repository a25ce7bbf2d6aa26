package io.lockstep.deploy.config;

import io.lockstep.deploy.config.NodeSettings.ProfileChoice;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.ProfileException;
import io.lockstep.placer.profile.ProfileReader;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.yaml.Section;
import io.lockstep.yaml.TextFile;
import io.lockstep.yaml.UnreadableFileException;
import io.lockstep.yaml.YamlTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The list {@code switches}: datapath ids and the profile of their flow tables, by the name of a
 * built-in one or by a file. Files are read and checked at once, so that a broken one ends the
 * start and not a take-over.
 */
final class ProfileSection {
  private static final int MAX_FILE_BYTES = 1 << 20;

  /** Packets a second of one switch that a node serves at most. */
  private static final int MAX_SERVED = 10_000;

  private final Path home;

  /**
   * A reader.
   *
   * @param home paths are relative to it
   */
  ProfileSection(Path home) {
    this.home = home;
  }

  List<ProfileChoice> read(Section root) {
    List<ProfileChoice> choices = new ArrayList<>();
    for (Section section : root.sections("switches")) {
      List<SwitchRange> ranges = new ArrayList<>();
      for (YamlTree.Scalar item : section.scalars("switches")) {
        DatapathIds.read(section, item).ifPresent(range -> add(section, item, range, ranges));
      }
      if (ranges.isEmpty()) {
        section.complain(
            "switches", "no switch", "list datapath ids in hexadecimal, or ranges: [1-8, ff]");
      }
      SwitchProfile profile = profile(section);
      int served = section.number("servedByNode", 0, 0, MAX_SERVED, "packets per second");
      section.finish();
      if (profile != null) {
        ranges.forEach(range -> choices.add(new ProfileChoice(range, profile, served)));
      }
    }
    return choices;
  }

  private static void add(
      Section section, YamlTree.Scalar item, SwitchRange range, List<SwitchRange> ranges) {
    if (ranges.stream().anyMatch(range::overlaps)) {
      section.complainAt(
          item.place(), "switches", "'" + item.text() + "' is there twice", "list it once");
    } else {
      ranges.add(range);
    }
  }

  private @Nullable SwitchProfile profile(Section section) {
    String remedy =
        "name one of "
            + String.join(", ", BuiltInProfiles.names())
            + ", or a file such as my-switch.yaml (docs/SWITCH_PROFILES.md)";
    String name = section.requiredText("profile", "", "[^\\x00]{1,1024}", remedy);
    if (name.isEmpty()) {
      return null;
    }
    if (BuiltInProfiles.names().contains(name)) {
      return BuiltInProfiles.get(name);
    }
    Path file = home.resolve(name);
    try {
      if (!Files.isRegularFile(file)) {
        section.complain(
            "profile", "'" + name + "' is neither a built-in profile nor a file", remedy);
        return null;
      }
      return ProfileReader.read(
          file.getFileName().toString(), TextFile.read(file, MAX_FILE_BYTES, remedy));
    } catch (UnreadableFileException e) {
      section.complain("profile", file + ": " + e.problem().message(), e.problem().remedy());
    } catch (ProfileException e) {
      section.complain("profile", String.valueOf(e.getMessage()), "mend the file");
    }
    return null;
  }
}
