package io.lockstep.apps.loadbalancer.state;

import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * Where a service is reached: what one virtual IP stands for.
 *
 * @param port 1 to 65535
 */
public record ServiceAddress(TransportProtocol protocol, int ip, int port) {
  static final int BYTES = 7;

  /** Its key in {@link BalancerTables}. */
  public Bytes key() {
    return new ByteWriter(BYTES).int8(protocol.number()).int32(ip).int16(port).toBytes();
  }

  static ServiceAddress read(ByteReader in) {
    int number = in.uint8();
    TransportProtocol protocol = TransportProtocol.ofNumber(number);
    if (protocol == null) {
      throw new IllegalArgumentException("unknown protocol " + number);
    }
    return new ServiceAddress(protocol, in.int32(), in.uint16());
  }

  @Override
  public String toString() {
    return protocol.word() + " " + Ipv4.text(ip) + ":" + port;
  }
}
