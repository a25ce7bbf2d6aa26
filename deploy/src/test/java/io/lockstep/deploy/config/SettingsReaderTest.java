package io.lockstep.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lockstep.core.path.PathConfig;
import io.lockstep.deploy.config.SettingsReader.Role;
import io.lockstep.yaml.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsReaderTest {

  private static final String THREE =
      """
      cluster: demo
      node: n1
      members:
        - {id: n1, host: 10.0.0.1}
        - {id: n2, host: 10.0.0.2}
        - {id: n3, host: 10.0.0.3, storePort: 7500}
      """;

  /** Says that it needs no keys, behind the rest so that places stay what they are. */
  private static NodeSettings parse(String text) throws ConfigException {
    return SettingsReader.parse("node.yaml", text + "\ninsecure: true\n", Role.NODE);
  }

  private static ConfigException refused(String text) {
    return catchThrowableOfType(ConfigException.class, () -> parse(text));
  }

  @Test
  void defaultsFillWhatTheFileLeavesOut() throws ConfigException {
    NodeSettings settings = parse(THREE);
    assertThat(settings.replicas())
        .containsExactly(
            new NodeSettings.Replica("n1", "10.0.0.1", 7100),
            new NodeSettings.Replica("n2", "10.0.0.2", 7100),
            new NodeSettings.Replica("n3", "10.0.0.3", 7500));
    assertThat(settings.members())
        .contains(
            new NodeSettings.Member("n1", "10.0.0.1", 7102),
            new NodeSettings.Member("n3", "10.0.0.3", 7502));
    assertThat(settings.replicaInside()).isTrue();
    assertThat(settings.openflow())
        .isEqualTo(new NodeSettings.OpenFlow("0.0.0.0", 6653, List.of(), List.of()));
    assertThat(settings.admin()).isEqualTo(new NodeSettings.Listener("127.0.0.1", 8181));
    assertThat(settings.timeouts().leaseMillis()).isEqualTo(3000);
    assertThat(settings.domains()).isEmpty();
    assertThat(settings.log()).isEqualTo(new NodeSettings.Log(null, "text"));
  }

  @ParameterizedTest
  @CsvSource({
    "'[1]', 1",
    "'[10]', 16",
    "'[\"of:000000000000001f\"]', 31",
    "'[00:00:00:00:00:00:00:0a]', 10",
    "'[0xff]', 255"
  })
  void datapathIdsAreHexadecimal(String list, long dpid) throws ConfigException {
    NodeSettings settings =
        parse(THREE + "domains:\n  - {name: west, switches: " + list + ", masters: [n2, n1]}\n");
    assertThat(settings.domains())
        .containsExactly(
            new NodeSettings.Domain(
                "west", List.of(new SwitchRange(dpid, dpid)), List.of("n2", "n1")));
  }

  @Test
  void rangesIncludeBothEnds() throws ConfigException {
    NodeSettings settings = parse(THREE + "domains:\n  - {name: west, switches: [e-11, 1]}\n");
    assertThat(settings.domains().get(0).switches())
        .containsExactly(new SwitchRange(14, 17), new SwitchRange(1, 1));
  }

  @Test
  void allProblemsComeAtOnceWithPlacePathAndRemedy() {
    ConfigException e =
        refused(
            """
            cluster: De mo
            nod: 1
            members:
              - {id: 1, host: "a b", storePort: 70000}
              - {id: 1, host: h, storePort: 7102, nodePort: 9001}
              - {id: 3, host: h, storePort: 7103, nodePort: 9000}
            openflow: {prt: 6653, port: x}
            admin:
              host: 0.0.0.0
            domains:
              - {name: west, switches: [1-8, zz, 3], masters: [9]}
            lease: 3
            """);
    assertThat(e).hasMessageContaining("node.yaml:1:10: cluster: 'De mo' is not allowed");
    assertThat(e)
        .hasMessageContaining("node.yaml:2:1: nod: unknown key\n    remedy: did you mean 'node'?");
    assertThat(e).hasMessageContaining("node.yaml:1:1: node: missing");
    assertThat(e).hasMessageContaining("node.yaml:4:19: members[0].host: 'a b' is not allowed");
    assertThat(e)
        .hasMessageContaining("node.yaml:4:37: members[0].storePort: 70000 is out of bounds");
    assertThat(e).hasMessageContaining("members: '1' is there twice");
    assertThat(e).hasMessageContaining("replica 1 and replica 3 both use h:7103");
    assertThat(e)
        .hasMessageContaining("openflow.prt: unknown key\n    remedy: did you mean 'port'?");
    assertThat(e).hasMessageContaining("openflow.port: 'x' is not a whole number");
    assertThat(e).hasMessageContaining("node.yaml:9:9: admin.host: the admin HTTP has no");
    assertThat(e).hasMessageContaining("domains[0].switches: 'zz' is not a datapath id");
    assertThat(e).hasMessageContaining("'3' overlaps with switches of domain 'west'");
    assertThat(e).hasMessageContaining("domains[0].masters: '9' is not the id of a member");
    assertThat(e).hasMessageContaining("node.yaml:12:1: lease: unknown key");
    assertThat(e.problems()).hasSize(14);
    assertThat(e.problems()).allSatisfy(problem -> assertThat(problem.remedy()).isNotBlank());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "cluster: [",
        "- a\n- b",
        "just words",
        "cluster: {{x}}: y",
        "a: b: c",
        "\t: x"
      })
  void whatIsNoMappingIsRefusedAndNothingIsThrownOtherwise(String text) {
    assertThat(refused(text).problems()).isNotEmpty();
  }

  @Test
  void aKeyGivenTwiceIsTold() {
    assertThat(refused(THREE + "node: n2\n").problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.message()).isEqualTo("given twice");
              assertThat(problem.place().line()).isEqualTo(7);
            });
  }

  private static String members(int count) {
    StringBuilder text = new StringBuilder("cluster: demo\nnode: n1\nmembers:\n");
    for (int i = 1; i <= count; i++) {
      text.append("  - {id: n%d, host: 10.0.0.%d}\n".formatted(i, i));
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5})
  void anOddNumberOfMembersIsAClusterWithAReplicaInEach(int count) throws ConfigException {
    NodeSettings settings = parse(members(count));
    assertThat(settings.members()).hasSize(count);
    assertThat(settings.replicas())
        .hasSize(count)
        .contains(new NodeSettings.Replica("n" + count, "10.0.0." + count, 7100));
    assertThat(settings.ownReplica()).contains(new NodeSettings.Replica("n1", "10.0.0.1", 7100));
    assertThat(settings.replicaInside()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void anEvenNumberOfReplicasIsRefused(int count) {
    assertThat(refused(members(count)).problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.path()).isEqualTo("members");
              assertThat(problem.message())
                  .isEqualTo(count + " replicas survive no more crashes than " + (count - 1));
              assertThat(problem.remedy())
                  .isEqualTo(
                      "use an odd number: 3 survive one crash, 5 survive two; list them under"
                          + " 'replicas'");
            });
  }

  @Test
  void moreNodesThanReplicas() throws ConfigException {
    String text =
        """
        cluster: demo
        node: n4
        replica: none
        members: [{id: n1, host: a}, {id: n2, host: b}, {id: n3, host: c}, {id: n4, host: d}]
        replicas: [{id: n1, host: a}, {id: n2, host: b}, {id: n3, host: c}]
        """;
    NodeSettings settings = parse(text);
    assertThat(settings.replicaInside()).isFalse();
    assertThat(settings.members()).hasSize(4);
    assertThat(settings.replicas()).hasSize(3);
    assertThat(refused(text.replace("replica: none\n", "")))
        .hasMessageContaining("there is no replica 'n4' among the replicas");
  }

  @Test
  void aReplicaOfItsOwnNeedNotBeAMember() throws ConfigException {
    String text =
        """
        cluster: demo
        node: s1
        replica: none
        members: [{id: n1, host: a}]
        replicas: [{id: s1, host: b}, {id: s2, host: c}, {id: s3, host: d}]
        """;
    NodeSettings settings = SettingsReader.parse("r.yaml", text + "insecure: true\n", Role.REPLICA);
    assertThat(settings.ownReplica()).contains(new NodeSettings.Replica("s1", "b", 7100));
    assertThat(refused(text)).hasMessageContaining("there is no member 's1'");
  }

  @Test
  void aClientFindsTheStoreByTheFileOfANodeOrOfAReplica(@TempDir Path home) throws Exception {
    String text =
        """
        cluster: demo
        node: %s
        replica: none
        members: [{id: n1, host: a}]
        replicas: [{id: s2, host: c}, {id: s1, host: b, storePort: 7200}, {id: s3, host: d}]
        """;
    for (String id : List.of("n1", "s1")) {
      Path file = Files.writeString(home.resolve(id + ".yaml"), text.formatted(id));
      assertThat(ConfiguredStore.address(file)).hasToString("demo@b:7200,c:7100,d:7100");
    }
  }

  @Test
  void theStoreKeepsItsStateBesideTheFileUnlessToldOtherwise() throws ConfigException {
    Path here = Path.of("").toAbsolutePath();
    assertThat(parse(THREE).store())
        .isEqualTo(new NodeSettings.StoreSettings(here.resolve("data/n1"), 64, 0));
    assertThat(
            parse(
                    THREE
                        + "store: {directory: /var/lib/x, snapshotMegabytes: 8,"
                        + " stateMegabytes: 200}\n")
                .store())
        .isEqualTo(new NodeSettings.StoreSettings(Path.of("/var/lib/x"), 8, 200));
    assertThat(parse(THREE + "state: memory\n").store().directory()).isNull();
    assertThat(refused(THREE + "state: memory\nstore: {directory: d}\n"))
        .hasMessageContaining("node.yaml:8:20: store.directory")
        .hasMessageContaining("remove one of the two");
    assertThat(refused(THREE + "state: ssd\n")).hasMessageContaining("write 'disk' or 'memory'");
  }

  @Test
  void theExamplesAreGood() throws ConfigException {
    for (int node = 1; node <= 3; node++) {
      Path file = Path.of("../examples/three-nodes/node-" + node + ".yaml");
      NodeSettings settings = SettingsReader.read(file, Role.NODE);
      assertThat(settings.nodeId()).isEqualTo("n" + node);
      assertThat(settings.domains()).hasSize(2);
    }
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    ConfigException e =
        catchThrowableOfType(
            ConfigException.class, () -> SettingsReader.read(Path.of("no/such.yaml"), Role.NODE));
    assertThat(e).hasMessageStartingWith("no/such.yaml:1:1: no such file");
  }

  @Test
  void profilesOfSwitchesAreReadAndCheckedAtTheStart(@TempDir Path home) throws Exception {
    NodeSettings settings =
        parse(THREE + "switches:\n  - {switches: [1-f, 20], profile: \"2920\"}\n");
    assertThat(settings.profiles())
        .extracting(one -> one.switches() + " " + one.profile().name())
        .containsExactly(new SwitchRange(1, 15) + " 2920", new SwitchRange(32, 32) + " 2920");
    assertThat(refused(THREE + "switches:\n  - {switches: [1], profile: nonesuch}\n").problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.path()).isEqualTo("switches[0].profile");
              assertThat(problem.message()).contains("nonesuch");
              assertThat(problem.remedy()).contains("5130").contains("SWITCH_PROFILES.md");
            });
    assertThat(refused(THREE + "switches:\n  - {profile: ideal}\n").problems())
        .extracting(Problem::message)
        .containsExactly("no switch");
    Path broken = Files.writeString(home.resolve("broken.yaml"), "name: x\nlayers: []\n");
    assertThat(
            refused(THREE + "switches:\n  - {switches: [1], profile: " + broken + "}\n").problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("broken.yaml"));
  }

  @Test
  void pathsHaveATimeInFlightAndARangeOfTags() throws ConfigException {
    assertThat(parse(THREE).paths()).isEqualTo(PathConfig.USUAL);
    String section = "paths: {flightMillis: 20, firstTag: 7, lastTag: 7}\n";
    assertThat(parse(THREE + section).paths()).isEqualTo(new PathConfig(20, 7, 7));
    assertThat(refused(THREE + "paths: {firstTag: 9, lastTag: 8}\n").problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.path()).isEqualTo("paths.lastTag");
              assertThat(problem.message()).isEqualTo("8 is below the first tag, 9");
            });
    assertThat(refused(THREE + "paths: {lastTag: 4095}\n")).hasMessageContaining("out of bounds");
  }
}
