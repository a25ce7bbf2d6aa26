package io.lockstep.dataplane.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.dataplane.topology.Topology.HostSpec;
import io.lockstep.dataplane.topology.Topology.LinkSpec;
import io.lockstep.dataplane.topology.Topology.SwitchSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GeneratedTopologyTest {
  private static Topology build(String text) {
    return GeneratedTopology.parse(text).build();
  }

  private static Map<String, String> domains(Topology topology) {
    return topology.switches().stream()
        .collect(Collectors.toMap(SwitchSpec::name, SwitchSpec::domain));
  }

  private static Map<String, List<String>> neighbours(Topology topology) {
    Map<String, List<String>> neighbours = new HashMap<>();
    topology.switches().forEach(each -> neighbours.put(each.name(), new ArrayList<>()));
    for (LinkSpec link : topology.links()) {
      neighbours.getOrDefault(link.a().switchName(), List.of()).add(link.b().switchName());
      neighbours.getOrDefault(link.b().switchName(), List.of()).add(link.a().switchName());
    }
    return neighbours;
  }

  private static int reachable(Map<String, List<String>> neighbours, String from) {
    Set<String> seen = new HashSet<>(Set.of(from));
    Deque<String> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      neighbours.getOrDefault(open.remove(), List.of()).stream()
          .filter(seen::add)
          .forEach(open::add);
    }
    return seen.size();
  }

  private static long betweenDomains(Topology topology) {
    Map<String, String> domains = domains(topology);
    return topology.links().stream()
        .filter(
            link ->
                !domains
                    .getOrDefault(link.a().switchName(), "")
                    .equals(domains.get(link.b().switchName())))
        .count();
  }

  private static Map<String, Long> counts(Collection<String> names) {
    return names.stream()
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }

  @ParameterizedTest
  @CsvSource({
    "random:6, 6, 9, 24",
    "random:10, 10, 18, 40",
    "random:100, 100, 200, 400",
    "random:400, 400, 800, 1600",
    "random:1000, 1000, 2000, 4000",
    "random:400:hosts=1:seed=-7, 400, 800, 400",
    "ring-of-rings:9, 9, 15, 36",
    "ring-of-rings:10, 10, 16, 40",
    "ring-of-rings:400, 400, 746, 1600",
    "ring-of-rings:1000, 1000, 1905, 4000",
    "fat-tree:5, 5, 4, 8",
    "fat-tree:20, 20, 32, 32",
    "fat-tree:400, 320, 2048, 512",
    "fat-tree:1000:hosts=14, 980, 10976, 5488",
  })
  void countsAreThoseOfTheShape(String text, int switches, int links, int hosts) {
    Topology topology = build(text);
    assertThat(topology.switches()).hasSize(switches);
    assertThat(topology.links()).hasSize(links);
    assertThat(topology.hosts()).hasSize(hosts);
    assertThat(topology.name()).startsWith(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "random:6",
        "random:7:seed=3",
        "random:10",
        "random:400",
        "random:1000:seed=99",
        "ring-of-rings:9",
        "ring-of-rings:13",
        "ring-of-rings:400",
        "ring-of-rings:997",
        "fat-tree:5",
        "fat-tree:19",
        "fat-tree:100",
        "fat-tree:1000",
      })
  void everySwitchReachesEveryOtherAndDomainsAreAlike(String text) {
    Topology topology = build(text);
    int switches = topology.switches().size();
    assertThat(reachable(neighbours(topology), "s1")).isEqualTo(switches);
    Map<String, Long> sizes = counts(domains(topology).values());
    assertThat(sizes).containsOnlyKeys("domain1", "domain2", "domain3");
    long most = sizes.values().stream().mapToLong(size -> size).max().orElse(0);
    long least = sizes.values().stream().mapToLong(size -> size).min().orElse(0);
    assertThat(most - least).isLessThanOrEqualTo(2 + switches / 10);
    assertThat(topology.links())
        .extracting(link -> Set.of(link.a().switchName(), link.b().switchName()))
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @CsvSource({
    "random:100, 6",
    "random:400, 12",
    "random:1000, 30",
    "ring-of-rings:100, 6",
    "ring-of-rings:1000, 6",
  })
  void fewLinksLeadToAnotherDomain(String text, long links) {
    assertThat(betweenDomains(build(text))).isEqualTo(links);
  }

  @Test
  void degreesAreBounded() {
    neighbours(build("random:1000"))
        .forEach((name, all) -> assertThat(all).as(name).hasSizeBetween(1, 20));
    neighbours(build("ring-of-rings:400"))
        .forEach((name, all) -> assertThat(all).as(name).hasSizeBetween(2, 4));
    // k = 8: every switch has k ports; an edge switch has half of them for hosts.
    Map<String, List<String>> tree = neighbours(build("fat-tree:80"));
    assertThat(counts(tree.values().stream().map(all -> Integer.toString(all.size())).toList()))
        .containsExactlyInAnyOrderEntriesOf(Map.of("4", 32L, "8", 48L));
  }

  @Test
  void hostsOfAFatTreeAreAtEdgeSwitches() {
    Topology tree = build("fat-tree:20");
    Map<String, List<String>> neighbours = neighbours(tree);
    Map<String, Long> hosts =
        counts(tree.hosts().stream().map(host -> host.at().switchName()).toList());
    assertThat(hosts).hasSize(8).allSatisfy((name, count) -> assertThat(count).isEqualTo(4));
    // Of k = 4 an edge switch has two links, to the aggregation switches of its pod.
    assertThat(hosts.keySet())
        .allSatisfy(name -> assertThat(neighbours.getOrDefault(name, List.of())).hasSize(2));
    assertThat(tree.name()).isEqualTo("fat-tree:20 (k=4, 20 switches)");
    assertThat(build("fat-tree:44").name()).isEqualTo("fat-tree:44 (k=4, 20 switches)");
    assertThat(build("fat-tree:45").name()).isEqualTo("fat-tree:45 (k=6, 45 switches)");
  }

  @Test
  void switchesOfADomainHaveConsecutiveIdsAndHostsTheLowPorts() {
    Topology topology = build("random:400");
    assertThat(topology.domains()).containsExactly("domain1", "domain2", "domain3");
    assertThat(topology.switches()).extracting(SwitchSpec::domain).isSorted();
    assertThat(topology.switches()).extracting(SwitchSpec::dpid).isSorted().startsWith(1L);
    assertThat(topology.hosts())
        .extracting(HostSpec::at)
        .startsWith(new Topology.PortRef("s1", 1), new Topology.PortRef("s1", 2));
  }

  @Test
  void equalSeedsMakeEqualNetworks() {
    assertThat(build("random:100:seed=5")).isEqualTo(build("random:100:seed=5"));
    assertThat(build("random:100:seed=5").links()).isNotEqualTo(build("random:100").links());
    assertThat(build("random:100").links()).isEqualTo(build("random:100:seed=1").links());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"random:400", "fat-tree:80:hosts=2", "random:10:hosts=0:seed=9223372036854775807"})
  void textIsReadBack(String text) {
    assertThat(GeneratedTopology.parse(text).text()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mesh:10 | no shape 'mesh' | use fat-tree, ring-of-rings, random",
        "'' | no shape '' | use fat-tree, ring-of-rings, random",
        "random | the number of switches is missing | write SHAPE:N",
        "random: | the number of switches is '' | random has 6 to 1000 switches",
        "random:5 | the number of switches is '5' | random has 6 to 1000 switches",
        "random:1001 | the number of switches is '1001' | random has 6 to 1000 switches",
        "random:1e2 | the number of switches is '1e2' | random has 6 to 1000",
        "random:99999999999999999999 | is '99999999999999999999' | random has 6 to 1000",
        "ring-of-rings:8 | the number of switches is '8' | ring-of-rings has 9 to 1000 switches",
        "fat-tree:4 | the number of switches is '4' | fat-tree has 5 to 1000 switches",
        "fat-tree:20:seed=1 | no option 'seed=1' of fat-tree | use hosts=H",
        "random:20:hosts=101 | hosts is '101' | a switch has 0 to 100 hosts",
        "random:20:hosts=-1 | hosts is '-1' | a switch has 0 to 100 hosts",
        "random:20:seed=x | seed is 'x' | a seed is a whole number of 64 bits",
        "random:20: | no option '' of random | use hosts=H or seed=S",
        "random:20:host=3 | no option 'host=3' of random | use hosts=H or seed=S",
      })
  void whatIsWrongIsNamedWithWhatIsAllowed(String text, String problem, String remedy) {
    assertThatThrownBy(() -> GeneratedTopology.parse(text))
        .isInstanceOf(TopologyException.class)
        .hasMessageContaining("topology " + text)
        .hasMessageContaining(problem)
        .hasMessageContaining(remedy);
  }

  @Test
  void everythingThatIsWrongIsNamedAtOnce() {
    assertThatThrownBy(() -> GeneratedTopology.parse("random:5000:hosts=x:colour=red"))
        .isInstanceOfSatisfying(
            TopologyException.class, wrong -> assertThat(wrong.problems()).hasSize(3));
  }
}
