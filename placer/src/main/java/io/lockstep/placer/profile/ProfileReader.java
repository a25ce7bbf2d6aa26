package io.lockstep.placer.profile;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.lockstep.placer.space.HeaderField;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a profile from YAML and checks it as a whole. The first problem ends it, with a message
 * that names file, place, value and remedy; an unknown key is a problem.
 */
public final class ProfileReader {
  private static final int EVERY_FIELD = HeaderField.OPAQUE.bit() - 1;
  private static final int MAX_UNITS = 100_000_000;
  private static final Set<String> TOP =
      Set.of(
          "name", "openflow", "locations", "promotes", "maxFlowModsPerChange", "layers", "notes");
  private static final Set<String> LAYER =
      Set.of(
          "id",
          "table",
          "kind",
          "allowed",
          "forbidden",
          "required",
          "exactness",
          "capacity",
          "overflow",
          "cover",
          "reserve");
  private static final Set<String> CAPACITY = Set.of("units", "costs", "planAtMost");
  private static final Set<String> COST = Set.of("only", "anyOf", "units");
  private static final ObjectReader YAML =
      YAMLMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .readerFor(JsonNode.class);

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
   * @throws ProfileException where it cannot be used
   */
  public static SwitchProfile read(String file, String text) throws ProfileException {
    JsonNode tree;
    try {
      tree = YAML.readTree(text);
    } catch (JsonProcessingException e) {
      String where = e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr();
      throw new ProfileException(
          file,
          where,
          "not YAML: " + e.getOriginalMessage().lines().findFirst().orElse(""),
          "mind indentation, and keys that come twice");
    }
    ProfileNode top = ProfileNode.of(file, "", tree, TOP);
    List<LayerProfile> layers = new ArrayList<>();
    for (ProfileNode layer : top.list("layers", LAYER)) {
      layers.add(layer(layer));
    }
    SwitchProfile profile =
        new SwitchProfile(
            top.text("name", null),
            top.text("openflow", null),
            top.choice("locations", null, Locations.values()) == Locations.VISIBLE,
            top.flag("promotes", false),
            top.number("maxFlowModsPerChange", 64, 4, 100_000),
            layers,
            top.texts("notes"));
    checkWhole(top, profile);
    return profile;
  }

  private static LayerProfile layer(ProfileNode node) throws ProfileException {
    if (node.has("allowed") && node.has("forbidden")) {
      throw node.wrong("forbidden", "given beside 'allowed'", "give one of the two");
    }
    int allowed = node.fields("allowed", EVERY_FIELD) & ~node.fields("forbidden", 0);
    int required = node.fields("required", 0);
    if ((required & ~allowed) != 0) {
      throw node.wrong(
          "required",
          HeaderField.labels(required & ~allowed) + " is required and not allowed",
          "allow it, or do not require it");
    }
    Capacity capacity = capacity(node.child("capacity", CAPACITY));
    int reserve = node.number("reserve", 0, 0, MAX_UNITS);
    if (reserve >= capacity.units()) {
      throw node.wrong(
          "reserve",
          reserve + " of " + capacity.units() + " units",
          "leave something: the reserve is for moves only");
    }
    return new LayerProfile(
        node.text("id", null),
        node.number("table", null, 0, 254),
        node.choice("kind", null, LayerKind.values()),
        allowed,
        required,
        exactness(node, allowed),
        capacity,
        node.choice("overflow", null, Overflow.values()),
        node.choice("cover", null, Cover.values()),
        reserve);
  }

  private static Map<HeaderField, Exactness> exactness(ProfileNode node, int allowed)
      throws ProfileException {
    Map<HeaderField, Exactness> exactness = new EnumMap<>(HeaderField.class);
    List<String> names = node.keys("exactness");
    for (String name : names) {
      int fields = node.fields("exactness", name);
      if ((fields & ~allowed) != 0) {
        throw node.wrong("exactness." + name, "the field is not allowed", "allow it in 'allowed'");
      }
      Exactness how =
          node.child("exactness", Set.copyOf(names)).choice(name, null, Exactness.values());
      for (HeaderField field : HeaderField.values()) {
        if ((fields & field.bit()) != 0) {
          exactness.put(field, how);
        }
      }
    }
    return exactness;
  }

  private static Capacity capacity(ProfileNode node) throws ProfileException {
    boolean unbounded = node.text("units", null).equals("unbounded");
    long units = unbounded ? Capacity.UNBOUNDED : node.number("units", null, 1, MAX_UNITS);
    List<Capacity.Cost> costs = new ArrayList<>();
    for (ProfileNode cost : node.list("costs", COST)) {
      if (!costs.isEmpty() && costs.get(costs.size() - 1).fitsAll()) {
        throw node.wrong("costs", "one comes after the cost of everything", "put that one last");
      }
      Capacity.Cost made =
          new Capacity.Cost(
              cost.fields("only", -1),
              cost.fields("anyOf", 0),
              cost.number("units", null, 1, MAX_UNITS));
      if (made.units() > units) {
        throw cost.wrong(
            "units",
            made.units() + " of " + units + " for " + made.what(),
            "an entry cannot cost more than there is; forbid its fields instead");
      }
      costs.add(made);
    }
    if (costs.isEmpty() || !costs.get(costs.size() - 1).fitsAll()) {
      if (!costs.isEmpty()) {
        throw node.wrong(
            "costs", "none for all other entries", "end with '- units: 1' or the like");
      }
      costs.add(Capacity.Cost.always(1));
    }
    int planAtMost = node.number("planAtMost", 0, 0, MAX_UNITS);
    if (planAtMost != 0 && unbounded) {
      throw node.wrong("planAtMost", "given for unbounded units", "give it as 'units'");
    }
    return new Capacity(units, costs, planAtMost);
  }

  private static void checkWhole(ProfileNode top, SwitchProfile profile) throws ProfileException {
    List<LayerProfile> layers = profile.layers();
    if (layers.isEmpty() || layers.size() > 16) {
      throw top.wrong("layers", layers.size() + " layers", "give 1 to 16");
    }
    Set<String> ids = new HashSet<>(Set.of("controller"));
    for (int i = 0; i < layers.size(); i++) {
      LayerProfile layer = layers.get(i);
      String at = "layers[" + i + "].";
      boolean last = i == layers.size() - 1;
      if (!ids.add(layer.id())) {
        throw top.wrong(at + "id", "'" + layer.id() + "' is taken", "give each layer its own name");
      }
      if (layer.cover() == Cover.CONTROLLER && !last) {
        throw top.wrong(
            at + "cover",
            "'controller' before other layers would pass them by",
            "use goto, or none where the switch has no pipeline");
      }
      if (layer.cover() == Cover.GOTO && (last || !profile.locationsVisible())) {
        throw top.wrong(
            at + "cover",
            "'goto' where there is no later table to go to",
            last ? "use controller or none" : "hidden layers are one table: use none");
      }
      int table = i == 0 ? layer.table() : layers.get(i - 1).table();
      if (profile.locationsVisible() ? i > 0 && layer.table() <= table : layer.table() != table) {
        throw top.wrong(
            at + "table",
            "table " + layer.table() + " after table " + table,
            profile.locationsVisible()
                ? "packets go through tables upwards: give a higher one"
                : "hidden layers are one table: give the same number");
      }
    }
  }
}
