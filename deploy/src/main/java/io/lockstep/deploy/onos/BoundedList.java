package io.lockstep.deploy.onos;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;

/**
 * Builds an object with one list, bounded in bytes. ONOS has no pages. A list that is not whole
 * ends with {@code "complete": false}; a whole one is just as ONOS writes it. Used by one thread.
 */
final class BoundedList {
  /** Of an answer. */
  static final int MAX_BYTES = 4 << 20;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final int mostBytes;
  private boolean begun;

  private BoundedList(String name, int mostBytes) {
    this.mostBytes = mostBytes;
    out.writeBytes(("{\"" + name + "\":[").getBytes(StandardCharsets.UTF_8));
  }

  /** All items, as far as they fit. */
  static <T> OnosAnswer of(String name, Iterable<T> items, Function<T, ? extends JsonNode> encode) {
    return of(name, items, encode, MAX_BYTES);
  }

  /**
   * The same.
   *
   * @param mostBytes of the answer, apart from its end
   */
  static <T> OnosAnswer of(
      String name, Iterable<T> items, Function<T, ? extends JsonNode> encode, int mostBytes) {
    BoundedList list = new BoundedList(name, mostBytes);
    for (T item : items) {
      if (!list.add(OnosAnswer.bytes(encode.apply(item)))) {
        return list.end("],\"complete\":false}");
      }
    }
    return list.end("]}");
  }

  private boolean add(byte[] item) {
    if (out.size() + item.length + 1 > mostBytes) {
      return false;
    }
    if (begun) {
      out.write(',');
    }
    begun = true;
    out.writeBytes(item);
    return true;
  }

  private OnosAnswer end(String text) {
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    return new OnosAnswer(200, Map.of(), out.toByteArray());
  }
}
