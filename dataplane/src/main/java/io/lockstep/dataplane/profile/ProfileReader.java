package io.lockstep.dataplane.profile;

import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.profile.HardwareProfile.Description;
import io.lockstep.dataplane.profile.HardwareProfile.Lookup;
import io.lockstep.dataplane.profile.PolicyEngineProfile.Hang;
import io.lockstep.dataplane.profile.PromotionProfile.Order;
import io.lockstep.dataplane.profile.TableProfile.Otherwise;
import io.lockstep.dataplane.yaml.Problem;
import io.lockstep.dataplane.yaml.YamlFields;
import io.lockstep.dataplane.yaml.YamlNode.Mapping;
import io.lockstep.dataplane.yaml.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One reading of one document. What is wrong is recorded and read as something harmless, so that
 * all problems are found at once.
 */
final class ProfileReader {
  private static final int MAX_TABLES = 254;
  private static final int MAX_UNITS = 10_000_000;
  private static final int MAX_RATE = 10_000_000;
  private static final Map<String, Otherwise> OTHERWISE =
      Map.of("spill", Otherwise.SPILL, "reject", Otherwise.REJECT);

  private final List<Problem> problems;

  ProfileReader(List<Problem> problems) {
    this.problems = problems;
  }

  private void problem(int line, String what, String remedy) {
    problems.add(new Problem(line, what, remedy));
  }

  HardwareProfile profile(YamlFields fields) {
    String name = fields.required("name");
    String version = fields.text("openflow", "1.3");
    if (!version.equals("1.0") && !version.equals("1.3")) {
      problem(fields.lineOf("openflow"), "openflow is " + version, "use \"1.0\" or \"1.3\"");
    }
    Description description = description(fields.below("description"));
    List<TableProfile> tables = tables(fields, version);
    Lookup lookup =
        choice(
            fields,
            "lookup",
            Lookup.HARDWARE_FIRST,
            Map.of("hardwareFirst", Lookup.HARDWARE_FIRST, "priority", Lookup.PRIORITY));
    SoftwareProfile software = software(fields.below("softwarePath"));
    PromotionProfile promotion = promotion(fields.below("promotion"));
    PolicyEngineProfile engine = policyEngine(fields.below("policyEngine"));
    int lineRate = fields.number("lineRateMbit", 1000, 1, 1_000_000);
    double idle = fields.decimal("idleCpuPercent", 0, 0, 100);
    List<String> notes = fields.scalars("notes").stream().map(Scalar::text).toList();
    checkTogether(fields, tables, software, promotion);
    fields.refuseOthers();
    return new HardwareProfile(
        name,
        version,
        description,
        tables,
        lookup,
        software,
        promotion,
        engine,
        lineRate,
        idle,
        notes);
  }

  private void checkTogether(
      YamlFields fields,
      List<TableProfile> tables,
      @Nullable SoftwareProfile software,
      @Nullable PromotionProfile promotion) {
    boolean usesSoftware = tables.stream().anyMatch(each -> each.software() != null);
    boolean divided =
        tables.stream().anyMatch(each -> each.software() != null && each.hardware() != null);
    if (usesSoftware && software == null && !fields.has("softwarePath")) {
      problem(fields.line(), "a table with software but no softwarePath", "add softwarePath");
    }
    if (promotion != null && !divided) {
      problem(
          fields.lineOf("promotion"),
          "promotion, but no table with both hardware and software",
          "leave promotion out");
    }
  }

  private Description description(@Nullable YamlFields fields) {
    if (fields == null) {
      return Description.OF_THE_EMULATOR;
    }
    Description otherwise = Description.OF_THE_EMULATOR;
    Description read =
        new Description(
            text(fields, "manufacturer", otherwise.manufacturer(), 255),
            text(fields, "hardware", otherwise.hardware(), 255),
            text(fields, "firmware", otherwise.software(), 255));
    fields.refuseOthers();
    return read;
  }

