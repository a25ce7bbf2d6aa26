package io.lockstep.core.flow.placed;

import com.google.common.hash.Hashing;
import io.lockstep.core.flow.entry.HeaderSpace;
import io.lockstep.core.flow.entry.SelectorCodec;
import io.lockstep.core.flow.entry.SelectorFromMatch;
import io.lockstep.placer.RuleKey;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * Key of a placed rule in the store: the switch, and a hash of priority and match that is the same
 * on every node. Two of a switch's rules share one of the 2^64 hashes never in practice.
 */
record RowKey(long dpid, long hash) {

  static RowKey of(long dpid, RuleKey key) {
    return new RowKey(dpid, hash(key));
  }

  /** A hash of priority and match. */
  static long hash(RuleKey key) {
    ByteWriter out = new ByteWriter(64);
    writeKey(key, out);
    return Hashing.murmur3_128().hashBytes(out.toArray()).asLong();
  }

  /** A hash of priority, match and treatment. */
  static long hash(RuleKey key, Bytes treatment) {
    ByteWriter out = new ByteWriter(96);
    writeKey(key, out);
    out.bytes(treatment);
    return Hashing.murmur3_128().hashBytes(out.toArray()).asLong();
  }

  static void writeKey(RuleKey key, ByteWriter out) {
    out.int32(key.priority());
    SelectorCodec.write(SelectorFromMatch.of(key.match()), out);
  }

  static RuleKey readKey(ByteReader in) {
    int priority = in.int32();
    try {
      return new RuleKey(priority, HeaderSpace.match(SelectorCodec.read(in)));
    } catch (HeaderSpace.Inexpressible e) {
      throw new IllegalArgumentException("a placed rule with " + e.getMessage(), e);
    }
  }

  Bytes encode() {
    return new ByteWriter(16).int64(dpid).int64(hash).toBytes();
  }

  static RowKey decode(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    RowKey key = new RowKey(in.int64(), in.int64());
    in.end();
    return key;
  }
}
