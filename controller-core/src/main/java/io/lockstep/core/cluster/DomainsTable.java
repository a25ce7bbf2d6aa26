package io.lockstep.core.cluster;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The table {@code cluster.domains}. Under {@link #CURRENT} is the version in force, under {@link
 * #NEXT} the one that replaces it as soon as all living nodes follow. A record of a newer format is
 * read as one that is not {@link StoredDomains#readable}.
 */
public final class DomainsTable implements RecordCodec<String, StoredDomains> {

  /** The table's name. */
  public static final String NAME = "cluster.domains";

  /** Key of the version in force. */
  public static final String CURRENT = "current";

  /** Key of the version on its way. */
  public static final String NEXT = "next";

  /** The format that this release reads and writes. */
  static final int FORMAT = 1;

  private static final int MAX_NAME_BYTES = 64;
  private static final int RANGE_BYTES = 2 * Long.BYTES;

  @Override
  public Bytes encodeKey(String key) {
    return Bytes.utf8(key);
  }

  @Override
  public String decodeKey(Bytes bytes) {
    return bytes.toUtf8();
  }

  @Override
  public Bytes encodeValue(StoredDomains domains) {
    ByteWriter out =
        new ByteWriter().int8(FORMAT).int64(domains.version()).int64(domains.epochFloor());
    write(out, domains.map());
    return out.toBytes();
  }

  @Override
  public StoredDomains decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    int format = in.uint8();
    if (format > FORMAT) {
      return new StoredDomains(format, 0, 0, DomainMap.EMPTY);
    }
    in = new ByteReader(bytes);
    in.version(FORMAT, "domains");
    StoredDomains domains = new StoredDomains(format, in.int64(), in.int64(), read(in));
    in.end();
    return domains;
  }

  /** The version of an encoded record, read without its map; -1 where its format is newer. */
  public static long versionOf(Bytes value) {
    ByteReader in = new ByteReader(value);
    return in.uint8() > FORMAT ? -1 : in.int64();
  }

  /** Writes a map; it takes at most {@link DomainMap#MAX_BYTES}. */
  public static void write(ByteWriter out, DomainMap map) {
    out.varint(map.domains().size());
    for (DomainConfig domain : map.domains()) {
      out.utf8(domain.name()).varint(domain.preferredMasters().size());
      domain.preferredMasters().forEach(out::utf8);
      out.varint(domain.dpids().size());
      domain.dpids().forEach(range -> out.int64(range.first()).int64(range.last()));
    }
  }

  /** Reads a map and checks it; throws an unchecked exception where it is none. */
  public static DomainMap read(ByteReader in) {
    int count = in.count(DomainMap.MAX_DOMAINS, 3);
    List<DomainConfig> domains = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String name = in.utf8(MAX_NAME_BYTES);
      int preferred = in.count(DomainMap.MAX_MASTERS, 1);
      List<String> masters = new ArrayList<>(preferred);
      for (int j = 0; j < preferred; j++) {
        masters.add(in.utf8(MAX_NAME_BYTES));
      }
      int ranges = in.count(DomainMap.MAX_RANGES, RANGE_BYTES);
      List<DpidRange> dpids = new ArrayList<>(ranges);
      for (int j = 0; j < ranges; j++) {
        dpids.add(new DpidRange(in.int64(), in.int64()));
      }
      domains.add(new DomainConfig(name, dpids, masters));
    }
    return DomainMap.of(domains);
  }
}
