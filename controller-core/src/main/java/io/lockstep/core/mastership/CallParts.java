package io.lockstep.core.mastership;

import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.typed.Codec;
import java.util.ArrayList;
import java.util.List;

/**
 * The argument of a micro component that carries several calls out as one operation ({@link
 * GatheredCalls}): format (1 byte), the number of parts, and for each its length and bytes.
 *
 * @param what the parts are, for people
 * @param format of the argument
 * @param most parts in one operation
 * @param mostBytes of all parts in one operation
 */
public record CallParts(String what, int format, int most, int mostBytes) {

  /** Encodes and decodes such arguments; refuses to encode what is beyond a bound. */
  public Codec<List<Bytes>> codec() {
    return Codec.of(this::encode, this::decode);
  }

  /** Reads up to the number of the parts. */
  ByteReader open(Bytes argument) {
    ByteReader in = new ByteReader(argument);
    in.version(format, what);
    return in;
  }

  private Bytes encode(List<Bytes> parts) {
    int bytes = parts.stream().mapToInt(Bytes::length).sum();
    if (parts.size() > most || bytes > mostBytes) {
      throw new IllegalArgumentException(
          parts.size()
              + " "
              + what
              + " of "
              + bytes
              + " bytes in one operation, allowed are "
              + most
              + " of "
              + mostBytes);
    }
    ByteWriter out = new ByteWriter(bytes + 4 * parts.size() + 8).int8(format);
    out.varint(parts.size());
    parts.forEach(out::bytes);
    return out.toBytes();
  }

  private List<Bytes> decode(Bytes argument) {
    ByteReader in = open(argument);
    int count = in.count(most, 1);
    List<Bytes> parts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      parts.add(in.bytes(mostBytes));
    }
    in.end();
    return parts;
  }
}
