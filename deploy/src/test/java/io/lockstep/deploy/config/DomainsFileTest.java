package io.lockstep.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DomainMap;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.yaml.YamlTree;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The file of domain show and domain set. */
class DomainsFileTest {
  private static final Set<String> MEMBERS = Set.of("n1", "n2");

  private static DomainsFile parse(String text) throws ConfigException {
    return DomainsFile.parse("d.yaml", text, MEMBERS);
  }

  private static String refused(String text) {
    return catchThrowableOfType(ConfigException.class, () -> parse(text)).explanation();
  }

  @Test
  void whatIsShownCanBeReadAgain() throws Exception {
    List<DpidRange> many = new ArrayList<>();
    for (long i = 1; i <= 100; i++) {
      many.add(new DpidRange(3 * i, 3 * i + (i % 2)));
    }
    DomainMap map =
        DomainMap.of(
            List.of(
                new DomainConfig("west", many, List.of("n2", "n1")),
                new DomainConfig("null", List.of(new DpidRange(-16, -1)), List.of())));
    DomainsFile read = parse(DomainsFile.write(7, map));
    assertThat(read.map()).isEqualTo(map);
    assertThat(read.version()).isEqualTo(OptionalLong.of(7));
    assertThat(parse(DomainsFile.write(0, DomainMap.EMPTY)).map()).isEqualTo(DomainMap.EMPTY);
  }

  @Test
  void aNodesOwnFileWillDo() throws Exception {
    DomainsFile read =
        parse("cluster: c\nnode: n1\nmembers: []\ndomains: [{name: west, switches: [1-4]}]\n");
    assertThat(read.version()).isEmpty();
    assertThat(read.map().domains()).extracting(DomainConfig::name).containsExactly("west");
  }

  @Test
  void everythingWrongIsNamedWithItsPlace() {
    assertThat(
            refused(
                """
                version: two
                domain: []
                domains:
                  - {name: west, switches: [1-4], masters: [n1, n9]}
                  - {name: east, switches: [3, x], master: [n2]}
                  - {name: west, switches: []}
                """))
        .contains(
            "d.yaml:1:10: version: 'two' is not allowed",
            "d.yaml:2:1: domain: unknown key",
            "d.yaml:4:49: domains[0].masters: 'n9' is not the id of a member",
            "d.yaml:5:29: domains[1].switches: '3' overlaps with switches of domain 'west'",
            "d.yaml:5:32: domains[1].switches: 'x' is not a datapath id",
            "d.yaml:5:36: domains[1].master: unknown key",
            "d.yaml:6:12: domains[2].name: 'west' is there twice",
            "domains[2].switches: no switch");
    assertThat(refused("version: 1\n")).contains("domains: missing");
    assertThat(refused("domains: {")).contains("this is not YAML");
  }

  @Test
  @Timeout(60)
  void aFileOfManySwitchesIsReadInTimeAndOneOfTooManyIsRefused() throws Exception {
    assertThat(parse(manySwitches(DomainMap.MAX_RANGES)).map().domainOf(2)).isNotNull();
    assertThat(refused(manySwitches(DomainMap.MAX_RANGES + 1)))
        .contains("more than " + DomainMap.MAX_RANGES + " items in all domains");
    assertThat(refused(manySwitches(2 * YamlTree.MAX_VALUES)))
        .contains("more than " + YamlTree.MAX_VALUES + " values");
  }

  /** What fits into the file need not fit into the store, where each domain names its masters. */
  @Test
  void domainsThatAreTooLongForTheStoreAreRefusedBeforeANodeStartsWithThem() {
    StringBuilder yaml = new StringBuilder("domains:\n");
    for (int i = 0; i < DomainMap.MAX_DOMAINS; i++) {
      yaml.append("  - {name: d").append(i).append(", switches: [");
      yaml.append(Integer.toHexString(i)).append("]}\n");
    }
    Set<String> members =
        IntStream.range(0, 64).mapToObj(i -> "n" + i + "x".repeat(60)).collect(Collectors.toSet());
    ConfigException refused =
        catchThrowableOfType(
            ConfigException.class, () -> DomainsFile.parse("d.yaml", yaml.toString(), members));
    assertThat(refused.explanation())
        .contains("d.yaml:2:3: domains: ", "more than " + DomainMap.MAX_BYTES + " bytes");
  }

  private static String manySwitches(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Integer.toHexString(2 * i))
        .collect(Collectors.joining(",", "domains: [{name: all, switches: [", "]}]\n"));
  }
}
