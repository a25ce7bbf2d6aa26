package io.lockstep.dataplane.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lockstep.dataplane.model.Protocol;
import io.lockstep.yaml.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyFileTest {
  @ParameterizedTest
  @ValueSource(strings = {"two-domains", "linear", "ring", "tree", "campus"})
  void examplesAreRead(String name) throws IOException {
    Topology topology = TopologyFile.example(name);
    assertThat(topology.name()).isEqualTo(name);
    assertThat(topology.hosts()).isNotEmpty();
  }

  @Test
  void listsAreReadAsWritten() throws IOException {
    Topology campus = TopologyFile.example("campus");
    assertThat(campus.switches())
        .hasToString(
            "[SwitchSpec[name=core, dpid=16, domain=backbone, protocol=OPENFLOW_13, profile=null],"
                + " SwitchSpec[name=library, dpid=17, domain=buildings, protocol=OPENFLOW_13, profile=null],"
                + " SwitchSpec[name=lab, dpid=18, domain=buildings, protocol=OPENFLOW_13, profile=null]]");
    // Ports left open are the lowest free ones, hosts first.
    assertThat(campus.links())
        .hasToString(
            "[LinkSpec[a=core:1, b=library:1, delayMillis=0.5],"
                + " LinkSpec[a=core:2, b=lab:1, delayMillis=0.0],"
                + " LinkSpec[a=library:3, b=lab:2, delayMillis=0.0]]");
    assertThat(campus.hosts())
        .hasToString(
            "[HostSpec[name=mail, mac=02:00:00:00:01:01, address=10.1.0.1, at=core:3],"
                + " HostSpec[name=reader, mac=02:00:00:00:00:02, address=10.0.0.2, at=library:2],"
                + " HostSpec[name=probe, mac=02:00:00:00:00:03, address=10.1.0.3, at=lab:7]]");
  }

  private static List<Problem> problems(String text) {
    TopologyException failure =
        catchThrowableOfType(TopologyException.class, () -> TopologyFile.parse("test.yaml", text));
    assertThat(failure).as("should be refused: %s", text).isNotNull();
    assertThat(failure).hasMessageStartingWith("test.yaml:");
    return failure.problems();
  }

  private static String line(Problem problem) {
    return problem.describe("f").replace("\n    remedy:", ";");
  }

  @Test
  void allProblemsAreReportedAtOnceWithLineAndRemedy() {
    List<Problem> problems =
        problems(
            """
            switchez: 1
            switches:
              - {name: s1, dpid: 1}
              - {name: s1, dpid: 2, colour: red}
              - {name: s3, dpid: 1}
              - {name: s4}
              - {name: s5, dpid: zero, openflow: "1.1"}
            links:
              - {from: s1, to: s9}
              - {from: "s3:1", to: "s4:1"}
              - {from: "s3:1", to: "s5:x"}
              - {from: s3, to: s3}
              - {from: s3, to: s4, delayMillis: -1}
            hosts:
              - {at: s1, mac: "01:00:00:00:00:01"}
              - {at: s1, address: 10.0.0.300}
              - surprise
            """);
    assertThat(problems)
        .extracting(TopologyFileTest::line)
        .contains(
            "f:1:1: switchez: unknown key; did you mean 'switches'?",
            "f:4:25: switches[1].colour: unknown key; known keys here: name, dpid, domain, profile,"
                + " openflow",
            "f:4:5: switches[1]: name s1 is used twice (first in line 3);"
                + " give each switch and host a name of its own",
            "f:5:5: switches[2]: dpid 1 is used twice (first in line 3);"
                + " give each switch a dpid of its own",
            "f:6:5: switches[3].dpid: missing;"
                + " use a number, for example 1, 0x1f or 00:00:00:00:00:00:00:1f",
            "f:7:22: switches[4].dpid: 'zero' is not allowed;"
                + " use a number, for example 1, 0x1f or 00:00:00:00:00:00:00:1f",
            "f:7:38: switches[4].openflow: '1.1' is not allowed;"
                + " did you mean '1.0'? write '1.0' or '1.3'",
            "f:9:5: links[0]: no switch s9; add it under switches or correct the name",
            "f:11:24: links[2].to: 's5:x' is not allowed;"
                + " use a switch or switch:port, for example s1 or s1:3",
            "f:11:5: links[2]: port s3:1 is used twice; plug one cable into each port",
            "f:12:5: links[3]: link from s3:0 to itself; name two different switches",
            "f:13:37: links[4].delayMillis: -1 is out of bounds;"
                + " give a number from 0 to 10000 (milliseconds)",
            "f:15:5: hosts[0]: host h1 has MAC 01:00:00:00:00:01;"
                + " use a unicast MAC, for example 02:...",
            "f:16:23: hosts[1].address: '10.0.0.300' is not allowed;"
                + " use an IPv4 address, for example 10.0.0.1",
            "f:17:5: hosts[2]: keys are expected here; write it as 'key: value' lines");
    assertThat(problems).extracting(Problem::place).isSorted();
  }

  @Test
  void aSwitchHasAProfileByNameOrFile(@TempDir Path directory) throws IOException {
    String mine = "name: mine\ntables: [{name: only, hardware: {units: 7}}]";
    Files.writeString(directory.resolve("mine.yaml"), mine);
    Path file = directory.resolve("net.yaml");
    Files.writeString(
        file,
        """
        switches:
          - {name: s1, dpid: 1, profile: "2920"}
          - {name: s2, dpid: 2, profile: mine.yaml}
          - {name: s3, dpid: 3}
        """);
    assertThat(TopologyFile.read(file).switches())
        .extracting(each -> String.valueOf(each.profile()))
        .containsExactly("2920", "mine", "null");
  }

  @Test
  void aProfileThatCannotBeUsedIsAProblemOfItsLine(@TempDir Path directory) throws IOException {
    Files.writeString(directory.resolve("bad.yaml"), "name: bad\ntables:\n  - {name: a}");
    Path file = directory.resolve("net.yaml");
    Files.writeString(
        file,
        """
        switches:
          - {name: s1, dpid: 1, profile: cisco}
          - {name: s2, dpid: 2, profile: ./none.yaml}
          - {name: s3, dpid: 3, profile: bad.yaml}
          - {name: s4, dpid: 4, profile: [ideal]}
          - {name: s5, dpid: 5, profile: "a/\\0.yaml"}
        """);
    TopologyException failure =
        catchThrowableOfType(TopologyException.class, () -> TopologyFile.read(file));
    List<String> problems = failure.problems().stream().map(TopologyFileTest::line).toList();
    assertThat(problems).hasSize(5);
    assertThat(problems.get(0))
        .startsWith(
            "f:2:34: switches[0].profile: 'cisco' cannot be used: no profile cisco among 2920, ")
        .endsWith("ovs-small or a file");
    assertThat(problems.get(1))
        .startsWith("f:3:34: switches[1].profile: './none.yaml' cannot be used: ")
        .contains("none.yaml:1:1: no such file");
    assertThat(problems.get(2))
        .startsWith("f:4:34: switches[2].profile: 'bad.yaml' is wrong: ")
        .contains("bad.yaml:3:5: tables[0].hardware: table 'a' has no memory")
        .endsWith("; correct that file");
    assertThat(problems.get(3))
        .startsWith("f:5:34: switches[3].profile: one value is expected here");
    assertThat(problems.get(4)).startsWith("f:6:34: switches[4].profile: 'a/");
  }

  @Test
  void aSwitchSaysWhichOpenFlowItSpeaks() throws IOException {
    Topology read =
        TopologyFile.parse(
            "versions",
            """
            switches:
              - {name: old, dpid: 1, openflow: "1.0"}
              - {name: new, dpid: 2}
              - {name: real, dpid: 3, profile: "2920"}
            """);
    assertThat(read.switches())
        .extracting(Topology.SwitchSpec::protocol)
        .containsExactly(Protocol.OPENFLOW_10, Protocol.OPENFLOW_13, Protocol.OPENFLOW_10);
  }

  @Test
  void aProfileKnowsItsOpenFlow() {
    assertThat(problems("switches: [{name: s1, dpid: 1, profile: '2920', openflow: '1.3'}]"))
        .extracting(TopologyFileTest::line)
        .containsExactly(
            "f:1:59: switches[0].openflow: '1.3', but profile '2920' speaks 1.0; leave openflow out");
  }

  @Test
  void aShapeIsMadeAsItIsWritten() throws IOException {
    Topology three =
        TopologyFile.parse("three", "shape: {kind: threeDomains, switches: 4, hosts: 2}");
    assertThat(three.name()).isEqualTo("three");
    assertThat(three.domains()).containsExactly("west", "east", "south");
    assertThat(three.switches()).hasSize(12);
    assertThat(three.hosts()).hasSize(24);
  }

  @Test
  void shapesAreChecked() {
    assertThat(problems("shape: {kind: star, points: 5}"))
        .extracting(Problem::message)
        .contains("unknown kind of shape: star", "unknown key");
    assertThat(problems("shape: {kind: ring, switches: 2}"))
        .extracting(Problem::message)
        .contains("2 is out of bounds");
    assertThat(problems("shape: {kind: threeDomains, switches: 334}"))
        .extracting(Problem::message)
        .contains("334 is out of bounds");
    assertThat(problems("shape: {kind: tree, depth: 8, fanOut: 16}"))
        .extracting(Problem::message)
        .contains("a tree of 268435456 leaves");
    assertThat(problems("shape: {kind: ring}\nswitches: [{name: s1, dpid: 1}]"))
        .extracting(Problem::message)
        .contains("both a shape and lists");
  }

  @Test
  void whatIsNotATopologyIsRefused() {
    assertThat(problems("")).extracting(Problem::message).containsExactly("no switches");
    assertThat(problems("name: empty")).extracting(Problem::message).containsExactly("no switches");
    assertThat(problems("a: [1, 2"))
        .singleElement()
        .extracting(Problem::message)
        .asString()
        .startsWith("this is not YAML");
    assertThat(problems("name: a\nname: b\nshape: {kind: ring}"))
        .extracting(TopologyFileTest::line)
        .containsExactly("f:2:1: name: given twice; keep one of the two");
    assertThat(problems("[".repeat(40) + "]".repeat(40)))
        .extracting(Problem::message)
        .contains("nested deeper than 16");
  }
}
