package io.lockstep.bench.placer;

import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.ProfileFile;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.ProfileException;
import io.lockstep.placer.profile.ProfileReader;
import io.lockstep.placer.profile.SwitchProfile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A built-in model of switch whose TCAM has another room: the file that a node is configured with,
 * and the emulated switch. The reserve stays, up to an eighth of the room.
 *
 * @param name of the model
 * @param text of the node's file
 * @param profile that the text has
 * @param emulated the switch
 */
record ScaledSwitch(String name, String text, SwitchProfile profile, HardwareProfile emulated) {
  /**
   * A model with room for so many entries that match on IPv4.
   *
   * @throws IOException where a file of the model is not as expected
   */
  static ScaledSwitch of(String name, long entries) throws IOException {
    SwitchProfile whole = BuiltInProfiles.get(name);
    LayerProfile tcam = whole.layers().get(PlacerRun.tcam(whole));
    if (!tcam.capacity().bounded()) {
      throw new IOException(name + " has a TCAM without bound: nothing is to be placed there");
    }
    long before = tcam.capacity().units();
    long units = Math.max(8, entries * tcam.capacity().unitsOf(-1 >>> 1));
    String text = read(BuiltInProfiles.class, name + ".yaml");
    text = cut(text, "units: " + before, "units: " + units);
    text =
        cut(
            text,
            "reserve: " + tcam.reserveUnits(),
            "reserve: " + Math.min(tcam.reserveUnits(), units / 8));
    String hardware = read(ProfileFile.class, "/io/lockstep/dataplane/profile/" + name + ".yaml");
    try {
      return new ScaledSwitch(
          name,
          text,
          ProfileReader.read(name, text),
          ProfileFile.parse(name, cut(hardware, "units: " + before, "units: " + units)));
    } catch (ProfileException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * What the node's own entries leave to the rules, with the reserve that the node keeps: where no
   * layer is behind the TCAM, it uses the reserve before it refuses a rule, so there is none.
   *
   * @param ownUnits of the TCAM, which those entries take
   */
  SwitchProfile roomBeside(long ownUnits) {
    int tcam = PlacerRun.tcam(profile);
    LayerProfile layer = profile.layers().get(tcam);
    boolean isLast = tcam == profile.layers().size() - 1;
    return profile.withCapacity(
        tcam,
        layer.capacity().withUnits(layer.capacity().units() - ownUnits),
        isLast ? 0 : layer.reserveUnits());
  }

  private static String cut(String text, String from, String to) throws IOException {
    int at = text.indexOf(from);
    if (at < 0) {
      throw new IOException("the profile has no '" + from + "'");
    }
    return text.substring(0, at) + to + text.substring(at + from.length());
  }

  private static String read(Class<?> beside, String file) throws IOException {
    try (InputStream in = Objects.requireNonNull(beside.getResourceAsStream(file), file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
