package io.lockstep.apps.loadbalancer.state;

import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.Arrays;

/**
 * Where the client of a connection was when it took its member. A sender may invent addresses, but
 * not its port. As bytes: datapath id (8) and port (4).
 *
 * @param port as an unsigned number
 */
public record IngressPort(long datapathId, int port) {
  static final int BYTES = 12;

  static IngressPort read(ByteReader in) {
    return new IngressPort(in.int64(), in.int32());
  }

  /** Reads it behind other bytes, at their end. */
  static IngressPort endOf(byte[] octets) {
    return read(new ByteReader(Arrays.copyOfRange(octets, octets.length - BYTES, octets.length)));
  }

  ByteWriter write(ByteWriter out) {
    return out.int64(datapathId).int32(port);
  }

  /** The key of its count for a service. */
  Bytes countKey(Bytes service) {
    ByteWriter out = new ByteWriter(1 + ServiceAddress.BYTES + BYTES);
    return write(out.int8(ConnectionCounts.OF_PORTS).raw(service.shared())).toBytes();
  }
}
