package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.CodecException;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@link HostChange} as bytes: its kind (1 byte), then its parts. A host is 12 bytes as in the
 * key of its record, a port 16, an IPv6 address a flag and 16.
 */
final class HostChangeCodec {
  private static final int SEE = 1;
  private static final int MOVE = 2;
  private static final int EXPIRE = 3;
  private static final int ADOPT = 4;

  private HostChangeCodec() {}

  static void write(HostChange change, ByteWriter out) {
    change.accept(new Writer(out));
  }

  static HostChange read(ByteReader in) {
    int at = in.offset();
    int kind = in.uint8();
    return switch (kind) {
      case SEE -> new HostChange.See(sighting(in));
      case MOVE -> new HostChange.Move(sighting(in), port(in), in.int64());
      case EXPIRE -> new HostChange.Expire(port(in), hosts(in));
      case ADOPT -> new HostChange.Adopt(hosts(in));
      default -> throw new CodecException(at, "a kind of change of a host, found " + kind);
    };
  }

  private static SwitchPort port(ByteReader in) {
    return new SwitchPort(in.int64(), in.int64());
  }

  private static HostKey host(ByteReader in) {
    return new HostKey(in.int64(), in.int32());
  }

  private static List<HostKey> hosts(ByteReader in) {
    int count = in.count(HostChange.MAX_HOSTS, HostEntityTable.KEY_BYTES);
    List<HostKey> hosts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      hosts.add(host(in));
    }
    return hosts;
  }

  private static HostSighting sighting(ByteReader in) {
    HostKey host = host(in);
    SwitchPort place = port(in);
    int ip = in.int32();
    Ip6 ip6 = in.flag() ? new Ip6(in.int64(), in.int64()) : null;
    return new HostSighting(host, place, ip, ip6, in.flag());
  }

  /** Appends the parts of a change. */
  private record Writer(ByteWriter out) implements HostChange.Visitor<ByteWriter> {
    @Override
    public ByteWriter see(HostChange.See see) {
      out.int8(SEE);
      return sighting(see.sighting());
    }

    @Override
    public ByteWriter move(HostChange.Move move) {
      out.int8(MOVE);
      sighting(move.sighting());
      return port(move.from()).int64(move.claimVersion());
    }

    @Override
    public ByteWriter expire(HostChange.Expire expire) {
      out.int8(EXPIRE);
      port(expire.place());
      return hosts(expire.gone());
    }

    @Override
    public ByteWriter adopt(HostChange.Adopt adopt) {
      out.int8(ADOPT);
      return hosts(adopt.known());
    }

    private ByteWriter port(SwitchPort port) {
      return out.int64(port.dpid()).int64(port.port());
    }

    private ByteWriter hosts(List<HostKey> hosts) {
      out.varint(hosts.size());
      hosts.forEach(this::host);
      return out;
    }

    private void host(HostKey host) {
      out.int64(host.mac()).int32(host.vlan());
    }

    private ByteWriter sighting(HostSighting sighting) {
      host(sighting.host());
      port(sighting.place()).int32(sighting.ip());
      Ip6 ip6 = sighting.ip6();
      out.flag(ip6 != null);
      if (ip6 != null) {
        out.int64(ip6.high()).int64(ip6.low());
      }
      return out.flag(sighting.own());
    }
  }
}
