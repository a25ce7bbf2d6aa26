package io.lockstep.bench.replay;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.CodecException;

/** Micro component {@code replay.write}: writes an entry and returns as many bytes as asked for. */
public final class WriteAndReturn implements MicroComponent {
  private static final String NAME = "replay.write";
  private static final int MOST_NAME_BYTES = 64;
  private static final int MOST_KEY_BYTES = 64;

  /** The call. */
  static Command command(String table, Bytes key, int returned, Bytes value) {
    return new Command.Call(
        NAME,
        new ByteWriter(64 + value.length())
            .utf8(table)
            .bytes(key)
            .varint(returned)
            .bytes(value)
            .toBytes());
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
      int returned = in.varint(Message.MOST_BYTES);
      Bytes value = in.bytes(Message.MOST_BYTES);
      in.end();
      transaction.put(table, key, value);
      return Bytes.wrap(new byte[returned]);
    } catch (CodecException e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    }
  }
}
