package io.lockstep.store.typed;

import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.CodecException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** Writes values of one type as bytes and reads them back. Pure and thread-safe. */
public interface Codec<T> {

  /** The bytes of {@code value}; equal values must give equal bytes where they are keys. */
  Bytes encode(T value);

  /**
   * The value that {@link #encode} wrote.
   *
   * @throws CodecException or another unchecked exception where the bytes are none of its own
   */
  T decode(Bytes bytes);

  /** Of two functions, the second as strict as {@link #decode}. */
  static <T> Codec<T> of(Function<T, Bytes> encode, Function<Bytes, T> decode) {
    return new Codec<>() {
      @Override
      public Bytes encode(T value) {
        return encode.apply(value);
      }

      @Override
      public T decode(Bytes bytes) {
        return decode.apply(bytes);
      }
    };
  }

  /** The bytes themselves, so every entry of the store can be read. */
  static Codec<Bytes> bytes() {
    return of(Function.identity(), Function.identity());
  }

  /** Text as UTF-8; refuses bytes that are not. */
  static Codec<String> utf8() {
    return of(Bytes::utf8, Codec::text);
  }

  /** A number as 8 bytes, big-endian: what a counter of the store is. */
  static Codec<Long> int64() {
    return of(
        number -> new ByteWriter(Long.BYTES).int64(number).toBytes(),
        bytes -> {
          ByteReader in = new ByteReader(bytes);
          long number = in.int64();
          in.end();
          return number;
        });
  }

  private static String text(Bytes bytes) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toArray()))
          .toString();
    } catch (CharacterCodingException malformed) {
      throw new CodecException(0, "UTF-8, found " + bytes.length() + " bytes that are not");
    }
  }
}
