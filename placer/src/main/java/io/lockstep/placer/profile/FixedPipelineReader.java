package io.lockstep.placer.profile;

import io.lockstep.placer.profile.FixedPipeline.FrameKind;
import io.lockstep.placer.profile.FixedPipeline.Output;
import io.lockstep.placer.profile.FixedPipeline.PortEntry;
import io.lockstep.yaml.Section;
import io.lockstep.yaml.YamlTree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the part {@code fixed} of a profile and checks it against the layers. */
final class FixedPipelineReader {
  private static final int MAX_VLAN = 4094;
  private static final int MAX_TABLE = 254;
  private static final int MAX_PRIORITY = 65_534;
  private static final int MAX_PORT_ENTRIES = 8;

  private FixedPipelineReader() {}

  static @Nullable FixedPipeline read(Section top, List<LayerProfile> layers) {
    if (!top.has("fixed")) {
      return null;
    }
    Section section = top.section("fixed");
    int vlan = section.number("untaggedVlan", 0, 0, MAX_VLAN, "0 for none");
    List<PortEntry> entries = new ArrayList<>();
    for (Section each : section.sections("portEntries")) {
      entries.add(portEntry(each, vlan));
    }
    if (entries.size() > MAX_PORT_ENTRIES) {
      section.complain(
          "portEntries",
          entries.size() + " for each port",
          "give " + MAX_PORT_ENTRIES + " at most");
    }
    FixedPipeline fixed =
        new FixedPipeline(
            vlan,
            entries,
            section.choice("output", Output.PORTS, Output.values()),
            section.number("lastPriority", 0, 0, MAX_PRIORITY, ""),
            types(section));
    section.finish();
    if (fixed.output() == Output.L2_INTERFACE && vlan == 0) {
      section.complain(
          "output", "groups for a VLAN, and no VLAN", "say which in 'untaggedVlan', such as 1");
    }
    if (layers.size() == 1 && fixed.isPortTable(layers.get(0).table())) {
      section.complain(
          "portEntries", "an entry in the table of the layer", "rules are there: name another one");
    }
    if (layers.size() != 1 || layers.get(0).cover() != Cover.CONTROLLER) {
      top.complain(
          "fixed",
          "beside " + layers.size() + " layers",
          "give one layer, with 'cover: controller'; name the other tables in 'fixed'");
    }
    return fixed;
  }

  private static PortEntry portEntry(Section section, int vlan) {
    PortEntry entry =
        new PortEntry(
            section.requiredNumber("table", 0, 0, MAX_TABLE, ""),
            section.requiredNumber("priority", 1, 1, MAX_PRIORITY, ""),
            section.requiredChoice("frames", FrameKind.ALL, FrameKind.values()),
            section.flag("assigns", false),
            section.requiredNumber("goto", MAX_TABLE, 0, MAX_TABLE, ""));
    section.finish();
    if (section.isSound() && entry.next() <= entry.table()) {
      section.complain("goto", "table " + entry.next(), "packets go upwards: name a higher table");
    }
    if (vlan == 0 && (entry.frames() == FrameKind.TAGGED || entry.assigns())) {
      section.complain("frames", "a VLAN that is not named", "say which in 'untaggedVlan'");
    }
    if (entry.assigns() && entry.frames() != FrameKind.UNTAGGED) {
      section.complain("assigns", "a tag for frames that may have one", "use 'frames: untagged'");
    }
    return entry;
  }

  private static List<Integer> types(Section section) {
    List<Integer> types = new ArrayList<>();
    for (YamlTree.Scalar each : section.scalars("apartTypes")) {
      if (each.text().matches("0x[0-9a-f]{4}")) {
        types.add(Integer.parseInt(each.text().substring(2), 16));
      } else {
        section.complainAt(
            each.place(), "apartTypes", "'" + each.text() + "'", "write EtherTypes as 0x86dd");
      }
    }
    return types;
  }
}