  /** The wire has 256 octets, the last of them zero (OpenFlow 1.3.5 section 7.3.5.1). */
  private String text(YamlFields fields, String key, String otherwise, int most) {
    String text = fields.text(key, otherwise);
    boolean plain = text.chars().allMatch(each -> each >= ' ' && each <= '~');
    if (!plain || text.length() > most) {
      problem(fields.lineOf(key), key + " is too long or not plain", "use up to 255 of ASCII");
      return otherwise;
    }
    return text;
  }

  private List<TableProfile> tables(YamlFields fields, String version) {
    List<TableProfile> tables = new ArrayList<>();
    for (Mapping each : fields.mappings("tables")) {
      TableProfile table = table(new YamlFields(each, problems));
      if (table != null) {
        tables.add(table);
      }
    }
    int line = fields.lineOf("tables");
    if (!fields.has("tables")) {
      problem(line, "no tables", "add tables, table 0 first");
    } else if (tables.size() > (version.equals("1.0") ? 1 : MAX_TABLES)) {
      problem(line, tables.size() + " tables", "use 1 with OpenFlow 1.0, up to 254 with 1.3");
    } else if (tables.isEmpty() && problems.isEmpty()) {
      problem(line, "no tables", "list at least one, table 0 first");
    }
    return tables;
  }

  private @Nullable TableProfile table(YamlFields fields) {
    String name = fields.required("name");
    MemoryProfile hardware = memory(fields.below("hardware"));
    MemoryProfile software = memory(fields.below("software"));
    Otherwise otherwise = software == null ? Otherwise.REJECT : Otherwise.SPILL;
    Otherwise full = choice(fields, "full", otherwise, OTHERWISE);
    Otherwise unsupported = choice(fields, "unsupported", otherwise, OTHERWISE);
    boolean missTakesEntry = fields.flag("missTakesEntry", false);
    boolean losesController = fields.flag("losesController", false);
    fields.refuseOthers();
    if (name.length() > 31) {
      problem(fields.lineOf("name"), "name is " + name, "use at most 31 characters");
    }
    for (String key : List.of("full", "unsupported")) {
      boolean spills = (key.equals("full") ? full : unsupported) == Otherwise.SPILL;
      if (spills && software == null) {
        problem(fields.lineOf(key), key + " is spill without software", "add software, or reject");
      }
    }
    if (hardware == null && software == null) {
      if (!fields.has("hardware") && !fields.has("software")) {
        problem(fields.line(), "table " + name + " has no memory", "add hardware or software");
      }
      return null;
    }
    return new TableProfile(
        name, hardware, software, full, unsupported, missTakesEntry, losesController);
  }

  private @Nullable MemoryProfile memory(@Nullable YamlFields fields) {
    if (fields == null) {
      return null;
    }
    fields.required("units");
    long units =
        fields.text("units", "").equals("unbounded")
            ? MemoryProfile.UNBOUNDED
            : fields.number("units", 0, 0, MAX_UNITS);
    Set<OxmField> allowed =
        fields.has("allowed") ? fieldSet(fields, "allowed") : EnumSet.allOf(OxmField.class);
    Set<OxmField> forbidden = fieldSet(fields, "forbidden");
    if (fields.has("allowed") && fields.has("forbidden")) {
      problem(fields.lineOf("forbidden"), "both allowed and forbidden", "keep one of them");
    }
    allowed.removeAll(forbidden);
    Set<OxmField> required = fieldSet(fields, "required");
    for (OxmField field : required) {
      if (!allowed.contains(field)) {
        problem(
            fields.lineOf("required"), name(field) + " is required and not allowed", "allow it");
      }
    }
    Set<OxmField> exact = fieldSet(fields, "exact");
    List<EntryCost> costs = new ArrayList<>();
    for (Mapping each : fields.mappings("costs")) {
      costs.add(cost(new YamlFields(each, problems)));
    }
    fields.refuseOthers();
    return new MemoryProfile(units, allowed, required, exact, costs);
  }

