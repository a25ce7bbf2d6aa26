package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.CodecException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;

/**
 * Which hosts an operator asks for.
 *
 * @param by how they are found
 * @param prefix of the keys of the index, or of the records where they are found without an index
 * @param after the key of the last host that is known already; null to begin with the first
 */
public record HostQuery(By by, Bytes prefix, @Nullable Bytes after) {
  /** What an operator can write, as the end of a sentence that begins with "give". */
  public static final String ALLOWED =
      "a MAC address, an IP address, a switch such as of:000000000000001f, or a port such as 1f/3";

  private static final Pattern PLACE =
      Pattern.compile("(?:of:|0x)?([0-9a-fA-F]{1,16})(?:/([0-9]{1,10}))?");
  private static final Pattern MAC =
      Pattern.compile("[0-9a-fA-F]{2}([:-])[0-9a-fA-F]{2}(\\1[0-9a-fA-F]{2}){4}");
  private static final int MAX_PREFIX_BYTES = 17;
  private static final int MAC_BYTES = Long.BYTES;

  /** How hosts are found. */
  enum By {
    /** By their own address, or all. */
    KEY(0, HostEntityTable.NAME),
    /** By an IP address. */
    IP(1, HostIndexes.BY_IP),
    /** By the switch, or by switch and port. */
    PORT(2, HostIndexes.BY_PORT);

    /** The way in the component's requests; never used again for another one. */
    final int code;

    final String table;

    By(int code, String table) {
      this.code = code;
      this.table = table;
    }

    static By read(ByteReader in) {
      int at = in.offset();
      int code = in.uint8();
      for (By by : values()) {
        if (by.code == code) {
          return by;
        }
      }
      throw new CodecException(at, "a way of finding hosts, found " + code);
    }
  }

  /** All hosts. */
  public static HostQuery all() {
    return new HostQuery(By.KEY, Bytes.empty(), null);
  }

  /** Those that a text names, see {@link #ALLOWED}; empty where it names nothing. */
  public static Optional<HostQuery> parse(String text) {
    if (MAC.matcher(text).matches()) {
      long mac = MacAddress.valueOf(text.replace('-', ':')).toLong();
      return Optional.of(
          new HostQuery(By.KEY, new ByteWriter(MAC_BYTES).int64(mac).toBytes(), null));
    }
    Matcher place = PLACE.matcher(text);
    if (place.matches()) {
      long dpid = Long.parseUnsignedLong(place.group(1), 16);
      String port = place.group(2);
      return Optional.of(
          new HostQuery(
              By.PORT,
              port == null
                  ? HostIndexes.ofSwitch(dpid)
                  : HostIndexes.port(new SwitchPort(dpid, Long.parseLong(port))),
              null));
    }
    return address(text).map(ip -> new HostQuery(By.IP, ip, null));
  }

  private static Optional<Bytes> address(String text) {
    if (!text.contains(".") && !text.contains(":")) {
      return Optional.empty();
    }
    try {
      IpAddress ip = IpAddress.valueOf(text);
      return Optional.of(
          ip.isIp4()
              ? HostIndexes.address(ip.getIp4Address().toInt())
              : HostIndexes.address(Ip6.of(ip.toOctets())));
    } catch (IllegalArgumentException notAnAddress) {
      return Optional.empty();
    }
  }

  /** The same hosts behind the last of those that were found. */
  HostQuery behind(FindHosts.Keyed last) {
    Bytes key = HostEntityTable.CODEC.encodeKey(last.key());
    return new HostQuery(
        by,
        prefix,
        switch (by) {
          case KEY -> key;
          case IP -> HostIndexes.key(prefix, key);
          case PORT -> HostIndexes.key(HostIndexes.port(last.host().place()), key);
        });
  }

  Bytes encode() {
    ByteWriter out = new ByteWriter(64).int8(by.code).bytes(prefix).flag(after != null);
    if (after != null) {
      out.bytes(after);
    }
    return out.toBytes();
  }

  static HostQuery read(ByteReader in) {
    By by = By.read(in);
    Bytes prefix = in.bytes(MAX_PREFIX_BYTES);
    int keyBytes = MAX_PREFIX_BYTES + HostEntityTable.KEY_BYTES;
    return new HostQuery(by, prefix, in.flag() ? in.bytes(keyBytes) : null);
  }
}
