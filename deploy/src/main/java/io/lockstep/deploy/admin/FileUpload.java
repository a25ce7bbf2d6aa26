package io.lockstep.deploy.admin;

import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;

/**
 * Takes the body of a request as it arrives. No thread waits for it, so a client that sends slowly
 * or not at all holds nothing but its own connection, until {@link AdminConnections} closes that.
 * Jetty calls it on one thread at a time.
 */
final class FileUpload implements Runnable {
  /**
   * Of a file that is too long, so much is read and dropped, so that its sender gets the answer.
   */
  private static final int MAX_READ_BYTES = 4 * DomainDoor.MAX_FILE_BYTES;

  private final Request request;
  private final Callback callback;
  private final Consumer<Upload> then;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private int total;

  /** What arrived. */
  sealed interface Upload {
    /** The whole file. */
    record Complete(byte[] file) implements Upload {}

    /** A file of more than {@link DomainDoor#MAX_FILE_BYTES}. */
    record TooLong() implements Upload {}
  }

  /**
   * An upload; {@link #run} begins it.
   *
   * @param callback fails where the connection ends before the file does
   * @param then called once otherwise, on a thread of the server; may block
   */
  FileUpload(Request request, Callback callback, Consumer<Upload> then) {
    this.request = request;
    this.callback = callback;
    this.then = then;
  }

  @Override
  public void run() {
    try {
      read();
    } catch (RuntimeException e) {
      callback.failed(e);
    }
  }

  private void read() {
    while (true) {
      Content.Chunk chunk = request.read();
      if (chunk == null) {
        request.demand(this);
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        callback.failed(chunk.getFailure());
        return;
      }
      boolean last = chunk.isLast();
      take(chunk);
      if (last || total > MAX_READ_BYTES) {
        then.accept(
            total <= DomainDoor.MAX_FILE_BYTES
                ? new Upload.Complete(body.toByteArray())
                : new Upload.TooLong());
        return;
      }
    }
  }

  private void take(Content.Chunk chunk) {
    int length = chunk.remaining();
    total += length;
    if (total <= DomainDoor.MAX_FILE_BYTES) {
      byte[] piece = new byte[length];
      chunk.getByteBuffer().get(piece);
      body.writeBytes(piece);
    }
    chunk.release();
  }
}
