package io.lockstep.bench.variant;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.CodecException;

/**
 * Micro component {@code replace}: replaces a value where it is still the same, as the paper's
 * first variants do. The store itself compares versions. Argument: table, key, expected value,
 * value; answers 1 or 0.
 */
public record ReplaceByValue() implements MicroComponent {
  /** The component's name. */
  public static final String NAME = "replace";

  private static final int MOST_NAME_BYTES = 64;
  private static final int MOST_KEY_BYTES = 1024;
  private static final int MOST_VALUE_BYTES = 1 << 20;
  private static final Bytes YES = Bytes.copyOf((byte) 1);
  private static final Bytes NO = Bytes.copyOf((byte) 0);

  /** The call that replaces a value. */
  public static Command command(String table, Bytes key, Bytes expected, Bytes value) {
    ByteWriter argument = new ByteWriter(64 + 2 * value.length());
    argument.utf8(table).bytes(key).bytes(expected).bytes(value);
    return new Command.Call(NAME, argument.toBytes());
  }

  /** Whether the result says that the value was replaced. */
  public static boolean isReplaced(Bytes result) {
    return result.equals(YES);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    try {
      ByteReader in = new ByteReader(argument);
      String table = in.utf8(MOST_NAME_BYTES);
      Bytes key = in.bytes(MOST_KEY_BYTES);
      Bytes expected = in.bytes(MOST_VALUE_BYTES);
      Bytes value = in.bytes(MOST_VALUE_BYTES);
      in.end();
      Entry entry = transaction.get(table, key);
      if (entry == null || !entry.value().equals(expected)) {
        return NO;
      }
      transaction.put(table, key, value);
      return YES;
    } catch (CodecException e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    }
  }
}
