package io.lockstep.dataplane.profile;

import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.profile.HardwareProfile.Description;
import io.lockstep.dataplane.profile.HardwareProfile.Lookup;
import io.lockstep.dataplane.profile.PolicyEngineProfile.Hang;
import io.lockstep.dataplane.profile.PromotionProfile.Order;
import io.lockstep.dataplane.profile.TableProfile.Otherwise;
import io.lockstep.yaml.Section;
import io.lockstep.yaml.YamlTree;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads one document. What is wrong is added to its problems and read as something harmless, so
 * that all problems are found at once.
 */
final class ProfileReader {
  private static final int MAX_TABLES = 254;
  private static final int MAX_UNITS = 10_000_000;
  private static final int MAX_RATE = 10_000_000;

  private ProfileReader() {}

  /** The profile; of no use where the document is not sound afterwards. */
  static HardwareProfile profile(Section fields) {
    String name = name(fields);
    String version = fields.choice("openflow", "1.3", List.of("1.0", "1.3"));
    Description description = description(below(fields, "description"));
    List<TableProfile> tables = tables(fields, version);
    Set<String> groups = groups(fields);
    Lookup lookup = fields.choice("lookup", Lookup.HARDWARE_FIRST, Lookup.values());
    SoftwareProfile software = software(below(fields, "softwarePath"));
    PromotionProfile promotion = promotion(below(fields, "promotion"));
    PolicyEngineProfile engine = policyEngine(below(fields, "policyEngine"));
    int lineRate = fields.number("lineRateMbit", 1000, 1, 1_000_000, "megabits per second");
    double idle = fields.decimal("idleCpuPercent", 0, 0, 100, "percent");
    List<String> notes = fields.scalars("notes").stream().map(YamlTree.Scalar::text).toList();
    checkTogether(fields, tables, software, promotion);
    fields.finish();
    return new HardwareProfile(
        name,
        version,
        description,
        tables,
        groups,
        lookup,
        software,
        promotion,
        engine,
        lineRate,
        idle,
        notes);
  }

  private static void checkTogether(
      Section fields,
      List<TableProfile> tables,
      @Nullable SoftwareProfile software,
      @Nullable PromotionProfile promotion) {
    boolean usesSoftware = tables.stream().anyMatch(each -> each.software() != null);
    boolean divided =
        tables.stream().anyMatch(each -> each.software() != null && each.hardware() != null);
    if (usesSoftware && software == null && !fields.has("softwarePath")) {
      fields.complain("softwarePath", "missing, but a table has software", "add softwarePath");
    }
    if (promotion != null && !divided) {
      fields.complain(
          "promotion", "no table has both hardware and software", "leave promotion out");
    }
  }

  private static Description description(@Nullable Section fields) {
    if (fields == null) {
      return Description.OF_THE_EMULATOR;
    }
    Description otherwise = Description.OF_THE_EMULATOR;
    Description read =
        new Description(
            ascii(fields, "manufacturer", otherwise.manufacturer()),
            ascii(fields, "hardware", otherwise.hardware()),
            ascii(fields, "firmware", otherwise.software()));
    fields.finish();
    return read;
  }

  /** The wire has 256 octets, the last of them zero (OpenFlow 1.3.5 section 7.3.5.1). */
  private static String ascii(Section fields, String key, String otherwise) {
    return fields.text(key, otherwise, "[ -~]{0,255}", "use up to 255 characters of ASCII");
  }

  private static String name(Section fields) {
    return fields.requiredText("name", "unnamed", ".{1,255}", "give it a name");
  }

  /** The fields of a mapping below this one; null when it is not there. */
  private static @Nullable Section below(Section fields, String key) {
    return fields.has(key) ? fields.section(key) : null;
  }

