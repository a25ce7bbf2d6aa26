package io.lockstep.bench.jraft;

import java.io.Serializable;

/** A request or an answer over SOFA-JRaft's own RPC. A class as its serializer wants it. */
public final class BoltMessage implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final byte[] bytes;

  /** For the serializer. */
  BoltMessage(int status, byte[] bytes) {
    this.status = status;
    this.bytes = bytes;
  }

  int status() {
    return status;
  }

  byte[] bytes() {
    return bytes;
  }
}
