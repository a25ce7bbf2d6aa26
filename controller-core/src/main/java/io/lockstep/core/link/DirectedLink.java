package io.lockstep.core.link;

/**
 * What one probe proves: frames sent out of {@code src} arrive at {@code dst}. A cable is two of
 * them.
 */
public record DirectedLink(SwitchPort src, SwitchPort dst) implements Comparable<DirectedLink> {

  /** The other direction of the same cable. */
  public DirectedLink reversed() {
    return new DirectedLink(dst, src);
  }

  /** Whether the port is one of the two ends. */
  public boolean touches(SwitchPort port) {
    return src.equals(port) || dst.equals(port);
  }

  @Override
  public int compareTo(DirectedLink other) {
    int bySource = src.compareTo(other.src);
    return bySource != 0 ? bySource : dst.compareTo(other.dst);
  }

  @Override
  public String toString() {
    return src + " -> " + dst;
  }
}
