package io.lockstep.core.link;

import io.lockstep.core.mastership.FencedWrite.Write;

/** The writes of link discovery; times in milliseconds since 1970. */
final class LinkWrites {
  private static final LinkTable LINKS = new LinkTable();
  private static final EdgeTable EDGES = new EdgeTable();

  private LinkWrites() {}

  static Write put(DirectedLink link, long nowMillis) {
    return new Write.Put(LinkTable.NAME, LINKS.encodeKey(link), LINKS.encodeValue(nowMillis));
  }

  static Write remove(DirectedLink link) {
    return new Write.Remove(LinkTable.NAME, LINKS.encodeKey(link));
  }

  static Write putEdge(SwitchPort edge, long nowMillis) {
    return new Write.Put(EdgeTable.NAME, EDGES.encodeKey(edge), EDGES.encodeValue(nowMillis));
  }

  static Write removeEdge(SwitchPort edge) {
    return new Write.Remove(EdgeTable.NAME, EDGES.encodeKey(edge));
  }
}
