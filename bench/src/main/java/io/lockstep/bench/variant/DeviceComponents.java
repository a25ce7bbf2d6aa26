package io.lockstep.bench.variant;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.CodecException;
import io.lockstep.store.codec.RowCodec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The micro components of the device manager. Keys are those of {@link DeviceRecord}. */
final class DeviceComponents {
  /** What their names begin with. */
  static final String PREFIX = "dmv.";

  static final String FIND = PREFIX + "find";
  static final String SEEN = PREFIX + "seen";
  static final String SEEN_AT = PREFIX + "seen.at";
  static final String CREATE = PREFIX + "create";

  private static final int MOST_BYTES = 1024;
  private static final Bytes DONE = Bytes.copyOf((byte) 1);
  private static final Bytes OUTDATED = Bytes.copyOf((byte) 0);

  private DeviceComponents() {}

  static List<MicroComponent> all() {
    return List.of(
        new Component(FIND, DeviceComponents::find),
        new Component(SEEN, DeviceComponents::seen),
        new Component(SEEN_AT, DeviceComponents::seenAt),
        new Component(CREATE, DeviceComponents::create));
  }

  /** Reads a source and a target device; either may be unknown. Writes nothing. */
  static Command findBoth(Bytes source, Bytes target) {
    return new Command.Query(FIND, new ByteWriter(20).bytes(source).bytes(target).toBytes());
  }

  /** Updates when a device was last seen. */
  static Command seen(Bytes number, long timeMillis) {
    return new Command.Call(SEEN, new ByteWriter(20).bytes(number).int64(timeMillis).toBytes());
  }

  /** The same apart from the device, if that is as it was read. */
  static Command seenAt(Bytes number, long version, long timeMillis) {
    return new Command.Call(
        SEEN_AT, new ByteWriter(32).bytes(number).int64(timeMillis).varint(version).toBytes());
  }

  /** Creates a device with its index entries, if there is none; returns its number. */
  static Command create(Bytes mac, int ip, Row row) {
    return new Command.Call(
        CREATE, new ByteWriter(256).bytes(mac).int32(ip).bytes(RowCodec.encode(row)).toBytes());
  }

  /** Whether a change was refused, since the device is not as it was read. */
  static boolean isOutdated(Reply reply) {
    return reply instanceof Reply.Returned returned && returned.result().equals(OUTDATED);
  }

  /** Two devices as {@link #findBoth} found them. */
  record Pair(@Nullable DeviceRecord source, @Nullable DeviceRecord target) {
    /** Null where the store gave no result. */
    static @Nullable Pair of(Reply reply) {
      if (!(reply instanceof Reply.Returned returned)) {
        return null;
      }
      ByteReader in = new ByteReader(returned.result());
      Pair pair = new Pair(device(in), device(in));
      in.end();
      return pair;
    }

    private static @Nullable DeviceRecord device(ByteReader in) {
      if (!in.flag()) {
        return null;
      }
      Bytes number = in.bytes(MOST_BYTES);
      long version = in.varint();
      return new DeviceRecord(number, version, RowCodec.decode(in.bytes(MOST_BYTES)));
    }
  }

  private interface Work {
    Bytes run(Transaction transaction, ByteReader in);
  }

  private record Component(String name, Work work) implements MicroComponent {
    @Override
    public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
      try {
        return work.run(transaction, new ByteReader(argument));
      } catch (CodecException e) {
        throw new Refusal(String.valueOf(e.getMessage()));
      }
    }
  }

  private static Bytes find(Transaction transaction, ByteReader in) {
    ByteWriter out = new ByteWriter(256);
    write(out, transaction, in.bytes(MOST_BYTES), List.of());
    write(out, transaction, in.bytes(MOST_BYTES), DeviceRecord.TARGET_COLUMNS);
    return out.toBytes();
  }

  private static void write(
      ByteWriter out, Transaction transaction, Bytes mac, List<String> columns) {
    List<Entry> found =
        mac.length() == 0 ? List.of() : transaction.getThrough(DeviceRecord.MACS, mac, columns);
    out.flag(!found.isEmpty());
    if (!found.isEmpty()) {
      Entry device = found.get(0);
      out.bytes(device.key()).varint(device.version()).bytes(device.value());
    }
  }

  private static Bytes seen(Transaction transaction, ByteReader in) {
    Bytes number = in.bytes(MOST_BYTES);
    if (transaction.get(DeviceRecord.DEVICES, number) == null) {
      return OUTDATED;
    }
    Row seen = Row.of(Map.of(DeviceRecord.SEEN, DeviceRecord.time(in.int64())));
    transaction.putColumns(DeviceRecord.DEVICES, number, seen);
    return Bytes.empty();
  }

  private static Bytes seenAt(Transaction transaction, ByteReader in) {
    Bytes number = in.bytes(MOST_BYTES);
    Bytes time = DeviceRecord.time(in.int64());
    Entry device = transaction.get(DeviceRecord.DEVICES, number);
    if (device == null || device.version() != in.varint()) {
      return OUTDATED;
    }
    transaction.put(DeviceRecord.SEEN_TIMES, number, time);
    return DONE;
  }

  private static Bytes create(Transaction transaction, ByteReader in) {
    Bytes mac = in.bytes(MOST_BYTES);
    int ip = in.int32();
    Row row = RowCodec.decode(in.bytes(MOST_BYTES));
    if (transaction.get(DeviceRecord.MACS, mac) != null) {
      return OUTDATED;
    }
    Bytes number =
        DeviceRecord.number(transaction.increment(DeviceRecord.NUMBERS, DeviceRecord.NEXT, 1));
    transaction.putColumns(DeviceRecord.DEVICES, number, row);
    transaction.put(DeviceRecord.MACS, mac, number);
    if (ip != 0) {
      Bytes key = DeviceRecord.ipKey(ip);
      Entry others = transaction.get(DeviceRecord.IPS, key);
      transaction.put(
          DeviceRecord.IPS,
          key,
          DeviceRecord.with(others == null ? Bytes.empty() : others.value(), number));
    }
    return number;
  }
}
