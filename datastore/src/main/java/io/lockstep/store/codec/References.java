package io.lockstep.store.codec;

import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists of keys as bytes, the values of a table of references: the number of keys (varint), then
 * each with its length before it, every number as short as it can be. So equal lists are equal
 * bytes.
 */
public final class References {
  /** Keys in one list, at most. */
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
   * @throws CodecException where it is no list of keys
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

  /** How many keys a list has. */
  public static int size(Bytes value) {
    return count(new ByteReader(value));
  }

  /** What is wrong with {@code value} as a list of keys, or null where nothing is. */
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
