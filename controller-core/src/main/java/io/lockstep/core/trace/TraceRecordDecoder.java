package io.lockstep.core.trace;

import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.CodecException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what {@link TraceRecordEncoder} wrote, from the first record on. Bounds are checked before
 * memory is allocated. Not thread-safe.
 */
final class TraceRecordDecoder {
  private final List<String> strings = new ArrayList<>();
  private long lastMicros;
  private long lastEvent;

  /**
   * Reads one record.
   *
   * @throws CodecException where there is none
   */
  TraceRecord read(ByteReader in) {
    int at = in.offset();
    int tag = in.uint8();
    long micros = lastMicros + in.signed();
    lastMicros = micros;
    return switch (tag) {
      case TraceFormat.EVENT_BEGUN ->
          new TraceRecord.EventBegun(
              event(in), string(in), string(in), in.signed(), in.varint() - 1, micros);
      case TraceFormat.OPERATION_OF_EVENT -> operation(in, event(in), "", micros);
      case TraceFormat.OPERATION_OF_CORE ->
          operation(in, TraceRecord.OperationAnswered.CORE, string(in), micros);
      case TraceFormat.EVENT_ENDED -> new TraceRecord.EventEnded(event(in), string(in), micros);
      case TraceFormat.RECORDS_LOST -> new TraceRecord.RecordsLost(in.varint(), micros);
      case TraceFormat.TRACE_ENDED ->
          new TraceRecord.TraceEnded(
              string(in), micros, in.varint(), in.varint(), in.varint(), in.varint());
      default -> throw new CodecException(at, "the tag of a record, found " + tag);
    };
  }

  private static TraceRecord operation(ByteReader in, long event, String cause, long micros) {
    return new TraceRecord.OperationAnswered(
        event,
        cause,
        micros - in.signed(),
        micros,
        in.bytes(TraceFormat.MAX_BLOCK_BYTES),
        in.bytes(TraceFormat.MAX_BLOCK_BYTES));
  }

  private long event(ByteReader in) {
    int at = in.offset();
    lastEvent += in.signed();
    if (lastEvent <= 0) {
      throw new CodecException(at, "the number of an event, found " + lastEvent);
    }
    return lastEvent;
  }

  private String string(ByteReader in) {
    int at = in.offset();
    int number = in.varint(TraceFormat.MAX_STRINGS);
    if (number > strings.size()) {
      throw new CodecException(at, "one of " + strings.size() + " strings, found " + number);
    }
    if (number > 0) {
      return strings.get(number - 1);
    }
    String text = in.utf8(TraceFormat.MAX_STRING_BYTES);
    if (strings.size() < TraceFormat.MAX_STRINGS) {
      strings.add(text);
    }
    return text;
  }
}
