package io.lockstep.deploy.testbed;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The tables of devices as they were at one moment, read in one batch. It knows the formats from
 * their description (docs/adr/0031), not from the code that writes them.
 *
 * @param places of the devices, by their keys
 * @param contradictions between records, indexes and counts; empty where they agree
 */
public record DeviceTables(Map<Bytes, Bytes> places, List<String> contradictions) {
  private static final List<String> NAMES =
      List.of("net.host-entities", "net.hosts-by-ip", "net.hosts-by-port", "net.host-counts");
  private static final int MOST = 10_000;
  private static final int MAX_BYTES = 400;

  /** Reads all four tables in one operation. */
  public static Command.Batch read() {
    return new Command.Batch(
        List.of(),
        NAMES.stream()
            .<Command>map(name -> new Command.Scan(name, Bytes.empty(), null, MOST))
            .toList());
  }

  /** What the answer to {@link #read} says. */
  public static DeviceTables of(Reply.Batched answer) {
    List<Map<Bytes, Bytes>> tables = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    for (Reply one : answer.replies()) {
      Reply.Entries entries = (Reply.Entries) one;
      if (entries.more()) {
        wrong.add("a table was not read to its end");
      }
      Map<Bytes, Bytes> table = new HashMap<>();
      for (Entry entry : entries.entries()) {
        table.put(entry.key(), entry.value());
      }
      tables.add(table);
    }
    Map<Bytes, Bytes> places = new HashMap<>();
    Map<Bytes, Bytes> byIp = new HashMap<>();
    Map<Bytes, Bytes> byPort = new HashMap<>();
    Map<Bytes, int[]> counts = new HashMap<>();
    tables
        .get(0)
        .forEach(
            (key, value) -> {
              List<Bytes> addresses = new ArrayList<>();
              Bytes place = parse(value, addresses);
              places.put(key, place);
              addresses.forEach(ip -> byIp.put(joined(ip, key), key));
              byPort.put(joined(place, key), key);
              for (Bytes counted : List.of(place, dpid(place))) {
                int[] count = counts.computeIfAbsent(counted, one -> new int[2]);
                count[0]++;
                count[1] += addresses.size();
              }
            });
    Map<Bytes, Bytes> counted = new HashMap<>();
    counts.forEach(
        (key, count) ->
            counted.put(key, new ByteWriter(8).int32(count[0]).int32(count[1]).toBytes()));
    compare(NAMES.get(1), byIp, tables.get(1), wrong);
    compare(NAMES.get(2), byPort, tables.get(2), wrong);
    compare(NAMES.get(3), counted, tables.get(3), wrong);
    return new DeviceTables(places, wrong);
  }

  /** The switch of a port. */
  private static Bytes dpid(Bytes place) {
    return Bytes.wrap(Arrays.copyOf(place.toArray(), Long.BYTES));
  }

  private static Bytes joined(Bytes prefix, Bytes key) {
    return new ByteWriter(64).raw(prefix.toArray()).raw(key.toArray()).toBytes();
  }

  /** Gives the place of a record, and adds its addresses as the index has them. */
  private static Bytes parse(Bytes value, List<Bytes> addresses) {
    ByteReader in = new ByteReader(value);
    in.version(1, "device");
    in.skip(2 * Long.BYTES);
    in.skip(in.varint(3) * 4 * Long.BYTES);
    ByteReader host = new ByteReader(in.bytes(MAX_BYTES));
    in.end();
    host.version(3, "place and addresses");
    Bytes place = new ByteWriter(16).int64(host.int64()).int64(host.int64()).toBytes();
    host.skip(Long.BYTES);
    for (int left = host.varint(8); left > 0; left--) {
      addresses.add(new ByteWriter(5).int8(4).int32(host.int32()).toBytes());
    }
    for (int left = host.varint(8); left > 0; left--) {
      addresses.add(ip6(host));
    }
    int shown = host.int32();
    if (shown != 0) {
      addresses.add(new ByteWriter(5).int8(4).int32(shown).toBytes());
    }
    if (host.flag()) {
      addresses.add(ip6(host));
    }
    host.end();
    return place;
  }

  private static Bytes ip6(ByteReader host) {
    return new ByteWriter(17).int8(6).int64(host.int64()).int64(host.int64()).toBytes();
  }

  private static void compare(
      String name, Map<Bytes, Bytes> expected, Map<Bytes, Bytes> found, List<String> wrong) {
    Map<String, String> lines = new TreeMap<>();
    expected.forEach(
        (key, value) -> {
          if (!Objects.equals(value, found.get(key))) {
            lines.put(key.toString(), "missing or wrong");
          }
        });
    found.keySet().stream()
        .filter(key -> !expected.containsKey(key))
        .forEach(key -> lines.put(key.toString(), "dangling"));
    lines.forEach((key, problem) -> wrong.add(name + ": " + key + " is " + problem));
  }
}
