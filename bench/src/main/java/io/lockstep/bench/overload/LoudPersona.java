package io.lockstep.bench.overload;

import io.lockstep.bench.overload.OverloadRow.Protocol;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a loud switch answers, packet-ins aside: as little as a node needs. Entries without
 * time-outs are remembered, so that a node which reads them back finds them. Pure; owned by the
 * generator's thread.
 */
final class LoudPersona {
  private static final int ERROR = 1;
  private static final int ECHO_REQUEST = 2;
  private static final int FEATURES_REQUEST = 5;
  private static final int GET_CONFIG_REQUEST = 7;
  private static final int FLOW_MOD = 14;
  private static final int ROLE_REQUEST = 24;
  private static final int ROLE_MASTER = 2;
  private static final int STATS_DESC = 0;
  private static final int STATS_FLOW = 1;
  private static final int STATS_TABLE = 3;
  private static final int STATS_PORT = 4;
  private static final int STATS_PORT_DESC = 13;
  private static final int MAX_ENTRIES = 64;

  private final Protocol protocol;
  private final long dpid;
  private final List<byte[]> entries = new ArrayList<>();
  private boolean master;

  LoudPersona(Protocol protocol, long dpid) {
    this.protocol = protocol;
    this.dpid = dpid;
    this.master = protocol == Protocol.V10;
  }

  /** Whether the controller may hear packet-ins; OpenFlow 1.0 has no roles. */
  boolean isMastered() {
    return master;
  }

  /** What it says first. */
  byte[] hello() {
    return message(0, 0, new byte[0]);
  }

  /** The answer to a message of the controller; empty where there is none. */
  byte[] answer(byte[] message) {
    ByteBuffer in = ByteBuffer.wrap(message);
    int type = in.get(1);
    int xid = in.getInt(4);
    byte[] body = new byte[message.length - 8];
    System.arraycopy(message, 8, body, 0, body.length);
    return switch (type) {
      case ECHO_REQUEST -> message(type + 1, xid, body);
      case FEATURES_REQUEST -> message(type + 1, xid, features());
      case GET_CONFIG_REQUEST -> message(type + 1, xid, new byte[] {0, 0, -1, -1});
      case FLOW_MOD -> {
        remember(in);
        yield new byte[0];
      }
      default -> answerOfVersion(message, type, xid, body);
    };
  }

  private byte[] answerOfVersion(byte[] message, int type, int xid, byte[] body) {
    boolean old = protocol == Protocol.V10;
    if (type == (old ? 18 : 20)) {
      return message(type + 1, xid, new byte[0]);
    }
    if (type == (old ? 16 : 18)) {
      return statistics(message, type, xid, ByteBuffer.wrap(body).getShort());
    }
    if (!old && type == ROLE_REQUEST) {
      master = ByteBuffer.wrap(body).getInt() == ROLE_MASTER;
      return message(type + 1, xid, body);
    }
    return new byte[0];
  }

  private byte[] message(int type, int xid, byte[] body) {
    ByteBuffer out = ByteBuffer.allocate(8 + body.length);
    out.put((byte) protocol.wireVersion).put((byte) type).putShort((short) out.capacity());
    return out.putInt(xid).put(body).array();
  }

  private byte[] features() {
    boolean old = protocol == Protocol.V10;
    ByteBuffer out = ByteBuffer.allocate(24 + (old ? LoudPackets.PORTS * 48 : 0));
    out.putLong(dpid)
        .putInt(256)
        .put((byte) 1)
        .put(new byte[3])
        .putInt(0x7)
        .putInt(old ? 0xfff : 0);
    return old ? out.put(ports()).array() : out.array();
  }

  /** All ports are up, and none says how fast it is. */
  private byte[] ports() {
    boolean old = protocol == Protocol.V10;
    int each = old ? 48 : 64;
    ByteBuffer out = ByteBuffer.allocate(LoudPackets.PORTS * each);
    for (int port = 1; port <= LoudPackets.PORTS; port++) {
      int next = out.position() + each;
      if (old) {
        out.putShort((short) port);
      } else {
        out.putInt(port).putInt(0);
      }
      out.putShort((short) 0x0600).putInt((int) dpid << 8 | port);
      out.position(out.position() + (old ? 0 : 2));
      out.put((byte) 'p').put((byte) ('0' + port / 10)).put((byte) ('0' + port % 10));
      out.position(next);
    }
    return out.array();
  }

  private byte @Nullable [] content(int kind) {
    boolean old = protocol == Protocol.V10;
    return switch (kind) {
      case STATS_DESC -> new byte[1056];
      case STATS_FLOW -> entries();
      case STATS_TABLE -> new byte[old ? 64 : 24];
      case STATS_PORT -> new byte[0];
      case STATS_PORT_DESC -> old ? null : ports();
      default -> null;
    };
  }

  private byte[] statistics(byte[] request, int type, int xid, int kind) {
    boolean old = protocol == Protocol.V10;
    byte[] content = content(kind);
    if (content == null) {
      ByteBuffer error = ByteBuffer.allocate(4 + Math.min(64, request.length));
      return message(
          ERROR, xid, error.putInt(0x0001_0002).put(request, 0, error.remaining()).array());
    }
    ByteBuffer out = ByteBuffer.allocate((old ? 4 : 8) + content.length);
    out.putShort((short) kind).position(old ? 4 : 8);
    return message(type + 1, xid, out.put(content).array());
  }

  private byte[] entries() {
    ByteBuffer out = ByteBuffer.allocate(entries.stream().mapToInt(each -> each.length).sum());
    entries.forEach(out::put);
    return out.array();
  }

  /** Keeps a new entry that has no time-out, as flow statistics show it. */
  private void remember(ByteBuffer mod) {
    boolean old = protocol == Protocol.V10;
    int command = old ? mod.getShort(56) : mod.get(25);
    boolean permanent = mod.getInt(old ? 58 : 26) == 0;
    if (command == 0 && permanent && entries.size() < MAX_ENTRIES) {
      byte[] entry = old ? entry10(mod) : entry13(mod);
      entries.removeIf(known -> Arrays.equals(known, entry));
      entries.add(entry);
    }
  }

  private static byte[] entry10(ByteBuffer mod) {
    byte[] match = part(mod, 8, 40);
    byte[] actions = part(mod, 72, mod.capacity() - 72);
    ByteBuffer out = ByteBuffer.allocate(88 + actions.length);
    out.putShort((short) out.capacity()).putShort((short) 0).put(match).putLong(0);
    out.putShort(mod.getShort(62)).putInt(0).put(new byte[6]).putLong(mod.getLong(48));
    return out.putLong(0).putLong(0).put(actions).array();
  }

  private static byte[] entry13(ByteBuffer mod) {
    byte[] rest = part(mod, 48, mod.capacity() - 48);
    ByteBuffer out = ByteBuffer.allocate(48 + rest.length);
    out.putShort((short) out.capacity()).putShort((short) 0).putLong(0).putShort(mod.getShort(30));
    out.putInt(0).putShort(mod.getShort(44)).putInt(0).putLong(mod.getLong(8));
    return out.putLong(0).putLong(0).put(rest).array();
  }

  private static byte[] part(ByteBuffer of, int from, int length) {
    byte[] part = new byte[length];
    of.get(from, part);
    return part;
  }
}
