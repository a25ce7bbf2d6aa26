package io.lockstep.placer.profile;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.yaml.Section;
import io.lockstep.yaml.YamlDocument;
import io.lockstep.yaml.YamlTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a profile from YAML and checks it as a whole. Reports all problems at once; a problem of a
 * combination of values only if each value alone is right. An unknown key is a problem.
 */
public final class ProfileReader {
  private static final int EVERY_FIELD = HeaderField.OPAQUE.bit() - 1;
  private static final int MAX_UNITS = 100_000_000;
  private static final String SHORT_TEXT = ".{1,200}";
  private static final String GIVE_TEXT = "give it a text of up to 200 characters";

  private enum Locations {
    VISIBLE,
    HIDDEN
  }

  private ProfileReader() {}

  /**
   * Reads one profile.
   *
   * @param file its name, for messages
   * @param text the document
   * @throws ProfileException with all problems, if the profile cannot be used
   */
  public static SwitchProfile read(String file, String text) throws ProfileException {
    YamlDocument document = YamlDocument.parse(text);
    if (document.isReadable()) {
      SwitchProfile profile = profile(document.root());
      if (document.isSound()) {
        return profile;
      }
    }
    throw new ProfileException(file, document.problems());
  }

  private static SwitchProfile profile(Section top) {
    List<Section> sections = top.sections("layers");
    List<LayerProfile> layers = new ArrayList<>();
    for (Section section : sections) {
      layers.add(layer(section));
    }
    SwitchProfile profile =
        new SwitchProfile(
            top.requiredText("name", "unnamed", SHORT_TEXT, GIVE_TEXT),
            top.requiredText("openflow", "1.3", SHORT_TEXT, GIVE_TEXT),
            top.requiredChoice("locations", Locations.VISIBLE, Locations.values())
                == Locations.VISIBLE,
            top.flag("promotes", false),
            top.number("maxFlowModsPerChange", 64, 4, 100_000, ""),
            layers,
            FixedPipelineReader.read(top, layers),
            top.scalars("notes").stream().map(YamlTree.Scalar::text).toList());
    top.finish();
    if (layers.isEmpty() || layers.size() > 16) {
      top.complain("layers", layers.size() + " layers", "give 1 to 16");
    }
    if (top.isSound()) {
      for (int i = 0; i < layers.size(); i++) {
        checkAmongOthers(sections.get(i), i, profile);
      }
    }
    return profile;
  }

  private static LayerProfile layer(Section section) {
    if (section.has("allowed") && section.has("forbidden")) {
      section.complain("forbidden", "given beside 'allowed'", "give one of the two");
    }
    int allowed = fields(section, "allowed", EVERY_FIELD) & ~fields(section, "forbidden", 0);
    int required = fields(section, "required", 0);
    if ((required & ~allowed) != 0) {
      section.complain(
          "required",
          HeaderField.labels(required & ~allowed) + " is required and not allowed",
          "allow it, or do not require it");
    }
    int rewrites = fields(section, "rewrites", HeaderField.REWRITABLE);
    if ((rewrites & ~HeaderField.REWRITABLE) != 0) {
      section.complain(
          "rewrites",
          HeaderField.labels(rewrites & ~HeaderField.REWRITABLE) + " cannot be rewritten",
          "fields: " + HeaderField.labels(HeaderField.REWRITABLE));
    }
    Capacity capacity = capacity(section);
    int reserve = section.number("reserve", 0, 0, MAX_UNITS, "units");
    if (section.isSound() && reserve >= capacity.units()) {
      section.complain(
          "reserve",
          reserve + " of " + capacity.units() + " units",
          "leave something: the reserve is for moves only");
    }
    LayerProfile layer =
        new LayerProfile(
            section.requiredText("id", "unnamed", SHORT_TEXT, GIVE_TEXT),
            section.requiredNumber("table", 0, 0, 254, ""),
            section.requiredChoice("kind", LayerKind.HARDWARE, LayerKind.values()),
            section.flag("terminal", true),
            allowed,
            required,
            exactness(section.section("exactness"), allowed),
            rewrites,
            capacity,
            section.requiredChoice("overflow", Overflow.REJECT, Overflow.values()),
            section.requiredChoice("cover", Cover.NONE, Cover.values()),
            reserve);
    section.finish();
    return layer;
  }

  /** A set of fields, or {@code fallback} if the key is missing. */
  private static int fields(Section section, String key, int fallback) {
    int fields = 0;
    for (YamlTree.Scalar item : section.scalars(key)) {
      int named = fieldsOf(item.text());
      if (named == 0) {
        section.complainAt(item.place(), key, "'" + item.text() + "' is no field", knownFields());
      }
      fields |= named;
    }
    return section.has(key) ? fields : fallback;
  }

