package io.lockstep.demo;

import io.lockstep.demo.screen.Picture;
import io.lockstep.demo.screen.Picture.Domain;
import io.lockstep.demo.screen.Picture.Host;
import io.lockstep.demo.screen.Picture.Links;
import io.lockstep.demo.screen.Picture.Node;
import io.lockstep.demo.screen.Picture.NodeState;
import java.util.ArrayList;
import java.util.List;

/** What happened between two pictures, in words, for what no action reports itself. Pure. */
final class PictureChanges {
  private PictureChanges() {}

  /** Nodes that became ready or ceased to be, and the leader of the store. */
  static List<String> ofNodes(Picture before, Picture after) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < after.nodes().size(); i++) {
      Node was = before.nodes().get(i);
      Node is = after.nodes().get(i);
      if (was.state() != NodeState.UP && is.state() == NodeState.UP) {
        words.add(is.id() + " is ready");
      } else if (was.state() == NodeState.UP && is.state() == NodeState.STARTING) {
        words.add(is.id() + " does not answer, or is not ready");
      }
      if (is.leader() && !was.leader()) {
        words.add(is.id() + " leads the store");
      }
    }
    return words;
  }

  /** Domains handed over between nodes that are ready, links, and places of hosts. */
  static List<String> ofNetwork(Picture before, Picture after) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < after.domains().size(); i++) {
      Domain was = before.domains().get(i);
      Domain is = after.domains().get(i);
      boolean handed = was.master() >= 0 && is.master() >= 0 && was.master() != is.master();
      if (handed && after.nodes().get(was.master()).state() == NodeState.UP) {
        words.add(was.masterId() + " hands " + is.name() + " back to " + is.masterId());
      }
    }
    Links links = after.links();
    if (before.links().known() != links.known()) {
      words.add("the cluster knows " + links.known() + " of " + links.all() + " links");
    }
    for (int i = 0; i < after.hosts().size(); i++) {
      Host was = before.hosts().get(i);
      Host is = after.hosts().get(i);
      if (!was.at().equals(is.at()) && !is.at().equals("-")) {
        words.add("the cluster sees " + is.name() + " at " + is.at());
      }
    }
    return words;
  }
}
