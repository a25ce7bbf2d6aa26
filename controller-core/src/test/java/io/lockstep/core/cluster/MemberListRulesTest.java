package io.lockstep.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.cluster.ListedProcess.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which member list counts, and who is not ready because of it. */
class MemberListRulesTest {
  private static final Set<String> ALL = Set.of("n1", "n2", "n3");

  /** A file that lists n1, n2 and so on, each with a replica. */
  private static MemberList list(String file, int nodes, int portOfSecondReplica) {
    List<ListedProcess> processes = new ArrayList<>();
    for (int i = 1; i <= nodes; i++) {
      processes.add(new ListedProcess(Kind.NODE, "n" + i, "10.0.0." + i, 7102));
      processes.add(
          new ListedProcess(
              Kind.REPLICA, "n" + i, "10.0.0." + i, i == 2 ? portOfSecondReplica : 7100));
    }
    return new MemberList(file, processes);
  }

  private static MemberList good(String file) {
    return list(file, 3, 7100);
  }

  private static MemberListRules.Verdict judge(
      String self, Map<String, MemberList> published, Set<String> live) {
    MemberList own = Objects.requireNonNull(published.get(self));
    return MemberListRules.judge(self, own, published, live);
  }

  @Test
  void equalListsAreNoDifferenceWhateverTheirFilesAndTheirOrder() {
    List<ListedProcess> reversed = new ArrayList<>(good("").processes());
    java.util.Collections.reverse(reversed);
    Map<String, MemberList> lists =
        Map.of("n1", good("a"), "n2", new MemberList("b", reversed), "n3", good("c"));
    assertThat(judge("n2", lists, ALL)).isEqualTo(new MemberListRules.Verdict("", List.of()));
  }

  @Test
  void theNodeWhoseListDiffersFromTheMajoritysIsNotReadyAndAllSayWhatDiffers() {
    Map<String, MemberList> lists =
        Map.of("n1", good("a"), "n2", good("b"), "n3", list("/c.yaml", 3, 7999));
    Difference difference =
        new Difference(
            "n3", "/c.yaml", "replica n2", "10.0.0.2, storePort 7999", "10.0.0.2, storePort 7100");
    assertThat(judge("n1", lists, ALL))
        .isEqualTo(new MemberListRules.Verdict("", List.of(difference)));
    MemberListRules.Verdict wrong = judge("n3", lists, ALL);
    assertThat(wrong.notReady())
        .isEqualTo(
            "its file lists members differently from the majority: replica n2: file 10.0.0.2,"
                + " storePort 7999, majority 10.0.0.2, storePort 7100");
    assertThat(wrong.differences()).containsExactly(difference);
  }

  @Test
  void hostsAreComparedAsTheyAreWritten() {
    List<ListedProcess> named = new ArrayList<>(good("").processes());
    named.set(0, new ListedProcess(Kind.NODE, "n1", "one.example", 7102));
    Map<String, MemberList> lists =
        Map.of("n1", new MemberList("", named), "n2", good(""), "n3", good(""));
    assertThat(judge("n1", lists, ALL).notReady())
        .contains("node n1: file one.example, nodePort 7102, majority 10.0.0.1, nodePort 7102");
  }

  @Test
  void whereNoListHasAMajorityNoNodeIsReady() {
    Map<String, MemberList> lists =
        Map.of("n1", good(""), "n2", list("", 3, 7200), "n3", list("", 3, 7999));
    for (String node : ALL) {
      assertThat(judge(node, lists, ALL).notReady())
          .isEqualTo("the nodes' files list members differently, none as a majority does");
      assertThat(judge(node, lists, ALL).differences()).hasSize(2);
    }
    Map<String, MemberList> two = Map.of("n1", good(""), "n2", list("", 3, 7200));
    assertThat(judge("n1", two, Set.of("n1", "n2")).notReady()).isNotEmpty();
  }

  @Test
  void aNodeThatIsDownKeepsItsVoice() {
    Map<String, MemberList> lists = Map.of("n1", good(""), "n2", good(""), "n3", list("", 3, 7999));
    Set<String> live = Set.of("n2", "n3");
    assertThat(judge("n2", lists, live).notReady()).isEmpty();
    assertThat(judge("n3", lists, live).notReady()).isNotEmpty();
  }

  @Test
  void aLivingReplicasListIsComparedAndHasNoVoice() {
    Map<String, MemberList> lists =
        Map.of(
            "n1", good(""),
            "replica s1", list("/s1.yaml", 3, 7999),
            "replica s2", list("/s2.yaml", 3, 7999),
            "replica s3", list("/s3.yaml", 3, 7999));
    MemberListRules.Verdict node = judge("n1", lists, Set.of("n1", "replica s1", "replica s3"));
    assertThat(node.notReady()).isEmpty();
    assertThat(node.differences())
        .extracting(one -> one.node() + " " + one.file() + " " + one.here())
        .containsExactly(
            "replica s1 /s1.yaml 10.0.0.2, storePort 7999",
            "replica s3 /s3.yaml 10.0.0.2, storePort 7999");
  }