  private static String knownFields() {
    return "fields: " + HeaderField.labels(-1);
  }

  /** One name; {@code ipv6_src} and {@code ipv6_dst} stand for both of their words. */
  private static int fieldsOf(String text) {
    return Arrays.stream(HeaderField.values())
        .filter(
            field ->
                field.label().equals(text)
                    || (text.startsWith("ipv6_") && field.label().startsWith(text + "_")))
        .mapToInt(HeaderField::bit)
        .reduce(0, (some, one) -> some | one);
  }

  private static Map<HeaderField, Exactness> exactness(Section section, int allowed) {
    Map<HeaderField, Exactness> exactness = new EnumMap<>(HeaderField.class);
    for (String name : section.keys()) {
      int fields = fieldsOf(name);
      if (fields == 0) {
        section.complain(name, "'" + name + "' is no field", knownFields());
      } else if ((fields & ~allowed) != 0) {
        section.complain(name, "the field is not allowed", "allow it in 'allowed'");
      }
      Exactness how = section.requiredChoice(name, Exactness.ANY, Exactness.values());
      for (HeaderField field : HeaderField.values()) {
        if ((fields & field.bit()) != 0) {
          exactness.put(field, how);
        }
      }
    }
    return exactness;
  }

  private static Capacity capacity(Section layer) {
    if (!layer.has("capacity")) {
      layer.complain("capacity", "missing", "known keys in it: units, costs, planAtMost");
      return Capacity.ofEntries(1);
    }
    Section section = layer.section("capacity");
    boolean unbounded = section.isText("units", "unbounded");
    long units =
        unbounded ? Capacity.UNBOUNDED : section.requiredNumber("units", 1, 1, MAX_UNITS, "");
    List<Capacity.Cost> costs = costs(section, units);
    int planAtMost = section.number("planAtMost", 0, 0, MAX_UNITS, "entries");
    if (planAtMost != 0 && unbounded) {
      section.complain("planAtMost", "given for unbounded units", "give it as 'units'");
    }
    section.finish();
    return new Capacity(units, costs, planAtMost);
  }

  private static List<Capacity.Cost> costs(Section capacity, long units) {
    List<Capacity.Cost> costs = new ArrayList<>();
    for (Section section : capacity.sections("costs")) {
      if (!costs.isEmpty() && costs.get(costs.size() - 1).fitsAll()) {
        section.complain(
            "units", "comes after the cost of everything", "put the cost of everything last");
      }
      Capacity.Cost made =
          new Capacity.Cost(
              fields(section, "only", -1),
              fields(section, "anyOf", 0),
              section.requiredNumber("units", 1, 1, MAX_UNITS, ""));
      section.finish();
      if (capacity.isSound() && made.units() > units) {
        section.complain(
            "units",
            made.units() + " of " + units + " for " + made.what(),
            "an entry cannot cost more than there is; forbid its fields instead");
      }
      costs.add(made);
    }
    if (costs.isEmpty() || !costs.get(costs.size() - 1).fitsAll()) {
      if (!costs.isEmpty()) {
        capacity.complain(
            "costs", "none for all other entries", "end with '- units: 1' or the like");
      }
      costs.add(Capacity.Cost.always(1));
    }
    return costs;
  }

  /** Checks a layer against the layers before it. */
  private static void checkAmongOthers(Section section, int i, SwitchProfile profile) {
    List<LayerProfile> layers = profile.layers();
    LayerProfile layer = layers.get(i);
    boolean last = i == layers.size() - 1;
    Set<String> taken = new HashSet<>(Set.of("controller"));
    layers.subList(0, i).forEach(before -> taken.add(before.id()));
    if (taken.contains(layer.id())) {
      section.complain("id", "'" + layer.id() + "' is taken", "give each layer its own name");
    }
    if (!layer.terminal() && (last || !profile.locationsVisible())) {
      section.complain(
          "terminal",
          "'false' where no later table decides",
          last ? "leave it out in the last layer" : "hidden layers are one table: leave it out");
    }
    if (layer.cover() == Cover.CONTROLLER && !last) {
      section.complain(
          "cover",
          "'controller' before other layers would pass them by",
          "use goto, or none where the switch has no pipeline");
    }
    if (layer.cover() == Cover.GOTO && (last || !profile.locationsVisible())) {
      section.complain(
          "cover",
          "'goto' where there is no later table to go to",
          last ? "use controller or none" : "hidden layers are one table: use none");
    }
    int table = i == 0 ? layer.table() : layers.get(i - 1).table();
    if (profile.locationsVisible() ? i > 0 && layer.table() <= table : layer.table() != table) {
      section.complain(
          "table",
          "table " + layer.table() + " after table " + table,
          profile.locationsVisible()
              ? "packets go through tables upwards: give a higher one"
              : "hidden layers are one table: give the same number");
    }
  }
}
