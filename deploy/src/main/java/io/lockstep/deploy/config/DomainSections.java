package io.lockstep.deploy.config;

import io.lockstep.core.cluster.DomainMap;
import io.lockstep.deploy.config.NodeSettings.Domain;
import io.lockstep.yaml.Section;
import io.lockstep.yaml.YamlTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** Reads the list {@code domains} of a file. Used by one thread for one file. */
final class DomainSections {
  private final Set<String> memberIds;
  private final Set<String> names = new HashSet<>();

  /** The ranges so far by their first id, and whose they are. */
  private final NavigableMap<Long, Taken> taken = new TreeMap<>(Long::compareUnsigned);

  private record Taken(SwitchRange range, String domain) {}

  private DomainSections(Set<String> memberIds) {
    this.memberIds = memberIds;
  }

  /**
   * The domains of a file, after complaining of all that is wrong.
   *
   * @param memberIds who can be a master
   */
  static List<Domain> read(Section root, Set<String> memberIds) {
    DomainSections reader = new DomainSections(memberIds);
    List<Domain> domains = new ArrayList<>();
    List<Section> sections = root.sections("domains");
    if (sections.size() > DomainMap.MAX_DOMAINS) {
      root.complain(
          "domains",
          sections.size() + " domains",
          "give at most " + DomainMap.MAX_DOMAINS + "; one can hold many switches");
      return domains;
    }
    for (Section section : sections) {
      domains.add(reader.domain(section));
    }
    if (root.isSound()) {
      try {
        DomainMap.of(DomainsFile.configured(domains)).withMasters(memberIds);
      } catch (IllegalArgumentException e) {
        root.complain(
            "domains",
            String.valueOf(e.getMessage()),
            "name fewer masters, or write neighbours as ranges: 1-1f");
      }
    }
    return domains;
  }

  private Domain domain(Section section) {
    String name =
        section.requiredText("name", "unnamed", SettingsReader.NAME, SettingsReader.NAME_REMEDY);
    if (!names.add(name)) {
      section.complain("name", "'" + name + "' is there twice", "give each domain its own name");
    }
    List<SwitchRange> switches = new ArrayList<>();
    for (YamlTree.Scalar item : section.scalars("switches")) {
      DatapathIds.read(section, item)
          .filter(range -> isFree(section, item, range))
          .ifPresent(
              range -> {
                switches.add(range);
                taken.put(range.first(), new Taken(range, name));
              });
    }
    if (switches.isEmpty()) {
      section.complain(
          "switches", "no switch", "list datapath ids in hexadecimal, or ranges: [1-8, ff]");
    } else if (taken.size() > DomainMap.MAX_RANGES) {
      section.complain(
          "switches",
          "more than " + DomainMap.MAX_RANGES + " items in all domains",
          "write neighbours as ranges: 1-1f");
    }
    Domain domain = new Domain(name, switches, masters(section));
    section.finish();
    return domain;
  }

  private boolean isFree(Section section, YamlTree.Scalar item, SwitchRange range) {
    Map.Entry<Long, Taken> below = taken.floorEntry(range.last());
    if (below == null || !range.overlaps(below.getValue().range())) {
      return true;
    }
    section.complainAt(
        item.place(),
        "switches",
        "'"
            + item.text()
            + "' overlaps with switches of domain '"
            + below.getValue().domain()
            + "'",
        "put each switch into one domain, once");
    return false;
  }

  private List<String> masters(Section section) {
    List<String> masters = new ArrayList<>();
    for (YamlTree.Scalar item : section.scalars("masters")) {
      if (!memberIds.contains(item.text())) {
        section.complainAt(
            item.place(),
            "masters",
            "'" + item.text() + "' is not the id of a member",
            "name ids from 'members', the preferred one first");
      } else if (!masters.contains(item.text())) {
        masters.add(item.text());
      }
    }
    if (masters.size() > DomainMap.MAX_MASTERS) {
      section.complain(
          "masters", masters.size() + " nodes", "name at most " + DomainMap.MAX_MASTERS);
    }
    return masters;
  }
}
