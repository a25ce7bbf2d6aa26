package io.lockstep.bench.variant;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.RowCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A device as the paper's device manager has it in the store: a number that stands for it, with
 * tables that lead there from its MAC address and, several devices for one, from an IP address.
 * From {@link Variant#COLS} on a device is a row.
 *
 * @param number of the device
 * @param version of the entry
 * @param row its columns, or those that were read
 */
public record DeviceRecord(Bytes number, long version, Row row) {
  static final String PREFIX = "apps.device-manager.variant.";
  static final String MACS = PREFIX + "macs";
  static final String DEVICES = PREFIX + "devices";
  static final String IPS = PREFIX + "ips";
  static final String NUMBERS = PREFIX + "numbers";

  /** When devices were last seen, apart from them: in {@link Variant#CACHE} only. */
  static final String SEEN_TIMES = PREFIX + "seen";

  /** The counter of devices. */
  static final Bytes NEXT = Bytes.utf8("device");

  static final String SEEN = "seen";
  static final String POINTS = "points";

  /** Columns of a source that are read: all that it has. */
  static final List<String> SOURCE_COLUMNS = List.of("mac", "vlan", "ips", POINTS, "first", SEEN);

  /** Columns of a target that are read. */
  static final List<String> TARGET_COLUMNS = List.of(POINTS);

  private static final int NUMBER_BYTES = 8;
  private static final int MOST_AT_IP = 1_024;

  /** The tables of a variant. */
  static Map<String, TableSpec> tables(Variant variant) {
    Map<String, TableSpec> all = new LinkedHashMap<>();
    all.put(DEVICES, variant.has(Variant.COLS) ? TableSpec.columns() : TableSpec.values());
    all.put(MACS, variant.has(Variant.CREF) ? TableSpec.reference(DEVICES) : TableSpec.values());
    all.put(IPS, TableSpec.values());
    all.put(NUMBERS, TableSpec.values());
    all.put(SEEN_TIMES, TableSpec.values());
    return all;
  }

  /** The columns of a device that a packet shows for the first time. */
  static Row columns(DevicePacket packet) {
    Map<String, Bytes> columns = new HashMap<>();
    columns.put("mac", packet.sourceKey());
    columns.put("vlan", new ByteWriter(2).int16(packet.vlan()).toBytes());
    columns.put(
        "ips",
        packet.sourceIp() == 0
            ? Bytes.empty()
            : new ByteWriter(4).int32(packet.sourceIp()).toBytes());
    columns.put(
        POINTS, new ByteWriter(12).int64(packet.dpid()).int32((int) packet.port()).toBytes());
    columns.put("first", time(packet.timeMillis()));
    columns.put(SEEN, time(packet.timeMillis()));
    return Row.of(columns);
  }

  static Bytes time(long millis) {
    return new ByteWriter(8).int64(millis).toBytes();
  }

  /** The number as a key. */
  static Bytes number(long number) {
    return new ByteWriter(NUMBER_BYTES).int64(number).toBytes();
  }

  /** The same device, seen later. */
  Row seenAt(long millis) {
    Map<String, Bytes> columns = new HashMap<>(row.columns());
    columns.put(SEEN, time(millis));
    return Row.of(columns);
  }

  /** When it was last seen, since 1970; 0 where that was not read. */
  public long seenMillis() {
    Bytes seen = row.get(SEEN);
    return seen == null ? 0 : new ByteReader(seen).int64();
  }

  /** The switch where it is; 0 where that was not read. */
  public long dpid() {
    Bytes points = row.get(POINTS);
    return points == null ? 0 : new ByteReader(points).int64();
  }

  /** The command that writes a new device. */
  static Command put(Variant variant, Bytes number, Row row) {
    return variant.has(Variant.COLS)
        ? new Command.PutColumns(DEVICES, number, row)
        : new Command.Put(DEVICES, number, RowCodec.encode(row));
  }

  static Bytes ipKey(int ip) {
    return new ByteWriter(4).int32(ip).toBytes();
  }

  /**
   * The devices at an IP address with one more.
   *
   * @param before their numbers one after the other, empty where there is none
   */
  static Bytes with(Bytes before, Bytes number) {
    List<Bytes> numbers = new ArrayList<>();
    ByteReader in = new ByteReader(before);
    while (in.remaining() > 0) {
      numbers.add(number(in.int64()));
    }
    numbers.remove(number);
    numbers.add(number);
    // The oldest goes: an index entry must not grow without end.
    int from = Math.max(0, numbers.size() - MOST_AT_IP);
    ByteWriter out = new ByteWriter(NUMBER_BYTES * numbers.size());
    numbers.subList(from, numbers.size()).forEach(one -> out.raw(one.shared()));
    return out.toBytes();
  }
}
