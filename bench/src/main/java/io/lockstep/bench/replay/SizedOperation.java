package io.lockstep.bench.replay;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.ResponseEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A command whose request and reply have the sizes of a message. Where that is not possible, since
 * a command has a shortest form, it is the nearest longer one.
 *
 * @param command that is sent
 * @param stored what must be in the store before, or null
 * @param expected the kind of its reply
 */
record SizedOperation(
    Command command, Command.@Nullable Put stored, Class<? extends Reply> expected) {
  /** A reply to a put has its version, so that it has this many bytes at most. */
  static final int PUT_REPLY_BYTES = 8;

  /** Of versions in the middle of a run, so that their length is the usual one. */
  private static final long USUAL_VERSION = 100_000;

  private static final int KEY_CHARACTERS = 2;

  /**
   * An operation on one of the keys.
   *
   * @param table holds values
   * @param key from 0 to {@link MessageReplay#KEYS} - 1
   */
  static SizedOperation of(Message message, String table, int key) {
    if (!message.isWrite()) {
      return read(message, table, key);
    }
    return message.replyBytes() <= PUT_REPLY_BYTES
        ? put(message, table, key)
        : call(message, table, key);
  }

  private static SizedOperation read(Message message, String table, int key) {
    int length = KEY_CHARACTERS;
    int shortest = bytes(new Command.Get(table, name(key, length)));
    length += Math.max(0, message.requestBytes() - shortest);
    while (length > KEY_CHARACTERS
        && bytes(new Command.Get(table, name(key, length))) > message.requestBytes()) {
      length--;
    }
    Command.Get get = new Command.Get(table, name(key, length));
    if (message.replyBytes() == 0) {
      return new SizedOperation(get, null, Reply.Absent.class);
    }
    int value = 0;
    value += Math.max(0, message.replyBytes() - bytes(found(value)));
    while (value > 0 && bytes(found(value)) > message.replyBytes()) {
      value--;
    }
    return new SizedOperation(
        get, new Command.Put(table, get.key(), filled(value)), Reply.Found.class);
  }

  private static Reply found(int valueBytes) {
    return new Reply.Found(filled(valueBytes), USUAL_VERSION);
  }

  private static SizedOperation put(Message message, String table, int key) {
    int value = Math.max(0, message.requestBytes() - bytes(put(table, key, 0)));
    while (value > 0 && bytes(put(table, key, value)) > message.requestBytes()) {
      value--;
    }
    return new SizedOperation(put(table, key, value), null, Reply.Applied.class);
  }

  private static Command put(String table, int key, int valueBytes) {
    return new Command.Put(table, name(key, KEY_CHARACTERS), filled(valueBytes));
  }

  private static SizedOperation call(Message message, String table, int key) {
    Bytes name = name(key, KEY_CHARACTERS);
    int result = message.replyBytes();
    while (result > 0 && bytes(new Reply.Returned(filled(result))) > message.replyBytes()) {
      result--;
    }
    int shortest = bytes(WriteAndReturn.command(table, name, result, Bytes.empty()));
    int value = Math.max(0, message.requestBytes() - shortest);
    while (value > 0
        && bytes(WriteAndReturn.command(table, name, result, filled(value)))
            > message.requestBytes()) {
      value--;
    }
    return new SizedOperation(
        WriteAndReturn.command(table, name, result, filled(value)), null, Reply.Returned.class);
  }

  /** Two characters that say which key it is, and padding. */
  private static Bytes name(int key, int length) {
    char[] name = new char[length];
    Arrays.fill(name, '-');
    name[0] = Character.forDigit(key / 32, 32);
    name[1] = Character.forDigit(key % 32, 32);
    return Bytes.wrap(new String(name).getBytes(StandardCharsets.US_ASCII));
  }

  private static Bytes filled(int bytes) {
    byte[] value = new byte[bytes];
    Arrays.fill(value, (byte) 'v');
    return Bytes.wrap(value);
  }

  /** The bytes of a command with its number within a request. */
  static int bytes(Command command) {
    ByteWriter out = new ByteWriter(256);
    RequestEncoder.operation(out, 1, command);
    return out.size();
  }

  /** The bytes of a reply within its response. */
  static int bytes(Reply reply) {
    ByteWriter out = new ByteWriter(256);
    ResponseEncoder.reply(out, reply);
    return out.size();
  }
}