  private EntryCost cost(YamlFields fields) {
    Set<OxmField> only = fields.has("only") ? fieldSet(fields, "only") : null;
    Set<OxmField> anyOf = fields.has("anyOf") ? fieldSet(fields, "anyOf") : null;
    fields.required("units");
    int units = fields.number("units", 1, 1, MAX_UNITS);
    fields.refuseOthers();
    return new EntryCost(only, anyOf, units);
  }

  private Set<OxmField> fieldSet(YamlFields fields, String key) {
    Set<OxmField> result = EnumSet.noneOf(OxmField.class);
    for (Scalar each : fields.scalars(key)) {
      OxmField found = null;
      for (OxmField field : OxmField.values()) {
        found = name(field).equals(each.text()) ? field : found;
      }
      if (found == null) {
        problem(
            each.line(),
            "unknown field " + each.text() + " under " + key,
            "use the names of OXM fields, for example in_port, ipv4_dst or tcp_src");
      } else if (!result.add(found)) {
        problem(each.line(), each.text() + " is listed twice under " + key, "keep one of them");
      }
    }
    return result;
  }

  private static String name(OxmField field) {
    return field.name().toLowerCase(Locale.ROOT);
  }

  private @Nullable SoftwareProfile software(@Nullable YamlFields fields) {
    if (fields == null) {
      return null;
    }
    fields.required("packetsPerSecond");
    int rate = fields.number("packetsPerSecond", 1, 1, MAX_RATE);
    int most = fields.number("maxPacketsPerSecond", rate, 1, MAX_RATE);
    int burst = fields.number("burstPackets", 1, 1, 1_000_000);
    int queue = fields.number("queuePackets", 64, 0, 1_000_000);
    int latency = fields.number("latencyMicros", 0, 0, 60_000_000);
    double cpu = fields.decimal("cpuMicrosPerPacket", 0, 0, 1e9);
    fields.refuseOthers();
    if (rate > most) {
      problem(
          fields.lineOf("packetsPerSecond"),
          "packetsPerSecond is " + rate + ", above maxPacketsPerSecond",
          "use 1 to " + most);
      return null;
    }
    return new SoftwareProfile(rate, most, burst, queue, latency, cpu);
  }

  private @Nullable PromotionProfile promotion(@Nullable YamlFields fields) {
    if (fields == null) {
      return null;
    }
    Order order =
        choice(fields, "order", Order.FIFO, Map.of("fifo", Order.FIFO, "lifo", Order.LIFO));
    double rate = fields.decimal("rulesPerSecond", 10, 0.001, 1e6);
    boolean dead = fields.flag("deadUntilResent", false);
    fields.refuseOthers();
    return new PromotionProfile(order, rate, dead);
  }

  private @Nullable PolicyEngineProfile policyEngine(@Nullable YamlFields fields) {
    if (fields == null) {
      return null;
    }
    Integer share = fields.has("sharePercent") ? fields.number("sharePercent", 100, 0, 100) : null;
    YamlFields below = fields.below("hang");
    Hang hang = null;
    if (below != null) {
      hang =
          new Hang(
              below.number("aboveSharePercent", 100, 0, 100),
              below.number("aboveEntries", 0, 0, MAX_UNITS));
      below.refuseOthers();
    }
    fields.node("sharePercent");
    fields.refuseOthers();
    return new PolicyEngineProfile(share, hang);
  }

  private <T> T choice(YamlFields fields, String key, T otherwise, Map<String, T> choices) {
    Map<String, T> sorted = new LinkedHashMap<>();
    choices.keySet().stream().sorted().forEach(each -> sorted.put(each, choices.get(each)));
    return fields.read(
        key,
        otherwise,
        text -> {
          T found = sorted.get(text);
          if (found == null) {
            throw new IllegalArgumentException(text);
          }
          return found;
        },
        "use " + String.join(" or ", sorted.keySet()));
  }
}
