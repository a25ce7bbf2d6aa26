package io.lockstep.store.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StreamReaderTest {
  private static final byte[] WRITTEN =
      new ByteWriter()
          .int8(200)
          .flag(true)
          .int32(-7)
          .int64(Long.MIN_VALUE)
          .varint(Long.MAX_VALUE)
          .varint(300)
          .bytes(Bytes.wrap(new byte[100_000]))
          .utf8("gr\u00fc\u00df")
          .toArray();

  @Test
  void readsWhatWasWrittenHoweverItArrives() throws IOException {
    read(new ByteArrayInputStream(WRITTEN));
    read(
        new ByteArrayInputStream(WRITTEN) {
          @Override
          public synchronized int read(byte[] into, int offset, int length) {
            return super.read(into, offset, Math.min(length, 3));
          }
        });
  }

  private static void read(InputStream input) throws IOException {
    StreamReader in = new StreamReader(input);
    assertThat(in.uint8()).isEqualTo(200);
    assertThat(in.flag()).isTrue();
    assertThat(in.int32()).isEqualTo(-7);
    assertThat(in.int64()).isEqualTo(Long.MIN_VALUE);
    assertThat(in.varint()).isEqualTo(Long.MAX_VALUE);
    assertThat(in.varint(300)).isEqualTo(300);
    assertThat(in.bytes(100_000)).isEqualTo(Bytes.wrap(new byte[100_000]));
    assertThat(in.utf8(9)).isEqualTo("gr\u00fc\u00df");
    in.end();
    assertThat(in.offset()).isEqualTo(WRITTEN.length);
  }

  @Test
  void everyTruncationIsRefused() {
    for (int length = 0; length < 40; length++) {
      byte[] cut = Arrays.copyOf(WRITTEN, length);
      assertThatThrownBy(() -> read(new ByteArrayInputStream(cut)))
          .as("cut to " + length)
          .isInstanceOf(CodecException.class);
    }
  }

  @Test
  void refusesWhatIsOutOfItsBounds() {
    assertRefused(in -> in.varint(5), "at byte 0: expected a number of at most 5, found 6", 6);
    assertRefused(in -> in.bytes(5), "at byte 0: expected a number of at most 5, found 6", 6);
    assertRefused(StreamReader::flag, "at byte 0: expected a flag (0 or 1), found 6", 6);
    assertRefused(StreamReader::end, "at byte 0: expected the end", 6);
    assertRefused(in -> in.utf8(5), "at byte 1: expected 1 bytes of UTF-8", 1, 0xff);
    assertRefused(StreamReader::varint, "63 bits", 255, 255, 255, 255, 255, 255, 255, 255, 255, 1);
    // A length of 2 GiB costs no memory where the bytes do not follow.
    assertRefused(
        in -> in.bytes(Integer.MAX_VALUE), "2147483647 bytes to follow", 255, 255, 255, 255, 7, 1);
  }

  private interface Reading {
    void read(StreamReader in) throws IOException;
  }

  private static void assertRefused(Reading reading, String reason, int... octets) {
    byte[] input = new byte[octets.length];
    for (int i = 0; i < octets.length; i++) {
      input[i] = (byte) octets[i];
    }
    assertThatThrownBy(() -> reading.read(new StreamReader(new ByteArrayInputStream(input))))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void placesBeyondTwoGibibytesAreNamed() throws IOException {
    // 3 000 times 1 MiB of zeros, each with its length before it.
    byte[] element = new ByteWriter().bytes(Bytes.wrap(new byte[1 << 20])).toArray();
    InputStream endless =
        new InputStream() {
          private int position;

          @Override
          public int read() {
            throw new UnsupportedOperationException();
          }

          @Override
          public int read(byte[] into, int offset, int length) {
            int step = Math.min(length, element.length - position);
            System.arraycopy(element, position, into, offset, step);
            position = (position + step) % element.length;
            return step;
          }
        };
    StreamReader in = new StreamReader(endless);
    for (int i = 0; i < 3_000; i++) {
      assertThat(in.bytes(1 << 20).length()).isEqualTo(1 << 20);
    }
    long at = 3_000L * element.length;
    assertThat(in.offset()).isEqualTo(at);
    assertThatThrownBy(() -> in.bytes(1)).hasMessageStartingWith("at byte " + at + ": ");
  }
}
