package io.lockstep.bench.compare;

/** The micro components of the paper's workloads (table I, column micro). */
public enum Procedure {
  /** Associates a source address (key) with a port (value), reads that of a destination (other). */
  LEARN(0, true),
  /** Reads the virtual address (value) that an IP address (key) belongs to. */
  VIP(1, false),
  /** Takes the next member of a pool (key), round robin, and reads its address. */
  NEXT_MEMBER(2, true),
  /** Reads the devices of a source (key) and a destination address (other), one may be unknown. */
  DEVICES(3, false),
  /** Updates the time (value) at which a device (key is its address) was last seen. */
  SEEN(4, true),
  /** Makes a device (value) with a MAC address (key) and an IP address (other); gives its id. */
  CREATE(5, true);

  private final int code;
  private final boolean writing;

  Procedure(int code, boolean writing) {
    this.code = code;
    this.writing = writing;
  }

  /** Stands for it in bytes: its place among {@link #values}. */
  int code() {
    return code;
  }

  /** Whether it changes the store. */
  public boolean isWriting() {
    return writing;
  }
}
