package io.lockstep.demo.screen;

import io.lockstep.demo.screen.Picture.Count;
import io.lockstep.demo.screen.Picture.Domain;
import io.lockstep.demo.screen.Picture.Host;
import io.lockstep.demo.screen.Picture.Links;
import io.lockstep.demo.screen.Picture.Node;
import io.lockstep.demo.screen.Picture.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Pictures of a cluster of three nodes with two domains. */
public final class SamplePicture {
  /** Nothing happened to it since it began to ping. */
  public static final Picture CALM =
      new Picture(
          List.of(node("n1", true, "west"), node("n2", false, "east"), node("n3", false)),
          List.of(new Domain("west", 0, "n1", 4, 4), new Domain("east", 1, "n2", 4, 4)),
          new Links(20, 20, ""),
          hosts(),
          new Picture.Pings(60, new Count(500, 0), Count.NONE, Count.NONE, Count.NONE, 510));

  /** n1 is down. */
  public static final Picture WITHOUT_N1 =
      new Picture(
          List.of(
              new Node("n1", NodeState.DOWN, "-", false, List.of()),
              node("n2", true, "east"),
              node("n3", false)),
          List.of(new Domain("west", -1, "none", 0, 4), new Domain("east", 1, "n2", 3, 4)),
          new Links(18, 20, "s1 - s5"),
          hosts(),
          new Picture.Pings(
              60, new Count(10, 0), new Count(5, 2), new Count(20, 0), new Count(30, 4), 250));

  private SamplePicture() {}

  private static List<Host> hosts() {
    return IntStream.rangeClosed(1, 8).mapToObj(i -> new Host("h" + i, "s" + i)).toList();
  }

  /** A node that is ready. */
  public static Node node(String id, boolean leader, String... masters) {
    return new Node(id, NodeState.UP, "operational", leader, List.of(masters));
  }

  /** The same picture with another node in a place. */
  public static Picture with(Picture picture, int place, Node node) {
    List<Node> nodes = new ArrayList<>(picture.nodes());
    nodes.set(place, node);
    return new Picture(nodes, picture.domains(), picture.links(), picture.hosts(), picture.pings());
  }
}
