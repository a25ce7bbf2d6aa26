package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies the decisions that a truncation will remove into a segment file that is set aside. */
final class TruncatedDecisions {
  private static final Logger log = LoggerFactory.getLogger(TruncatedDecisions.class);
  private static final int PIECE_BYTES = 4 << 20;

  private TruncatedDecisions() {}

  /**
   * Copies everything from the first instance in {@code header} on, durably.
   *
   * @param header of a segment that begins with the first of them
   */
  static void keep(Storage storage, Segments segments, Segment.Header header) throws IOException {
    String name =
        SetAside.next(storage).nameOf(FileNames.segment(header.generation(), header.first()));
    long last = header.first() - 1;
    try (Segments copy =
        new Segments(
            storage,
            header::salt,
            List.of(Segment.create(storage, name, header)),
            Long.MAX_VALUE,
            0)) {
      List<Decision> piece;
      while ((piece = segments.after(last, PIECE_BYTES)) != null) {
        copy.write(piece, header.first());
        last = piece.get(piece.size() - 1).instance();
      }
      copy.force();
    }
    log.warn(
        "{}: truncates the decisions {} to {} and sets them aside in {}",
        storage.directory(),
        header.first(),
        last,
        name);
  }
}
