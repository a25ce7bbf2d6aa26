package io.lockstep.bench.etcd;

import io.lockstep.bench.compare.Operation;
import io.lockstep.bench.compare.Procedures;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The layout of the procedures' data, which the workloads prepare as tables with references: here
 * an address leads to the value itself. Used while data is put into the store.
 */
final class Tables {
  static final String HOSTS = "lsm.host";
  static final String IPS = "lbm.ip";
  static final String POOL_TURNS = "lbm.turn";
  static final String POOL_MEMBERS = "lbm.members";
  static final String DEVICES = "dmm.mac";
  static final String DEVICE_IPS = "dmm.ip";
  static final String SEEN = "dmm.seen";

  private static final String VIPS = "lbm.vip";
  private static final String POOLS = "lbm.pool";
  private static final String DEVICE_TABLE = "dmm.device";
  private static final int ADDRESS_BYTES = 4;

  private final Map<String, byte[]> values = new ConcurrentHashMap<>();
  private final Map<String, String> macs = new ConcurrentHashMap<>();
  private final Map<String, String> ips = new ConcurrentHashMap<>();

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * What a put of a workload's preparation becomes; nothing where the other half of a reference is
   * not known yet.
   */
  synchronized List<Operation.Put> denormalise(Operation.Put put) {
    List<Operation.Put> puts = new ArrayList<>();
    switch (put.table()) {
      case IPS -> {
        ips.put(put.key(), new String(put.value(), StandardCharsets.US_ASCII));
        both(put.key(), ips.get(put.key()), IPS, VIPS, puts);
      }
      case VIPS -> {
        values.put(VIPS + put.key(), put.value());
        ips.forEach((ip, vip) -> both(ip, vip, IPS, VIPS, puts));
      }
      case DEVICES -> {
        String device = new String(put.value(), StandardCharsets.US_ASCII);
        macs.put(device, put.key());
        both(put.key(), device, DEVICES, DEVICE_TABLE, puts);
      }
      case DEVICE_TABLE -> {
        values.put(DEVICE_TABLE + put.key(), put.value());
        String mac = macs.get(put.key());
        if (mac != null) {
          both(mac, put.key(), DEVICES, DEVICE_TABLE, puts);
        }
      }
      case POOLS -> {
        puts.add(put);
        puts.add(new Operation.Put(POOL_MEMBERS, put.key(), members()));
      }
      default -> puts.add(put);
    }
    return puts;
  }

  private void both(
      String address, String reference, String table, String target, List<Operation.Put> puts) {
    byte[] value = values.get(target + reference);
    if (value != null) {
      puts.add(new Operation.Put(table, address, value));
    }
  }

  /** The addresses of all members, one after another: member n's begins with n. */
  private static byte[] members() {
    byte[] members = new byte[Procedures.MEMBERS * ADDRESS_BYTES];
    for (int member = 0; member < Procedures.MEMBERS; member++) {
      members[member * ADDRESS_BYTES + ADDRESS_BYTES - 1] = (byte) member;
    }
    return members;
  }
}
