package io.lockstep.bench.compare;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The bytes of an operation and of its answer, for peers whose procedures take bytes. Layout: a tag
 * (1 byte), then strings with lengths of 1 (table) or 2 bytes (key) and values with lengths of 2.
 */
public final class OperationCodec {
  private static final int GET = 1;
  private static final int PUT = 2;
  private static final int REPLACE = 3;
  private static final int INCREMENT = 4;
  private static final int CALL = 16;
  private static final Procedure[] PROCEDURES = Procedure.values();

  private OperationCodec() {}

  /** The bytes of an operation that peers are asked. */
  public static byte[] encode(Operation operation) {
    if (operation instanceof Operation.Get get) {
      return entry(GET, get.table(), get.key(), 0).array();
    } else if (operation instanceof Operation.Put put) {
      return value(entry(PUT, put.table(), put.key(), 2 + put.value().length), put.value()).array();
    } else if (operation instanceof Operation.ReplaceValue replace) {
      byte[] expected = replace.expected();
      int more = 4 + expected.length + replace.value().length;
      ByteBuffer out = entry(REPLACE, replace.table(), replace.key(), more);
      return value(value(out, expected), replace.value()).array();
    } else if (operation instanceof Operation.Increment increment) {
      return entry(INCREMENT, increment.table(), increment.key(), 0).array();
    } else if (operation instanceof Operation.Call call) {
      int length = 7 + call.key().length() + call.other().length() + call.value().length;
      ByteBuffer out = ByteBuffer.allocate(length);
      out.put((byte) (CALL + call.procedure().code()));
      key(key(out, call.key()), call.other());
      return value(out, call.value()).array();
    }
    throw new IllegalArgumentException("peers are not asked " + operation);
  }

  /** Reads what {@link #encode} wrote. */
  public static Operation decode(ByteBuffer in) {
    int tag = in.get();
    if (tag >= CALL) {
      return new Operation.Call(PROCEDURES[tag - CALL], key(in), key(in), value(in));
    }
    String table = text(in, in.get());
    String key = key(in);
    return switch (tag) {
      case GET -> new Operation.Get(table, key);
      case PUT -> new Operation.Put(table, key, value(in));
      case REPLACE -> new Operation.ReplaceValue(table, key, value(in), value(in));
      case INCREMENT -> new Operation.Increment(table, key);
      default -> throw new IllegalArgumentException("tag " + tag);
    };
  }

  /** The bytes of an answer: 0 for nothing, 1 for done, 2 and a counter, 3 and a value. */
  public static byte[] encode(Answer answer) {
    byte[] found = answer.value();
    if (found != null) {
      return ByteBuffer.allocate(1 + found.length).put((byte) 3).put(found).array();
    } else if (answer.number() != 0) {
      return ByteBuffer.allocate(9).put((byte) 2).putLong(answer.number()).array();
    }
    return new byte[] {(byte) (answer.done() ? 1 : 0)};
  }

  /** Reads what {@link #encode(Answer)} wrote. */
  public static Answer answer(ByteBuffer in) {
    return switch (in.get()) {
      case 0 -> Answer.nothing();
      case 1 -> Answer.written();
      case 2 -> Answer.counter(in.getLong());
      default -> {
        byte[] value = new byte[in.remaining()];
        in.get(value);
        yield new Answer(true, value, Map.of(), 0);
      }
    };
  }

  private static ByteBuffer entry(int tag, String table, String key, int more) {
    ByteBuffer out = ByteBuffer.allocate(4 + table.length() + key.length() + more);
    out.put((byte) tag).put((byte) table.length());
    out.put(table.getBytes(StandardCharsets.ISO_8859_1));
    return key(out, key);
  }

  private static ByteBuffer key(ByteBuffer out, String key) {
    return out.putShort((short) key.length()).put(key.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static ByteBuffer value(ByteBuffer out, byte[] value) {
    return out.putShort((short) value.length).put(value);
  }

  private static String key(ByteBuffer in) {
    return text(in, in.getShort());
  }

  private static String text(ByteBuffer in, int length) {
    byte[] text = new byte[length];
    in.get(text);
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  private static byte[] value(ByteBuffer in) {
    byte[] value = new byte[in.getShort()];
    in.get(value);
    return value;
  }
}
