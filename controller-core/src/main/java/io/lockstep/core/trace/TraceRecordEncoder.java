package io.lockstep.core.trace;

import io.lockstep.store.codec.ByteWriter;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes the records of one trace, one after the other: strings once, times and numbers of events
 * as differences to the record before. Not thread-safe.
 */
final class TraceRecordEncoder {
  /** The most bytes of a record besides its request and reply. */
  static final int MAX_OVERHEAD_BYTES = 128 + 2 * TraceFormat.MAX_STRING_BYTES;

  private final Map<String, Integer> strings = new HashMap<>();
  private long lastMicros;
  private long lastEvent;

  /** The most bytes that a record takes. */
  static int mostBytes(TraceRecord record) {
    return record instanceof TraceRecord.OperationAnswered operation
        ? MAX_OVERHEAD_BYTES + operation.request().length() + operation.reply().length()
        : MAX_OVERHEAD_BYTES;
  }

  void write(ByteWriter out, TraceRecord record) {
    if (record instanceof TraceRecord.EventBegun r) {
      begin(out, TraceFormat.EVENT_BEGUN, record);
      event(out, r.event());
      string(out, r.application());
      string(out, r.kind());
      out.signed(r.dpid()).varint(r.port() + 1);
    } else if (record instanceof TraceRecord.OperationAnswered r) {
      operation(out, r);
    } else if (record instanceof TraceRecord.EventEnded r) {
      begin(out, TraceFormat.EVENT_ENDED, record);
      event(out, r.event());
      string(out, r.outcome());
    } else if (record instanceof TraceRecord.RecordsLost r) {
      begin(out, TraceFormat.RECORDS_LOST, record);
      out.varint(r.records());
    } else if (record instanceof TraceRecord.TraceEnded r) {
      begin(out, TraceFormat.TRACE_ENDED, record);
      string(out, r.reason());
      out.varint(r.events()).varint(r.operations()).varint(r.lost()).varint(r.earlier());
    } else {
      throw new IllegalArgumentException("no encoding for " + record);
    }
  }

  private void operation(ByteWriter out, TraceRecord.OperationAnswered record) {
    boolean core = record.event() == TraceRecord.OperationAnswered.CORE;
    begin(out, core ? TraceFormat.OPERATION_OF_CORE : TraceFormat.OPERATION_OF_EVENT, record);
    if (core) {
      string(out, record.cause());
    } else {
      event(out, record.event());
    }
    out.signed(record.micros() - record.askedMicros());
    out.bytes(record.request()).bytes(record.reply());
  }

  private void begin(ByteWriter out, int tag, TraceRecord record) {
    out.int8(tag).signed(record.micros() - lastMicros);
    lastMicros = record.micros();
  }

  private void event(ByteWriter out, long event) {
    out.signed(event - lastEvent);
    lastEvent = event;
  }

  private void string(ByteWriter out, String text) {
    Integer known = strings.get(text);
    if (known != null) {
      out.varint(known);
      return;
    }
    out.varint(0).utf8(text);
    if (strings.size() < TraceFormat.MAX_STRINGS) {
      strings.put(text, strings.size() + 1);
    }
  }
}
