package io.lockstep.core.trace;

import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.TableSpecCodec;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a trace begins with.
 *
 * @param node that recorded it
 * @param cluster of the node
 * @param version of Lockstep
 * @param startedMillis when it began, in milliseconds since 1970; all times of records count from
 *     there
 * @param tables that the node declares, for a replay
 */
public record TraceHeader(
    String node,
    String cluster,
    String version,
    long startedMillis,
    Map<String, TableSpec> tables) {
  private static final int MAX_TEXT_BYTES = 1 << 10;
  private static final int MAX_TABLES = 1 << 12;
  private static final int MIN_TABLE_BYTES = 2;

  public TraceHeader {
    tables = Map.copyOf(tables);
  }

  byte[] encode() {
    ByteWriter out = new ByteWriter(1024);
    out.utf8(node).utf8(cluster).utf8(version).varint(startedMillis).varint(tables.size());
    new TreeMap<>(tables).forEach((name, spec) -> TableSpecCodec.write(out.utf8(name), spec));
    return out.toArray();
  }

  static TraceHeader decode(byte[] octets) {
    ByteReader in = new ByteReader(octets);
    String node = in.utf8(MAX_TEXT_BYTES);
    String cluster = in.utf8(MAX_TEXT_BYTES);
    String version = in.utf8(MAX_TEXT_BYTES);
    long startedMillis = in.varint();
    int count = in.count(MAX_TABLES, MIN_TABLE_BYTES);
    Map<String, TableSpec> tables = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      tables.put(in.utf8(MAX_TEXT_BYTES), TableSpecCodec.read(in));
    }
    in.end();
    return new TraceHeader(node, cluster, version, startedMillis, tables);
  }
}
