package io.lockstep.store.codec;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Row;
import java.util.ArrayList;
import java.util.List;

/** Reads requests; the layout is at {@link RequestEncoder}. */
public final class RequestDecoder {
  /** A bound above any legal name. The state machine checks whether a name is legal. */
  private static final int MAX_NAME_BYTES = 1024;

  /** A bound above the number of tables or columns in any command. */
  private static final int MAX_NAMES = 4096;

  /** A bound above the number of commands or guards in a batch. */
  private static final int MAX_BATCH = 4096;

  private static final int MIN_OPERATION_BYTES = 2;
  private static final int MIN_GUARD_BYTES = 3;

  private RequestDecoder() {}

  /**
   * Reads a whole request of any version of the cluster that this release knows.
   *
   * @throws CodecException if {@code input} is not a request of version 1
   */
  public static Request decode(byte[] input) {
    return decode(input, Integer.MAX_VALUE);
  }

  /**
   * Reads a whole request. A command of a newer version of the cluster is refused, by the same
   * words as in a release that does not know it: replicas of both work side by side.
   *
   * @param version of the cluster
   * @throws CodecException if {@code input} is not a request of version 1
   */
  public static Request decode(byte[] input, int version) {
    int lastTag = RequestEncoder.lastTag(version);
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
      operations.add(new Request.Operation(operationId, command(in, lastTag)));
    }
    in.end();
    return new Request(sessionId, acknowledgedBelow, operations);
  }

  /**
   * Reads one command, as {@link RequestEncoder#command} wrote it.
   *
   * @throws CodecException if there is none of version 1
   */
  public static Command command(ByteReader in) {
    return command(in, RequestEncoder.lastTag(Integer.MAX_VALUE));
  }

  private static Command command(ByteReader in, int lastTag) {
    int at = in.offset();
    int tag = in.uint8();
    return tag == RequestEncoder.BATCH
        ? batch(in, lastTag)
        : command(in, known(tag, lastTag, at), at);
  }

  private static long operationId(ByteReader in) {
    int at = in.offset();
    long id = in.varint();
    if (id > Request.MAX_OPERATION_ID) {
      throw new CodecException(at, "an operation id of at most 62 bits, found " + id);
    }
    return id;
  }

  /** Reads a batch. A batch within it is refused, which bounds the depth of the recursion. */
  private static Command batch(ByteReader in, int lastTag) {
    int guardCount = in.count(MAX_BATCH, MIN_GUARD_BYTES);
    List<Command.Guard> guards = new ArrayList<>(guardCount);
    for (int i = 0; i < guardCount; i++) {
      guards.add(new Command.Guard(name(in), bytes(in), in.signed()));
    }
    int count = in.count(MAX_BATCH, 1);
    List<Command> commands = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int at = in.offset();
      int tag = in.uint8();
      if (tag == RequestEncoder.BATCH) {
        throw new CodecException(at, "no batch within a batch");
      }
      commands.add(command(in, known(tag, lastTag, at), at));
    }
    return new Command.Batch(guards, commands);
  }

  private static Command command(ByteReader in, int tag, int at) {
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
      case RequestEncoder.QUERY -> new Command.Query(name(in), bytes(in));
      case RequestEncoder.READ_CHANGES ->
          new Command.ReadChanges(names(in), in.signed(), in.signedInt());
      case RequestEncoder.OPEN_SESSION ->
          new Command.OpenSession(in.int64(), name(in), in.signedInt());
      case RequestEncoder.KEEP_ALIVE -> new Command.KeepAlive();
      case RequestEncoder.CLOSE_SESSION -> new Command.CloseSession(in.signed());
      case RequestEncoder.CREATE_TABLE ->
          new Command.CreateTable(name(in), TableSpecCodec.read(in));
      case RequestEncoder.GET_THROUGH -> new Command.GetThrough(name(in), bytes(in), names(in));
      case RequestEncoder.GET_COLUMNS -> new Command.GetColumns(name(in), bytes(in), names(in));
      case RequestEncoder.PUT_COLUMNS -> new Command.PutColumns(name(in), bytes(in), row(in));
      case RequestEncoder.REPLACE_COLUMNS ->
          new Command.ReplaceColumns(name(in), bytes(in), in.signed(), row(in));
      case RequestEncoder.REMOVE_COLUMNS ->
          new Command.RemoveColumns(name(in), bytes(in), names(in));
      default -> throw unknown(tag, at);
    };
  }

  private static int known(int tag, int lastTag, int at) {
    if (tag > lastTag) {
      throw unknown(tag, at);
    }
    return tag;
  }

  private static CodecException unknown(int tag, int at) {
    return new CodecException(
        at, "the tag of a command, found " + tag + ", perhaps of a newer version");
  }

  private static List<String> names(ByteReader in) {
    int count = in.count(MAX_NAMES, 1);
    List<String> names = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      names.add(name(in));
    }
    return names;
  }

  private static String name(ByteReader in) {
    return in.name(MAX_NAME_BYTES);
  }

  private static Row row(ByteReader in) {
    return RowCodec.read(in, MAX_NAMES, MAX_NAME_BYTES);
  }

  private static Bytes bytes(ByteReader in) {
    return in.bytes(Request.MAX_BYTES);
  }
}
