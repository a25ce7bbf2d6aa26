package io.lockstep.deploy.config;

import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DomainMap;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.deploy.config.NodeSettings.Domain;
import io.lockstep.yaml.Section;
import io.lockstep.yaml.YamlDocument;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The domains alone, in the form of a node's configuration file: a list {@code domains} and, if it
 * comes from {@code domain show}, the {@code version} that it shows. In a node's own file all other
 * keys are left aside. Immutable.
 *
 * @param version the version that the file was made from; empty where it does not say
 */
public record DomainsFile(OptionalLong version, DomainMap map) {
  /** Ids in one line of a list. */
  private static final int IDS_IN_A_LINE = 16;

  /**
   * Reads and checks a file.
   *
   * @param name how problems call the file
   * @param memberIds the nodes of the cluster
   * @throws ConfigException with the place of everything that is wrong
   */
  public static DomainsFile parse(String name, String text, Set<String> memberIds)
      throws ConfigException {
    YamlDocument document = YamlDocument.parse(text);
    if (!document.isReadable()) {
      throw new ConfigException(name, document.problems());
    }
    Section root = document.root();
    OptionalLong version = version(root);
    if (!root.has("domains")) {
      root.complain("domains", "missing", "list the domains, as domain show does");
    }
    List<Domain> domains = DomainSections.read(root, memberIds);
    if (!root.has("node")) {
      root.finish();
    }
    if (!document.isSound()) {
      throw new ConfigException(name, document.problems());
    }
    return new DomainsFile(version, DomainMap.of(configured(domains)));
  }

  /**
   * The version that a file was made from, without a look at its domains; empty where it does not
   * say.
   *
   * @param name how problems call the file
   * @throws ConfigException where the file is no YAML, or its version no number
   */
  public static OptionalLong version(String name, String text) throws ConfigException {
    YamlDocument document = YamlDocument.parse(text);
    OptionalLong version = document.isReadable() ? version(document.root()) : OptionalLong.empty();
    if (!document.isSound()) {
      throw new ConfigException(name, document.problems());
    }
    return version;
  }

  private static OptionalLong version(Section root) {
    String text =
        root.text("version", "", "[0-9]{1,18}", "give the version that domain show shows");
    return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
  }

  /** The node's form of what a file says. */
  public static List<DomainConfig> configured(List<Domain> domains) {
    return domains.stream()
        .map(
            domain ->
                new DomainConfig(
                    domain.name(),
                    domain.switches().stream()
                        .map(range -> new DpidRange(range.first(), range.last()))
                        .toList(),
                    domain.preferredMasters()))
        .toList();
  }

  /** Switches as people write them in the file, one or a range; empty where it is none. */
  public static Optional<DpidRange> switches(String text) {
    return DatapathIds.parse(text)
        .filter(range -> Long.compareUnsigned(range.first(), range.last()) <= 0)
        .map(range -> new DpidRange(range.first(), range.last()));
  }

  /** The text of a version, which {@link #parse} reads. */
  public static String write(long version, DomainMap map) {
    StringBuilder yaml = new StringBuilder("version: " + version + "\n");
    yaml.append(map.domains().isEmpty() ? "domains: []\n" : "domains:\n");
    for (DomainConfig domain : map.domains()) {
      yaml.append("  - name: ").append(quoted(domain.name())).append("\n    switches: [");
      List<DpidRange> dpids = domain.dpids();
      for (int i = 0; i < dpids.size(); i++) {
        yaml.append(i == 0 ? "" : i % IDS_IN_A_LINE == 0 ? ",\n      " : ", ").append(dpids.get(i));
      }
      yaml.append("]\n    masters: [")
          .append(
              String.join(
                  ", ", domain.preferredMasters().stream().map(DomainsFile::quoted).toList()))
          .append("]\n");
    }
    return yaml.toString();
  }

  /** YAML reads a bare {@code null} as nothing. */
  private static String quoted(String name) {
    return name.toLowerCase(Locale.ROOT).equals("null") ? '"' + name + '"' : name;
  }
}
