package io.lockstep.deploy.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.admin.NodeReport.MemberReport;
import io.lockstep.deploy.admin.SampleReport;
import io.lockstep.deploy.status.ClusterStatus.Answer;
import io.lockstep.deploy.status.ClusterStatus.Unreachable;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeTableTest {
  private static final List<MemberReport> THREE_SERVERS =
      List.of(
          MemberReport.of("n1", "10.0.0.1", true, false),
          MemberReport.of("n2", "10.0.0.2", true, false),
          MemberReport.of("n3", "10.0.0.3", false, false));
  private static final List<MemberReport> ONE_SERVER =
      List.of(
          MemberReport.of("n1", "127.0.0.1", true, false),
          MemberReport.of("n2", "localhost", true, false),
          MemberReport.of("n3", "::1", false, false));

  private static Answer n1(List<MemberReport> members) {
    return new Answer("a:1", SampleReport.withMembers(SampleReport.ready("n1"), members));
  }

  private static Unreachable silent(String endpoint) {
    return new Unreachable(endpoint, endpoint + ": Connection refused", false);
  }

  private static List<String> lines(Answer answer, Unreachable... silent) {
    return NodeTable.lines(new ClusterStatus(true, List.of(answer), List.of(silent)));
  }

  @Test
  void membersOnOtherServersHaveRowsAndANote() {
    List<String> lines = lines(n1(THREE_SERVERS));
    assertThat(lines)
        .containsSequence(
            "NODE  ADMIN      READY           REPLICA      LEADER  INSTANCE  REACHES  UP",
            "n1    a:1        yes             operational  n3      4711      3 of 3   61 s",
            "n2    not asked  unknown: alive  -            -       -         -        -",
            "n3    not asked  no: down        -            -       -         -        -");
    assertThat(lines.get(5))
        .isEqualTo(
            "n2, n3: not asked. An admin address listens on loopback by default: run ./lockstep"
                + " status on 10.0.0.2, 10.0.0.3, or name reachable addresses with -e.");
    assertThat(lines).hasSize(6);
  }

  @Test
  void aNodeWithoutQuorumDoesNotKnowWhoIsAlive() {
    Answer alone =
        new Answer(
            "a:1", SampleReport.withMembers(SampleReport.withoutQuorum("n1"), THREE_SERVERS));
    assertThat(lines(alone))
        .anyMatch(line -> line.matches("n2 +not asked +unknown +- .*"))
        .anyMatch(line -> line.matches("n3 +not asked +unknown +- .*"))
        .anyMatch(line -> line.contains("1 of 3, not n1 n3"));
  }

  @Test
  void aMemberThatReportsHasNoSecondRow() {
    Answer n2 =
        new Answer("a:2", SampleReport.withMembers(SampleReport.ready("n2"), THREE_SERVERS));
    List<String> lines =
        NodeTable.lines(new ClusterStatus(true, List.of(n1(THREE_SERVERS), n2), List.of()));
    assertThat(lines).filteredOn(line -> line.startsWith("n2 ")).hasSize(1);
    assertThat(lines.get(lines.size() - 1)).startsWith("n3: not asked.");
  }

  @Test
  void namedEndpointsWithoutAnswerAreThoseOfTheSilentMembers() {
    List<String> both = lines(n1(THREE_SERVERS), silent("10.0.0.2:8181"), silent("10.0.0.3:8181"));
    assertThat(both).filteredOn(line -> line.matches("n[23] +no answer .*")).hasSize(2);
    assertThat(both).noneMatch(line -> line.contains("not asked"));
    List<String> one = lines(n1(THREE_SERVERS), silent("10.0.0.2:8181"));
    assertThat(one).filteredOn(line -> line.matches("n[23] +not asked or no answer .*")).hasSize(2);
    assertThat(one.get(one.size() - 1)).startsWith("n2, n3: not asked, or at an address without");
  }

  @Test
  void onOneServerTheUsualAddressesWereAsked() {
    ClusterStatus asked =
        new ClusterStatus(true, List.of(n1(ONE_SERVER)), List.of(silent("127.0.0.1:8182")));
    List<String> lines = NodeTable.lines(asked.ofUsualEndpoints());
    assertThat(lines).filteredOn(line -> line.matches("n[23] +no answer .*")).hasSize(2);
    assertThat(lines.get(lines.size() - 1)).startsWith("n2, n3: no answer at the usual addresses.");
    List<String> named = lines(n1(ONE_SERVER));
    assertThat(named.get(named.size() - 1)).startsWith("n2, n3: not asked. Name the admin");
  }

  @Test
  void aNodeOfAnEarlierReleaseShowsNumbers() throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode json = mapper.valueToTree(SampleReport.ready("n1"));
    ((com.fasterxml.jackson.databind.node.ObjectNode) json.get("replica")).remove("names");
    NodeReport old = mapper.treeToValue(json, NodeReport.class);
    assertThat(lines(new Answer("a:1", old)).get(1))
        .matches("n1 .* operational +2 +4711 +0,1,2 .*");
  }

  @Test
  void theJsonBeginsWithItsSchema() throws Exception {
    ClusterStatus status = new ClusterStatus(true, List.of(), List.of(silent("a:2")));
    assertThat(new ObjectMapper().writeValueAsString(status))
        .isEqualTo(
            "{\"schema\":1,\"quorum\":true,\"answers\":[],\"unreachable\":[{\"endpoint\":\"a:2\","
                + "\"reason\":\"a:2: Connection refused\"}]}");
  }
}
