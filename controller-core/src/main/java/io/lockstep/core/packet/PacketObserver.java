package io.lockstep.core.packet;

/**
 * A part of the node that looks at packets before processors and applications do. Called on the
 * event loop of the switch; must be quick and must not throw on bad input.
 */
@FunctionalInterface
public interface PacketObserver {

  /** Looks at a packet; true where it was for the node alone and goes no further. */
  boolean observe(FrameView packet);
}