  private static List<TableProfile> tables(Section fields, String version) {
    List<TableProfile> tables = new ArrayList<>();
    List<Section> sections = fields.sections("tables");
    int next = 0;
    for (Section each : sections) {
      TableProfile table = table(each, next);
      if (table != null) {
        if (table.id() < next || (tables.isEmpty() && table.id() > 0)) {
          each.complain("id", "table " + table.id() + " here", "begin with 0 and count upwards");
        }
        tables.add(table);
        next = table.id() + 1;
      }
    }
    FixedTableReader.checkNext(sections, tables);
    int most = version.equals("1.0") ? 1 : MAX_TABLES;
    if (!fields.has("tables")) {
      fields.complain("tables", "missing", "list them, table 0 first");
    } else if (tables.size() > most) {
      fields.complain(
          "tables", tables.size() + " tables", "use 1 with OpenFlow 1.0, up to 254 with 1.3");
    } else if (tables.isEmpty() && fields.isSound()) {
      fields.complain("tables", "no table", "list at least one, table 0 first");
    } else if (fields.isSound() && tables.get(tables.size() - 1).overridden()) {
      Section last = sections.get(sections.size() - 1);
      last.complain("overridden", "no table comes after the last one", "leave it out there");
    }
    return tables;
  }

  private static Set<String> groups(Section fields) {
    Set<String> groups = new TreeSet<>();
    for (YamlTree.Scalar each : fields.scalars("groups")) {
      if (!each.text().equals(EntryKind.L2_INTERFACE)) {
        fields.complainAt(
            each.place(),
            "groups",
            "'" + each.text() + "' is no type of groups",
            "there is " + EntryKind.L2_INTERFACE);
      }
      groups.add(each.text());
    }
    return groups;
  }

  private static @Nullable TableProfile table(Section fields, int next) {
    int id = fields.number("id", next, 0, MAX_TABLES, "");
    String name =
        fields.requiredText("name", "unnamed", ".{1,31}", "give it a name of up to 31 characters");
    FixedTable fixed = FixedTableReader.read(below(fields, "fixed"));
    MemoryProfile hardware = memory(below(fields, "hardware"));
    if (fixed != null) {
      hardware = FixedTableReader.memory(fields, fixed, hardware);
    }
    MemoryProfile software = memory(below(fields, "software"));
    Otherwise otherwise = software == null ? Otherwise.REJECT : Otherwise.SPILL;
    Otherwise full = fields.choice("full", otherwise, Otherwise.values());
    Otherwise unsupported = fields.choice("unsupported", otherwise, Otherwise.values());
    boolean missTakesEntry = fields.flag("missTakesEntry", false);
    boolean losesController = fields.flag("losesController", false);
    boolean overridden = fields.flag("overridden", false);
    fields.finish();
    for (String key : List.of("full", "unsupported")) {
      boolean spills = (key.equals("full") ? full : unsupported) == Otherwise.SPILL;
      if (spills && software == null) {
        fields.complain(key, "'spill' without software", "add software, or write 'reject'");
      }
    }
    if (hardware == null && software == null) {
      if (!fields.has("hardware") && !fields.has("software")) {
        fields.complain(
            "hardware", "table '" + name + "' has no memory", "add hardware or software");
      }
      return null;
    }
    return new TableProfile(
        id,
        name,
        hardware,
        software,
        full,
        unsupported,
        missTakesEntry,
        losesController,
        overridden,
        fixed);
  }

  private static @Nullable MemoryProfile memory(@Nullable Section fields) {
    if (fields == null) {
      return null;
    }
    long units =
        fields.isText("units", "unbounded")
            ? MemoryProfile.UNBOUNDED
            : fields.requiredNumber("units", 0, 0, MAX_UNITS, "");
    Set<OxmField> allowed =
        fields.has("allowed") ? fieldSet(fields, "allowed") : EnumSet.allOf(OxmField.class);
    Set<OxmField> forbidden = fieldSet(fields, "forbidden");
    if (fields.has("allowed") && fields.has("forbidden")) {
      fields.complain("forbidden", "given beside 'allowed'", "give one of the two");
    }
    allowed.removeAll(forbidden);
    Set<OxmField> required = fieldSet(fields, "required");
    for (OxmField field : required) {
      if (!allowed.contains(field)) {
        fields.complain(
            "required",
            name(field) + " is required and not allowed",
            "allow it, or do not require it");
      }
    }
    Set<OxmField> exact = fieldSet(fields, "exact");
    Set<OxmField> rewrites =
        fields.has("rewrites") ? fieldSet(fields, "rewrites") : EnumSet.allOf(OxmField.class);
    List<EntryCost> costs = new ArrayList<>();
    for (Section each : fields.sections("costs")) {
      costs.add(cost(each));
    }
    fields.finish();
    return new MemoryProfile(units, allowed, required, exact, rewrites, costs);
  }

