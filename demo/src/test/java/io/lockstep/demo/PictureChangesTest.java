package io.lockstep.demo;

import static io.lockstep.demo.screen.SamplePicture.CALM;
import static io.lockstep.demo.screen.SamplePicture.WITHOUT_N1;
import static io.lockstep.demo.screen.SamplePicture.node;
import static io.lockstep.demo.screen.SamplePicture.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.demo.screen.Picture;
import io.lockstep.demo.screen.Picture.Domain;
import io.lockstep.demo.screen.Picture.Host;
import io.lockstep.demo.screen.Picture.Links;
import io.lockstep.demo.screen.Picture.Node;
import io.lockstep.demo.screen.Picture.NodeState;
import java.util.List;
import org.junit.jupiter.api.Test;

class PictureChangesTest {

  @Test
  void nothingHappenedBetweenEqualPictures() {
    assertThat(PictureChanges.ofNodes(CALM, CALM)).isEmpty();
    assertThat(PictureChanges.ofNetwork(CALM, CALM)).isEmpty();
  }

  @Test
  void nodesBecomeReadyAndLead() {
    assertThat(PictureChanges.ofNodes(CALM, WITHOUT_N1)).containsExactly("n2 leads the store");
    assertThat(PictureChanges.ofNodes(WITHOUT_N1, CALM))
        .containsExactly("n1 is ready", "n1 leads the store");
    Node silent = new Node("n3", NodeState.STARTING, "-", false, List.of());
    assertThat(PictureChanges.ofNodes(CALM, with(CALM, 2, silent)))
        .containsExactly("n3 does not answer, or is not ready");
  }

  @Test
  void aDomainIsHandedBackOnlyByANodeThatIsReady() {
    Picture later = domains(CALM, new Domain("west", 1, "n2", 4, 4));
    assertThat(PictureChanges.ofNetwork(CALM, later)).containsExactly("n1 hands west back to n2");
    Node dead = new Node("n1", NodeState.DOWN, "-", false, List.of());
    assertThat(PictureChanges.ofNetwork(CALM, with(later, 0, dead)))
        .as("a take-over, which has its own event")
        .isEmpty();
    assertThat(PictureChanges.ofNetwork(domains(CALM, new Domain("west", -1, "none", 0, 4)), later))
        .isEmpty();
  }

  @Test
  void linksAndHostsAreReportedWhereTheyChange() {
    Picture later =
        new Picture(
            List.of(node("n1", true, "west"), node("n2", false, "east"), node("n3", false)),
            CALM.domains(),
            new Links(18, 20, "s1 - s2"),
            List.of(new Host("h1", "s3"), new Host("h2", "-")),
            CALM.pings());
    assertThat(PictureChanges.ofNetwork(CALM, later))
        .containsExactly("the cluster knows 18 of 20 links", "the cluster sees h1 at s3");
  }

  private static Picture domains(Picture picture, Domain west) {
    return new Picture(
        picture.nodes(),
        List.of(west, picture.domains().get(1)),
        picture.links(),
        picture.hosts(),
        picture.pings());
  }
}
