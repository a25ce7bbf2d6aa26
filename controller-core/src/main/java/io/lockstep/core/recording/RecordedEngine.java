package io.lockstep.core.recording;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.CodecException;
import io.lockstep.store.codec.Request;
import io.lockstep.store.codec.RequestDecoder;
import io.lockstep.store.codec.Response;
import io.lockstep.store.codec.ResponseDecoder;
import io.lockstep.store.engine.ChangeHints;
import io.lockstep.store.engine.OrderingClient;
import io.lockstep.store.logging.BoundedLog;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The engine below the node's client of the store. Records what the client does by itself: signs of
 * life without operations, and the opening of its session. All else {@link RecordedStore} has seen
 * already. Thread-safe.
 */
final class RecordedEngine implements OrderingClient {
  private static final BoundedLog log = BoundedLog.of(RecordedEngine.class);

  /** A request without operations is at most this long. */
  private static final int MAX_EMPTY_BYTES = 20;

  private static final int VERSION_AND_SESSION_BYTES = 9;
  private static final Command ALIVE = new Command.KeepAlive();

  private final OrderingClient engine;
  private final StoreTraffic traffic;

  RecordedEngine(OrderingClient engine, StoreTraffic traffic) {
    this.engine = engine;
    this.traffic = traffic;
  }

  @Override
  public CompletableFuture<byte[]> submit(byte[] request) {
    Recording recording = traffic.recording();
    Command own = recording == null ? null : own(request);
    if (recording == null || own == null) {
      return engine.submit(request);
    }
    long askedNanos = recording.nanos();
    return engine
        .submit(request)
        .whenComplete(
            (response, failure) -> {
              if (response != null) {
                recording.answered(null, own, reply(response), askedNanos);
              }
            });
  }

  /** What a request of the client's own asks; null for all others. */
  private static @Nullable Command own(byte[] request) {
    ByteReader in = new ByteReader(request);
    if (request.length <= MAX_EMPTY_BYTES) {
      in.skip(VERSION_AND_SESSION_BYTES);
      in.varint();
      if (in.varint() == 0) {
        return ALIVE;
      }
      in = new ByteReader(request);
    }
    in.skip(1);
    if (in.int64() != 0) {
      return null;
    }
    Request opening = RequestDecoder.decode(request);
    return opening.operations().size() == 1 ? opening.operations().get(0).command() : null;
  }

  private static @Nullable Reply reply(byte[] response) {
    try {
      Response answer = ResponseDecoder.decode(response);
      return answer.replies().size() == 1 ? answer.replies().get(0) : null;
    } catch (CodecException unreadable) {
      // The client says so, too, and asks again.
      log.warn("recorder", "an answer to the client's own request: {}", unreadable.getMessage());
      return null;
    }
  }

  @Override
  public int window() {
    return engine.window();
  }

  @Override
  public ScheduledExecutorService loop() {
    return engine.loop();
  }

  @Override
  public String obstacle() {
    return engine.obstacle();
  }

  @Override
  public ChangeHints hints() {
    return engine.hints();
  }

  @Override
  public void close() {
    engine.close();
  }
}