  private static EntryCost cost(Section fields) {
    Set<OxmField> only = fields.has("only") ? fieldSet(fields, "only") : null;
    Set<OxmField> anyOf = fields.has("anyOf") ? fieldSet(fields, "anyOf") : null;
    int units = fields.requiredNumber("units", 1, 1, MAX_UNITS, "");
    fields.finish();
    return new EntryCost(only, anyOf, units);
  }

  static Set<OxmField> fieldSet(Section fields, String key) {
    Set<OxmField> result = EnumSet.noneOf(OxmField.class);
    for (YamlTree.Scalar each : fields.scalars(key)) {
      OxmField found = null;
      for (OxmField field : OxmField.values()) {
        found = name(field).equals(each.text()) ? field : found;
      }
      if (found == null) {
        fields.complainAt(
            each.place(),
            key,
            "'" + each.text() + "' is no field",
            "use the names of OXM fields, for example in_port, ipv4_dst or tcp_src");
      } else if (!result.add(found)) {
        fields.complainAt(
            each.place(), key, "'" + each.text() + "' is there twice", "list it once");
      }
    }
    return result;
  }

  static String name(OxmField field) {
    return field.name().toLowerCase(Locale.ROOT);
  }

  private static @Nullable SoftwareProfile software(@Nullable Section fields) {
    if (fields == null) {
      return null;
    }
    int rate = fields.requiredNumber("packetsPerSecond", 1, 1, MAX_RATE, "");
    int most = fields.number("maxPacketsPerSecond", rate, 1, MAX_RATE, "");
    int burst = fields.number("burstPackets", 1, 1, 1_000_000, "packets");
    int queue = fields.number("queuePackets", 64, 0, 1_000_000, "packets");
    int latency = fields.number("latencyMicros", 0, 0, 60_000_000, "microseconds");
    double cpu = fields.decimal("cpuMicrosPerPacket", 0, 0, 1e9, "microseconds");
    fields.finish();
    if (rate > most) {
      fields.complain(
          "packetsPerSecond",
          rate + " is above maxPacketsPerSecond",
          "give a whole number from 1 to " + most);
      return null;
    }
    return new SoftwareProfile(rate, most, burst, queue, latency, cpu);
  }

  private static @Nullable PromotionProfile promotion(@Nullable Section fields) {
    if (fields == null) {
      return null;
    }
    Order order = fields.choice("order", Order.FIFO, Order.values());
    double rate = fields.decimal("rulesPerSecond", 10, 0.001, 1e6, "");
    boolean dead = fields.flag("deadUntilResent", false);
    fields.finish();
    return new PromotionProfile(order, rate, dead);
  }

  private static @Nullable PolicyEngineProfile policyEngine(@Nullable Section fields) {
    if (fields == null) {
      return null;
    }
    Integer share =
        fields.has("sharePercent") ? fields.number("sharePercent", 100, 0, 100, "percent") : null;
    Section below = below(fields, "hang");
    Hang hang = null;
    if (below != null) {
      hang =
          new Hang(
              below.number("aboveSharePercent", 100, 0, 100, "percent"),
              below.number("aboveEntries", 0, 0, MAX_UNITS, "entries"));
      below.finish();
    }
    fields.finish();
    return new PolicyEngineProfile(share, hang);
  }
}
