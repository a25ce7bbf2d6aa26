package io.lockstep.apps.loadbalancer.state;

import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.Arrays;

/**
 * A connection as its client sees it. As bytes: client's IP (4) and port (2), then the service's
 * protocol, IP and port ({@link ServiceAddress}), so that the connections of a client stand
 * together.
 */
public record ConnectionKey(int clientIp, int clientPort, ServiceAddress service) {
  static final int BYTES = 6 + ServiceAddress.BYTES;

  /** Client's IP, port and protocol: what a packet from a member shows of the key. */
  static final int PREFIX_BYTES = 7;

  ByteWriter write(ByteWriter out) {
    return out.int32(clientIp)
        .int16(clientPort)
        .int8(service.protocol().number())
        .int32(service.ip())
        .int16(service.port());
  }

  Bytes bytes() {
    return write(new ByteWriter(BYTES)).toBytes();
  }

  static ConnectionKey read(ByteReader in) {
    return new ConnectionKey(in.int32(), in.uint16(), ServiceAddress.read(in));
  }

  public static ConnectionKey of(Bytes key) {
    ByteReader in = new ByteReader(key);
    ConnectionKey read = read(in);
    in.end();
    return read;
  }

  static boolean isTcp(Bytes key) {
    return key.at(BYTES - ServiceAddress.BYTES) == TransportProtocol.TCP.number();
  }

  /** Client's IP, port and protocol, taken out of the key of a connection. */
  static Bytes prefixOf(Bytes key) {
    return Bytes.wrap(Arrays.copyOf(key.shared(), PREFIX_BYTES));
  }

  /** The key of the service's row, taken out of the key of a connection. */
  static Bytes serviceOf(Bytes key) {
    byte[] octets = key.shared();
    byte[] service = new byte[ServiceAddress.BYTES];
    System.arraycopy(octets, BYTES - ServiceAddress.BYTES, service, 0, service.length);
    return Bytes.wrap(service);
  }
}
