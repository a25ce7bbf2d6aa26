package io.lockstep.store.codec;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import java.util.ArrayList;
import java.util.List;

/** Reads requests; the layout is at {@link RequestEncoder}. */
public final class RequestDecoder {
  /** Longer than any legal name; whether a name is legal is for the state machine to say. */
  private static final int MAX_NAME_BYTES = 1024;

  private static final int MAX_TABLES = 1024;
  private static final int MIN_OPERATION_BYTES = 2;

  private RequestDecoder() {}

  /**
   * Reads a whole request.
   *
   * @throws CodecException where {@code input} is not a request of version 1
   */
  public static Request decode(byte[] input) {
    if (input.length > Request.MAX_BYTES) {
      throw new CodecException(0, "a request of at most " + Request.MAX_BYTES + " bytes");
    }
    ByteReader in = new ByteReader(input);
    in.version(RequestEncoder.VERSION, "a request");
    long sessionId = in.int64();
    long acknowledgedBelow = operationId(in);
    int count = in.count(Request.MAX_OPERATIONS, MIN_OPERATION_BYTES);
    List<Request.Operation> operations = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long operationId = operationId(in);
      operations.add(new Request.Operation(operationId, command(in)));
    }
    in.end();
    return new Request(sessionId, acknowledgedBelow, operations);
  }

  private static long operationId(ByteReader in) {
    int at = in.offset();
    long id = in.varint();
    if (id > Request.MAX_OPERATION_ID) {
      throw new CodecException(at, "an operation id of at most 62 bits, found " + id);
    }
    return id;
  }

  private static Command command(ByteReader in) {
    int at = in.offset();
    int tag = in.uint8();
    return switch (tag) {
      case RequestEncoder.GET -> new Command.Get(name(in), bytes(in));
      case RequestEncoder.PUT -> new Command.Put(name(in), bytes(in), bytes(in));
      case RequestEncoder.PUT_IF_ABSENT -> new Command.PutIfAbsent(name(in), bytes(in), bytes(in));
      case RequestEncoder.REPLACE ->
          new Command.Replace(name(in), bytes(in), in.signed(), bytes(in));
      case RequestEncoder.REMOVE -> new Command.Remove(name(in), bytes(in));
      case RequestEncoder.REMOVE_VERSION ->
          new Command.RemoveVersion(name(in), bytes(in), in.signed());
      case RequestEncoder.SCAN ->
          new Command.Scan(name(in), bytes(in), in.flag() ? bytes(in) : null, in.signedInt());
      case RequestEncoder.INCREMENT -> new Command.Increment(name(in), bytes(in), in.signed());
      case RequestEncoder.CALL -> new Command.Call(name(in), bytes(in));
      case RequestEncoder.READ_CHANGES ->
          new Command.ReadChanges(names(in), in.signed(), in.signedInt());
      case RequestEncoder.OPEN_SESSION ->
          new Command.OpenSession(in.int64(), name(in), in.signedInt());
      case RequestEncoder.KEEP_ALIVE -> new Command.KeepAlive();
      case RequestEncoder.CLOSE_SESSION -> new Command.CloseSession(in.signed());
      case RequestEncoder.CREATE_TABLE ->
          new Command.CreateTable(name(in), TableSpecCodec.read(in));
      default ->
          throw new CodecException(
              at, "the tag of a command, found " + tag + ", perhaps of a newer version");
    };
  }

  private static List<String> names(ByteReader in) {
    int count = in.count(MAX_TABLES, 1);
    List<String> names = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      names.add(name(in));
    }
    return names;
  }

  private static String name(ByteReader in) {
    return in.utf8(MAX_NAME_BYTES);
  }

  private static Bytes bytes(ByteReader in) {
    return in.bytes(Request.MAX_BYTES);
  }
}
