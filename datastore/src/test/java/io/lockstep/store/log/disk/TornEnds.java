package io.lockstep.store.log.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/** What recovery would do if it did not look at checksums: makes a torn record look whole. */
final class TornEnds {
  private TornEnds() {}

  static void accept(Storage storage) {
    try {
      Listing listing = Listing.of(storage);
      if (listing.segments().isEmpty()) {
        return;
      }
      String name = listing.segments().get(listing.segments().size() - 1).name();
      try (Segment segment = Segment.open(storage, name)) {
        RecordReader reader = segment.readerOfAll();
        while (reader.next() != null) {
          // Whole records need no help.
        }
        patch(segment, reader.position());
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void patch(Segment segment, long at) throws IOException {
    byte[] front = new byte[Records.HEADER_BYTES + 1];
    if (segment.file().read(at, front, 0, front.length) < front.length) {
      return;
    }
    ByteBuffer in = ByteBuffer.wrap(front);
    int tag = in.getInt();
    int length = in.getInt();
    if (tag != (int) segment.header().salt() || !Records.plausible(front[12], length)) {
      return;
    }
    byte[] body = new byte[length];
    segment.file().read(at + Records.HEADER_BYTES, body, 0, length);
    int crc = Records.checksum(segment.header().salt(), at, ByteBuffer.wrap(body));
    byte[] whole = ByteBuffer.allocate(4 + length).putInt(crc).put(body).array();
    segment.file().write(at + 8, whole, 0, whole.length);
    segment.file().sync();
  }
}
