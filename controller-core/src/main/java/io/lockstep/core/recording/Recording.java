package io.lockstep.core.recording;

import io.lockstep.core.recording.RecordingStatus.State;
import io.lockstep.core.trace.TraceRecord;
import io.lockstep.core.trace.TraceWriter;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.ResponseEncoder;
import io.lockstep.store.codec.ResponseWeight;
import io.lockstep.store.core.CauseNames;
import io.lockstep.store.logging.BoundedLog;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One trace while it is recorded. Any thread adds records, which never waits: what exceeds {@link
 * #QUEUE_BYTES} is counted and left out. A thread of its own encodes and writes them.
 */
public final class Recording {
  /** Of what waits for the writer, about. */
  static final long QUEUE_BYTES = 8 << 20;

  /** Free bytes of the disk below which it stops: a replica halts on a full one. */
  public static final long MIN_FREE_BYTES = 256L << 20;

  private static final BoundedLog log = BoundedLog.of(Recording.class);

  /** Whose lines are bounded together. */
  private static final String RECORDER = "recorder";

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** A process that is killed loses what is younger. */
  private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long STOP_MILLIS = 2_000;

  /** Of a record's objects, beside commands and replies. */
  private static final int RECORD_BYTES = 160;

  private static final int RECORDS_IN_A_STEP = 1 << 14;

  private final TraceWriter writer;
  private final CauseNames causes;
  private final LongSupplier nanoTime;
  private final FreeSpace disk;
  private final Consumer<Recording> onEnd;
  private final long startNanos;
  private final Thread thread;
  private final ConcurrentLinkedQueue<Waiting> queue = new ConcurrentLinkedQueue<>();
  private final AtomicLong queuedBytes = new AtomicLong();
  private final AtomicLong events = new AtomicLong();
  private final LongAdder operations = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder earlier = new LongAdder();
  private volatile boolean stopping;
  private volatile State state = State.RECORDING;
  private volatile String detail = "";

  // Owned by the writing thread.
  private final ByteWriter scratch = new ByteWriter(256);
  private long lostWritten;
  private long flushedNanos;

  /** How many bytes the disk of the trace has free. */
  @FunctionalInterface
  public interface FreeSpace {
    long bytes() throws IOException;
  }

  /** A record on its way to the writer, which encodes it. */
  private interface Waiting {
    int bytes();

    TraceRecord record();
  }

  private record Small(TraceRecord record) implements Waiting {
    @Override
    public int bytes() {
      return RECORD_BYTES;
    }
  }

  private final class Answered implements Waiting {
    private final long event;
    private final Command command;
    private final @Nullable Reply reply;
    private final long askedMicros;
    private final long micros;
    private final int bytes;

    private Answered(
        long event, Command command, @Nullable Reply reply, long askedMicros, long micros) {
      this.event = event;
      this.command = command;
      this.reply = reply;
      this.askedMicros = askedMicros;
      this.micros = micros;
      long weight = RECORD_BYTES;
      weight += RequestEncoder.sizeHint(command);
      weight += reply == null ? 0 : ResponseWeight.of(reply);
      this.bytes = (int) Math.min(weight, Integer.MAX_VALUE);
    }

    @Override
    public int bytes() {
      return bytes;
    }

    @Override
    public TraceRecord record() {
      scratch.clear();
      RequestEncoder.command(scratch, command);
      Bytes request = scratch.toBytes();
      scratch.clear();
      if (reply != null) {
        ResponseEncoder.reply(scratch, reply);
      }
      String cause = event == TraceRecord.OperationAnswered.CORE ? causes.of(command) : "";
      return new TraceRecord.OperationAnswered(
          event, cause, askedMicros, micros, request, scratch.toBytes());
    }
  }

  /**
   * A recording that does not run yet.
   *
   * @param writer of a new trace; closed at the end
   * @param causes names what operations of the core are for
   * @param nanoTime a monotone clock; the trace begins now
   * @param onEnd is given this recording when nothing more is recorded, perhaps twice, on any
   *     thread
   */
  public Recording(
      TraceWriter writer,
      CauseNames causes,
      LongSupplier nanoTime,
      FreeSpace disk,
      Consumer<Recording> onEnd) {
    this.writer = writer;
    this.causes = causes;
    this.nanoTime = nanoTime;
    this.disk = disk;
    this.onEnd = onEnd;
    this.startNanos = nanoTime.getAsLong();
    this.flushedNanos = startNanos;
    this.thread = new Thread(this::run, "recorder");
    this.thread.setDaemon(true);
  }

  /** Starts the thread that writes; once. */
  public void start() {
    thread.start();
  }

  /** What it has done so far. Any thread. */
  public RecordingStatus status() {
    State now = state == State.RECORDING && stopping ? State.STOPPING : state;
    return new RecordingStatus(
        now, detail, events.get(), operations.sum(), lost.sum(), writer.bytes());
  }

  /**
   * Records no more, and writes what waits. Waits {@value #STOP_MILLIS} ms at most; a disk that
   * hangs is waited for by the recording's own thread.
   */
  public RecordingStatus stop() throws InterruptedException {
    stopping = true;
    onEnd.accept(this);
    LockSupport.unpark(thread);
    thread.join(STOP_MILLIS);
    return status();
  }

  long nanos() {
    return nanoTime.getAsLong();
  }

  private long micros(long nanos) {
    return TimeUnit.NANOSECONDS.toMicros(nanos - startNanos);
  }

  private long microsNow() {
    return micros(nanos());
  }

  // ---- any thread ----

  EventTrace begun(String application, String kind, long dpid, long port) {
    long number = events.incrementAndGet();
    offer(
        new Small(new TraceRecord.EventBegun(number, application, kind, dpid, port, microsNow())));
    return new EventTrace(this, number);
  }

  void ended(long number, String outcome) {
    offer(new Small(new TraceRecord.EventEnded(number, outcome, microsNow())));
  }

  /**
   * An operation was answered.
   *
   * @param event null for the core
   * @param reply null for a sign of life
   */
  void answered(
      @Nullable EventTrace event, Command command, @Nullable Reply reply, long askedNanos) {
    if (event != null && !event.isOf(this)) {
      earlier.increment();
      return;
    }
    operations.increment();
    long number = event == null ? TraceRecord.OperationAnswered.CORE : event.number();
    offer(new Answered(number, command, reply, micros(askedNanos), microsNow()));
  }

  private void offer(Waiting record) {
    if (state != State.RECORDING) {
      return;
    }
    if (queuedBytes.addAndGet(record.bytes()) > QUEUE_BYTES) {
      queuedBytes.addAndGet(-record.bytes());
      lost.increment();
      return;
    }
    queue.add(record);
  }

  // ---- the writing thread ----

  private void run() {
    try {
      while (step()) {
        if (queue.isEmpty() && !stopping) {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    } catch (RuntimeException | Error e) {
      log.error(RECORDER, "the recorder failed; the node goes on", e);
      fail("the recorder failed: " + e);
    } finally {
      onEnd.accept(this);
      queue.clear();
      close();
    }
  }

  /** Writes what waits; false where the recording has ended. */
  boolean step() {
    boolean last = stopping;
    try {
      if (!writeWaiting()) {
        end(State.FULL, "the file reached its limit");
        return false;
      }
      if (last && queue.isEmpty()) {
        end(State.STOPPED, "");
        return false;
      }
      long now = nanos();
      if (now - flushedNanos >= FLUSH_NANOS) {
        flushedNanos = now;
        writer.flush();
        long free = disk.bytes();
        if (free < MIN_FREE_BYTES) {
          end(State.LOW_DISK, "the disk has " + (free >> 20) + " MB free");
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      log.warn(RECORDER, "the trace cannot be written, the recording ends: {}", e.toString());
      fail("the trace cannot be written: " + e);
      return false;
    }
  }

  /** Writes records, and how many were lost before them; false where the file is full. */
  private boolean writeWaiting() throws IOException {
    Waiting next = queue.poll();
    for (int i = 0; next != null; i++) {
      queuedBytes.addAndGet(-next.bytes());
      if (!writer.add(next.record())) {
        return false;
      }
      next = i < RECORDS_IN_A_STEP ? queue.poll() : null;
    }
    long lostNow = lost.sum();
    boolean isWritten =
        lostNow == lostWritten
            || writer.add(new TraceRecord.RecordsLost(lostNow - lostWritten, microsNow()));
    lostWritten = lostNow;
    return isWritten;
  }

  private void end(State reason, String why) throws IOException {
    String word = reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
    writer.end(
        new TraceRecord.TraceEnded(
            word, microsNow(), events.get(), operations.sum(), lost.sum(), earlier.sum()));
    detail = why;
    state = reason;
    if (reason != State.STOPPED) {
      log.warn(RECORDER, "the recording ended: {}", why);
    }
  }

  private void fail(String why) {
    detail = why;
    state = State.FAILED;
  }

  private void close() {
    try {
      writer.close();
    } catch (IOException e) {
      log.warn(RECORDER, "closing the trace failed: {}", e.toString());
    }
  }
}
