package io.lockstep.store.codec;

import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes lists of keys, the values of a table of references: the number of keys
 * (varint), then each key after its length, every number in its shortest form. So equal lists have
 * equal bytes.
 */
public final class References {
  /** The most keys in one list. */
  public static final int MAX_KEYS = 10_000;

  private static final int MAX_KEY_BYTES = 1 << 10;

  private References() {}

  /** The bytes of a list of keys. */
  public static Bytes of(Bytes... keys) {
    return encode(List.of(keys));
  }

  /** The bytes of a list of keys. */
  public static Bytes encode(List<Bytes> keys) {
    ByteWriter out = new ByteWriter(64).varint(keys.size());
    keys.forEach(out::bytes);
    return out.toBytes();
  }

  /**
   * The keys that a value of a table of references stands for.
   *
   * @throws CodecException if it is no list of keys
   */
  public static List<Bytes> decode(Bytes value) {
    ByteReader in = new ByteReader(value);
    int count = count(in);
    List<Bytes> keys = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      keys.add(in.bytes(MAX_KEY_BYTES));
    }
    in.end();
    return keys;
  }

  /** The number of keys in a list. */
  public static int size(Bytes value) {
    return count(new ByteReader(value));
  }

  /** Why {@code value} is no list of keys, or null if it is one. */
  public static @Nullable String violation(Bytes value) {
    try {
      ByteReader in = new ByteReader(value);
      for (int left = count(in); left > 0; left--) {
        in.skip(in.shortestVarint(MAX_KEY_BYTES));
      }
      in.end();
      return null;
    } catch (CodecException malformed) {
      return malformed.getMessage();
    }
  }

  private static int count(ByteReader in) {
    int count = in.shortestVarint(MAX_KEYS);
    if (count > in.remaining()) {
      throw new CodecException(0, count + " keys, " + in.remaining() + " bytes are left");
    }
    return count;
  }
}
