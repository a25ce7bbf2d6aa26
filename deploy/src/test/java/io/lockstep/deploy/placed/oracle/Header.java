package io.lockstep.deploy.placed.oracle;

import java.nio.ByteBuffer;

/** The headers of a packet, as far as the tests' rules look at them. */
public final class Header {
  private static final int IP_BYTES = 20;
  private static final int TRANSPORT_BYTES = 20;
  private static final int LEAST_BYTES = 60;

  final long[] values = new long[Field.COUNT];

  long get(Field field) {
    return values[field.index()];
  }

  Header set(Field field, long value) {
    values[field.index()] = value;
    return this;
  }

  /** The port that it comes in by. */
  public int inPort() {
    return (int) get(Field.IN_PORT);
  }

  /** The frame. */
  public byte[] bytes() {
    ByteBuffer frame = ByteBuffer.allocate(LEAST_BYTES + 4);
    mac(frame, get(Field.ETH_DST));
    mac(frame, get(Field.ETH_SRC));
    if (get(Field.VLAN) != 0) {
      frame.putShort((short) 0x8100).putShort((short) (get(Field.VLAN) & 0xfff));
    }
    frame.putShort((short) get(Field.ETH_TYPE));
    if (get(Field.ETH_TYPE) == Field.IPV4) {
      frame.put((byte) 0x45).put((byte) 0).putShort((short) (IP_BYTES + TRANSPORT_BYTES));
      frame.putInt(0).put((byte) 64).put((byte) get(Field.PROTOCOL)).putShort((short) 0);
      frame.putInt((int) get(Field.IP_SRC)).putInt((int) get(Field.IP_DST));
      frame.putShort((short) get(Field.PORT_SRC)).putShort((short) get(Field.PORT_DST));
    }
    return frame.array();
  }

  private static void mac(ByteBuffer frame, long address) {
    frame.putShort((short) (address >>> 32)).putInt((int) address);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Field field : Field.values()) {
      text.append(field).append('=').append(Long.toHexString(get(field))).append(' ');
    }
    return text.toString().trim();
  }
}
