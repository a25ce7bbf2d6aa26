package io.lockstep.deploy.placed.oracle;

/** The header fields that the tests' rules look at. */
public enum Field {
  /** The physical port that the packet came in by. */
  IN_PORT(0, 32),
  ETH_DST(1, 48),
  ETH_SRC(2, 48),
  ETH_TYPE(3, 16),
  /** 0 without a tag, else {@link #TAGGED} and the VLAN's number. */
  VLAN(4, 13),
  IP_SRC(5, 32),
  IP_DST(6, 32),
  PROTOCOL(7, 8),
  PORT_SRC(8, 16),
  PORT_DST(9, 16);

  /** Of {@link #VLAN}: there is a tag. */
  public static final long TAGGED = 0x1000;

  public static final long IPV4 = 0x0800;
  public static final long ARP = 0x0806;
  public static final long IPV6 = 0x86dd;
  public static final long LLDP = 0x88cc;
  public static final long TCP = 6;
  public static final long UDP = 17;

  /** How many there are. */
  static final int COUNT = 10;

  private final int index;
  private final int bits;

  Field(int index, int bits) {
    this.index = index;
    this.bits = bits;
  }

  /** Its place in a header, outer fields first. */
  int index() {
    return index;
  }

  /** The mask that compares everything. */
  long full() {
    return (1L << bits) - 1;
  }

  /** The mask that compares the first bits. */
  long prefix(int length) {
    return full() & ~(full() >>> length);
  }
}
