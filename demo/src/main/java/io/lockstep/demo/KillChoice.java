package io.lockstep.demo;

import io.lockstep.demo.screen.Picture;
import io.lockstep.demo.screen.Picture.Node;
import io.lockstep.demo.screen.Picture.NodeState;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Which node may be killed: one whose loss leaves a majority of nodes that are ready. Pure.
 *
 * @param node its position; -1 for none
 * @param refusal why none, empty where there is one
 */
record KillChoice(int node, String refusal) {

  /** Of the nodes that may be killed, the one that masters most domains; then the leader. */
  static KillChoice among(List<Node> nodes) {
    int majority = nodes.size() / 2 + 1;
    long ready = nodes.stream().filter(node -> node.state() == NodeState.UP).count();
    if (ready - 1 < majority) {
      return new KillChoice(
          -1, missing(nodes) + "; the store needs " + majority + " of " + nodes.size());
    }
    int node =
        IntStream.range(0, nodes.size())
            .boxed()
            .filter(i -> nodes.get(i).state() == NodeState.UP)
            .max(
                Comparator.comparingInt((Integer i) -> nodes.get(i).masters().size())
                    .thenComparing(i -> nodes.get(i).leader())
                    .thenComparing(Comparator.<Integer>reverseOrder()))
            .orElseThrow();
    return new KillChoice(node, "");
  }

  private static String missing(List<Node> nodes) {
    Optional<Node> down = nodes.stream().filter(node -> node.state() == NodeState.DOWN).findFirst();
    if (down.isPresent()) {
      return "k not now: " + down.get().id() + " is down (r starts it)";
    }
    return nodes.stream()
        .filter(node -> node.state() == NodeState.STARTING)
        .findFirst()
        .map(node -> "k not now: " + node.id() + " is starting")
        .orElse("k not now: no node would be left");
  }

  /** The node that is down, to be started; -1 for none. */
  static int down(Picture picture) {
    List<Node> nodes = picture.nodes();
    return IntStream.range(0, nodes.size())
        .filter(i -> nodes.get(i).state() == NodeState.DOWN)
        .findFirst()
        .orElse(-1);
  }
}
