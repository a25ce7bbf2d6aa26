package io.lockstep.deploy.admin;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@link DomainDoor#PATH}. One file is read at a time, within a bounded time, so that those
 * who send slowly or much cost one thread and one file at most. Thread-safe.
 */
final class DomainRequests {
  private static final long READ_MILLIS = 10_000;
  private static final int PIECE_BYTES = 8_192;

  /**
   * Of a file that is too long, so much is read and dropped, so that its sender gets the answer.
   */
  private static final int MAX_READ_BYTES = 4 * DomainDoor.MAX_FILE_BYTES;

  private final Semaphore turn = new Semaphore(1);

  /** Null until the node runs. */
  private volatile @Nullable DomainDoor domains;

  void offer(DomainDoor door) {
    domains = door;
  }

  ProbeDoor.Answer answer(Request request, Map<String, String> query) {
    DomainDoor door = domains;
    if (door == null) {
      return refused(503, "no node runs in this process", "ask a node");
    }
    if (HttpMethod.GET.is(request.getMethod())) {
      return door.show();
    }
    if (!HttpMethod.POST.is(request.getMethod())) {
      return refused(405, "not allowed", "use GET or POST");
    }
    if (request.getHeaders().get(ProbeDoor.HEADER) == null) {
      return refused(403, "no header " + ProbeDoor.HEADER, "use ./lockstep domain set");
    }
    if (!turn.tryAcquire()) {
      return refused(503, "the node is reading another change", "try again");
    }
    try {
      byte[] file = read(request);
      return file == null
          ? tooLong()
          : door.change(query, new String(file, StandardCharsets.UTF_8));
    } catch (IOException e) {
      return refused(400, "the file did not arrive: " + e.getMessage(), "send it again");
    } finally {
      turn.release();
    }
  }

  /** The body; null where it is too long. */
  private static byte @Nullable [] read(Request request) throws IOException {
    long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READ_MILLIS);
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    try (InputStream in = Request.asInputStream(request)) {
      byte[] piece = new byte[PIECE_BYTES];
      int total = 0;
      for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
        total += length;
        if (total <= DomainDoor.MAX_FILE_BYTES) {
          body.write(piece, 0, length);
        } else if (total > MAX_READ_BYTES) {
          break;
        }
        if (System.nanoTime() - untilNanos > 0) {
          throw new IOException("it took more than " + READ_MILLIS + " ms");
        }
      }
      return total <= DomainDoor.MAX_FILE_BYTES ? body.toByteArray() : null;
    }
  }

  private static ProbeDoor.Answer tooLong() {
    return refused(
        413, "more than " + DomainDoor.MAX_FILE_BYTES + " bytes", "write neighbours as ranges");
  }

  private static ProbeDoor.Answer refused(int status, String error, String remedy) {
    return new ProbeDoor.Answer(status, new DomainDoor.Refused(error, remedy, 0));
  }
}
