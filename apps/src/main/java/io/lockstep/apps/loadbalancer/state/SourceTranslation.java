package io.lockstep.apps.loadbalancer.state;

import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteWriter;

/**
 * A connection as its member sees it, where the virtual IP talks to the member and not the client:
 * protocol, virtual IP, source port, member's IP and port.
 */
record SourceTranslation(
    TransportProtocol protocol, int virtualIp, int sourcePort, int ip, int port) {

  static SourceTranslation of(ConnectionKey key, ConnectionRecord record) {
    return new SourceTranslation(
        key.service().protocol(),
        key.service().ip(),
        record.sourcePort(),
        record.ip(),
        record.port());
  }

  Bytes bytes() {
    return new ByteWriter(13)
        .int8(protocol.number())
        .int32(virtualIp)
        .int16(sourcePort)
        .int32(ip)
        .int16(port)
        .toBytes();
  }
}