  @Test
  void aReplicaWhoseListDiffersFromTheNodesIsNotReady() {
    Map<String, MemberList> lists =
        Map.of("n1", good(""), "n2", good(""), "replica s1", list("", 3, 7999));
    assertThat(judge("replica s1", lists, Set.of("replica s1", "n1")).notReady())
        .contains("replica n2: file 10.0.0.2, storePort 7999, majority 10.0.0.2, storePort 7100");
    assertThat(judge("replica s1", lists, Set.of("replica s1")).notReady())
        .as("the nodes are down")
        .isNotEmpty();
    Map<String, MemberList> agreed =
        Map.of("n1", good(""), "n2", good(""), "replica s1", good("/s1.yaml"));
    assertThat(judge("replica s1", agreed, Set.of("replica s1", "n1")))
        .isEqualTo(new MemberListRules.Verdict("", List.of()));
  }

  @Test
  void aReplicaIsReadyWhereNoNodeIsKnownAndNotWhereTheNodesDisagree() {
    Map<String, MemberList> replicas =
        Map.of("replica s1", good(""), "replica s2", list("", 3, 7999));
    MemberListRules.Verdict alone =
        judge("replica s1", replicas, Set.of("replica s1", "replica s2"));
    assertThat(alone.notReady()).isEmpty();
    assertThat(alone.differences()).extracting(Difference::node).containsExactly("replica s2");
    Map<String, MemberList> nodes =
        Map.of("n1", good(""), "n2", list("", 3, 7999), "replica s1", good(""));
    assertThat(judge("replica s1", nodes, Set.of("n1", "n2", "replica s1")).notReady())
        .isEqualTo("the nodes' files list members differently, none as a majority does");
  }

  @Test
  void aNodeThatNoLivingNodeListsHasNoVoice() {
    Map<String, MemberList> lists =
        Map.of(
            "n1",
            list("", 2, 7100),
            "n2",
            list("", 2, 7100),
            "n3",
            good(""),
            "n4",
            good(""),
            "n5",
            good(""));
    MemberListRules.Verdict verdict = judge("n1", lists, Set.of("n1", "n2"));
    assertThat(verdict).isEqualTo(new MemberListRules.Verdict("", List.of()));
  }

  @Test
  void aMemberThatOneListLacksIsADifference() {
    Map<String, MemberList> lists = Map.of("n1", good(""), "n2", good(""), "n3", list("", 2, 7100));
    assertThat(judge("n3", lists, ALL).differences())
        .extracting(one -> one.place() + ": " + one.here() + " / " + one.cluster())
        .containsExactly(
            "node n3: - / 10.0.0.3, nodePort 7102", "replica n3: - / 10.0.0.3, storePort 7100");
  }

  @Test
  void aNodeAloneIsItsOwnMajority() {
    assertThat(MemberListRules.judge("n1", good(""), Map.of(), Set.of()).notReady()).isEmpty();
  }

  @Test
  void howeverMuchDiffersAFewDifferencesAreListed() {
    List<ListedProcess> many = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      many.add(new ListedProcess(Kind.NODE, "m" + i, "h", 1));
    }
    Map<String, MemberList> lists =
        Map.of("n1", good(""), "n2", good(""), "n3", new MemberList("", many));
    assertThat(judge("n1", lists, ALL).differences()).hasSize(Difference.MAX_LISTED);
  }

  @Test
  void ofLongValuesThePlaceWhereTheyDifferIsShown() {
    String same = "1, ".repeat(1_000);
    Difference difference = new Difference("n1", "", "p", same + "2", same + "3, 4");
    assertThat(difference.here()).startsWith("...").endsWith("1, 2").hasSizeLessThan(60);
    assertThat(difference.cluster()).startsWith("...").endsWith("1, 3, 4");
    assertThat(new Difference("n1", "", "p", "-", same).cluster())
        .startsWith("1, 1, ")
        .endsWith("...")
        .hasSize(Difference.MAX_VALUE_CHARS);
    assertThat(new Difference("n1", "", "p", difference.here(), difference.cluster()))
        .isEqualTo(difference);
  }

  @Test
  void aDifferenceIsLoggedOnceHoweverReadinessChanges() {
    MemberListNews news = new MemberListNews();
    MemberList wrong = list("/c.yaml", 3, 7999);
    String difference =
        "n3's file /c.yaml: replica n2: 10.0.0.2, storePort 7999, others 10.0.0.2, storePort 7100";
    Map<String, MemberList> two = Map.of("n1", good("a"), "n3", wrong);
    Map<String, MemberList> three = Map.of("n1", good("a"), "n2", good("b"), "n3", wrong);
    Map<String, MemberList> right = Map.of("n1", good("a"), "n2", good("b"), "n3", good("c"));

    assertThat(news.next(judge("n1", Map.of("n1", good("a")), Set.of("n1")))).isEmpty();
    assertThat(news.next(judge("n1", two, Set.of("n1", "n3"))))
        .isEqualTo(
            "not ready: the nodes' files list members differently, none as a majority does; "
                + difference);
    assertThat(news.next(judge("n1", two, Set.of("n1", "n3")))).isEmpty();
    assertThat(news.next(judge("n1", three, ALL)))
        .isEqualTo("this node's list is that of the majority");
    assertThat(news.next(judge("n1", three, Set.of("n1", "n3")))).isEmpty();
    assertThat(news.next(judge("n1", right, ALL)))
        .isEqualTo("the nodes' files list the same members");
    assertThat(news.next(judge("n1", right, ALL))).isEmpty();
    assertThat(news.next(judge("n1", three, ALL)))
        .as("it differs again")
        .isEqualTo("files list members differently; " + difference);
  }
}
