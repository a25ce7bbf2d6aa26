package io.lockstep.dataplane.flowtable;

/** Reserved port numbers, as the 32 bits of the wire (OpenFlow 1.3.5 section 7.2.1). */
public final class PortNumbers {
  /** Largest number of a physical port, compared without sign. */
  public static final int MAX = 0xffff_ff00;

  public static final int IN_PORT = 0xffff_fff8;
  public static final int TABLE = 0xffff_fff9;
  public static final int NORMAL = 0xffff_fffa;
  public static final int FLOOD = 0xffff_fffb;
  public static final int ALL = 0xffff_fffc;
  public static final int CONTROLLER = 0xffff_fffd;
  public static final int LOCAL = 0xffff_fffe;
  public static final int ANY = 0xffff_ffff;

  private PortNumbers() {}

  /** Whether the number names a physical port rather than a reserved one. */
  public static boolean isPhysical(int port) {
    return port != 0 && Integer.compareUnsigned(port, MAX) <= 0;
  }
}
