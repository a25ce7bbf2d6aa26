package io.lockstep.dataplane.profile;

import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.profile.EntryKind.Tag;
import io.lockstep.dataplane.profile.EntryKind.TypeRule;
import io.lockstep.yaml.Section;
import io.lockstep.yaml.YamlTree;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads what a table of a fixed pipeline takes: the part {@code fixed} of a table. */
final class FixedTableReader {
  private static final int MAX_TABLE = 254;
  private static final String TYPE_REMEDY = "write it as 0x86dd, or as 'not 0x86dd'";

  private FixedTableReader() {}

  static @Nullable FixedTable read(@Nullable Section fields) {
    if (fields == null) {
      return null;
    }
    List<EntryKind> kinds = new ArrayList<>();
    List<Section> sections = fields.sections("kinds");
    for (Section each : sections) {
      kinds.add(kind(each));
    }
    for (int i = 0; i < kinds.size() && fields.isSound(); i++) {
      String first = kinds.get(i).allowedBy();
      if (first != null && kinds.stream().noneMatch(kind -> kind.name().equals(first))) {
        sections.get(i).complain("allowedBy", "no kind '" + first + "'", "name one of this table");
      }
    }
    Section miss = fields.section("miss");
    if (!fields.has("miss")) {
      fields.complain("miss", "missing", "say what becomes of other packets: {goto: 60}, or {}");
    }
    FixedTable table = new FixedTable(kinds, miss.flag("clear", false), next(miss));
    miss.finish();
    fields.finish();
    return table;
  }

  private static int next(Section fields) {
    return fields.has("goto") ? fields.number("goto", 0, 0, MAX_TABLE, "") : EntryKind.LAST;
  }

  private static EntryKind kind(Section fields) {
    Set<OxmField> required = ProfileReader.fieldSet(fields, "required");
    Set<OxmField> allowed = EnumSet.copyOf(ProfileReader.fieldSet(fields, "allowed"));
    allowed.addAll(required);
    String type = fields.text("etherType", "", "(not )?0x[0-9a-f]{4}", TYPE_REMEDY);
    String first = fields.text("allowedBy", "", ".{0,40}", "name a kind of this table");
    EntryKind kind =
        new EntryKind(
            fields.requiredText("name", "unnamed", ".{1,40}", "give it a name"),
            allowed,
            required,
            ProfileReader.fieldSet(fields, "exact"),
            fields.choice("vlan", Tag.ANY, Tag.values()),
            type.isEmpty()
                ? null
                : new TypeRule(
                    Integer.parseInt(type.substring(type.length() - 4), 16),
                    type.startsWith("not")),
            actions(fields, "apply"),
            actions(fields, "write"),
            actions(fields, "must"),
            fields.flag("clear", false),
            next(fields),
            first.isEmpty() ? null : first);
    fields.finish();
    return kind;
  }

  private static Set<String> actions(Section fields, String key) {
    Set<String> words = new TreeSet<>();
    for (YamlTree.Scalar each : fields.scalars(key)) {
      boolean known = EntryKind.OTHER_ACTIONS.contains(each.text());
      for (OxmField field : OxmField.values()) {
        known |= ProfileReader.name(field).equals(each.text());
      }
      if (!known) {
        fields.complainAt(
            each.place(),
            key,
            "'" + each.text() + "' is no action",
            "name a field to set, or one of " + String.join(", ", EntryKind.OTHER_ACTIONS));
      }
      words.add(each.text());
    }
    return words;
  }

  /**
   * The memory of such a table: what its kinds can match and set. The kinds say it more exactly, so
   * a file may not say it twice.
   */
  static MemoryProfile memory(Section table, FixedTable fixed, @Nullable MemoryProfile given) {
    long units = given == null ? 0 : given.units();
    MemoryProfile plain = MemoryProfile.plain(units);
    boolean said = given != null && !given.equals(plain);
    if (said || (given == null && !fixed.kinds().isEmpty()) || table.has("software")) {
      table.complain(
          "hardware", "more or less than units beside 'fixed'", "write 'hardware: {units: N}'");
    }
    Set<OxmField> allowed = EnumSet.noneOf(OxmField.class);
    Set<OxmField> required = EnumSet.allOf(OxmField.class);
    Set<OxmField> sets = EnumSet.noneOf(OxmField.class);
    for (EntryKind kind : fixed.kinds()) {
      allowed.addAll(kind.allowed());
      required.retainAll(kind.required());
      Set<String> words = new HashSet<>(kind.apply());
      words.addAll(kind.write());
      for (OxmField field : OxmField.values()) {
        if (words.contains(ProfileReader.name(field))) {
          sets.add(field);
        }
      }
    }
    required.retainAll(allowed);
    return new MemoryProfile(units, allowed, required, Set.of(), sets, List.of());
  }

  /** Checks that packets only go on to tables that there are, with higher numbers. */
  static void checkNext(List<Section> sections, List<TableProfile> tables) {
    Set<Integer> ids = new HashSet<>();
    tables.forEach(table -> ids.add(table.id()));
    for (int i = 0; i < tables.size() && tables.size() == sections.size(); i++) {
      TableProfile table = tables.get(i);
      FixedTable fixed = table.fixed();
      if (fixed == null) {
        continue;
      }
      Set<Integer> next = new HashSet<>(Set.of(fixed.missNext()));
      fixed.kinds().forEach(kind -> next.add(kind.next()));
      next.remove(EntryKind.LAST);
      for (int to : next) {
        if (to <= table.id() || !ids.contains(to)) {
          sections
              .get(i)
              .complain("fixed", "leads to table " + to, "name a table with a higher number");
        }
      }
    }
  }
}
