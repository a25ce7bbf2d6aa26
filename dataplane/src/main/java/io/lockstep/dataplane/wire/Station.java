package io.lockstep.dataplane.wire;

import io.netty.util.concurrent.EventExecutor;

/** Something with ports: a switch or a host. */
public interface Station {
  /** The thread that owns the station; frames and link changes are delivered on it. */
  EventExecutor loop();

  /**
   * A frame arrives. On {@link #loop()}.
   *
   * @param frame shared, must not be written to
   */
  void receive(int port, byte[] frame);

  /** A cable was plugged into a port: {@code out} takes what the port sends. Any thread. */
  void plugged(int port, Wire out);

  /** The cable was taken out of a port. Any thread. */
  void unplugged(int port);

  /** Carrier came or went. On {@link #loop()}. */
  void linkChanged(int port, boolean up);
}
