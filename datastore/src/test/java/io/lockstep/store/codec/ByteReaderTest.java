package io.lockstep.store.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** The building bricks of all records. */
class ByteReaderTest {

  @Test
  void readsWhatWasWritten() {
    ByteWriter out = new ByteWriter(1);
    out.int8(0xfe).int16(0xfffe).int32(-2).int64(Long.MIN_VALUE).flag(true);
    out.varint(0).varint(127).varint(128).varint(Long.MAX_VALUE);
    out.utf8("").utf8("ascii").utf8("\u00e4\ud83d\ude00").bytes(Bytes.empty()).raw(new byte[] {9});
    ByteReader in = new ByteReader(out.toBytes());
    assertThat(in.uint8()).isEqualTo(0xfe);
    assertThat(in.uint16()).isEqualTo(0xfffe);
    assertThat(in.int32()).isEqualTo(-2);
    assertThat(in.int64()).isEqualTo(Long.MIN_VALUE);
    assertThat(in.flag()).isTrue();
    assertThat(in.varint()).isZero();
    assertThat(in.varint()).isEqualTo(127);
    assertThat(in.varint()).isEqualTo(128);
    assertThat(in.varint()).isEqualTo(Long.MAX_VALUE);
    assertThat(in.utf8(10)).isEmpty();
    assertThat(in.utf8(10)).isEqualTo("ascii");
    assertThat(in.utf8(10)).isEqualTo("\u00e4\ud83d\ude00");
    assertThat(in.bytes(10)).isEqualTo(Bytes.empty());
    assertThat(in.uint8()).isEqualTo(9);
    in.end();
  }

  @Property
  void signedNumbersComeBack(@ForAll long value) {
    assertThat(new ByteReader(new ByteWriter().signed(value).toArray()).signed()).isEqualTo(value);
  }

  @Property
  void varintsComeBack(@ForAll @LongRange(min = 0) long value) {
    assertThat(new ByteReader(new ByteWriter().varint(value).toArray()).varint()).isEqualTo(value);
  }

  @Property
  void textComesBack(@ForAll String text) {
    // A surrogate without its other half has no UTF-8 form.
    String wellFormed = Bytes.utf8(text).toUtf8();
    ByteReader in = new ByteReader(new ByteWriter().utf8(wellFormed).toArray());
    assertThat(in.utf8(1 << 20)).isEqualTo(wellFormed);
    in.end();
  }

  @Test
  void refusesWhatIsNotWellFormed() {
    assertRefused("two", in -> in.flag(), 2);
    assertRefused("varint of 64 bits", in -> in.varint(), -1, -1, -1, -1, -1, -1, -1, -1, -1, 1);
    assertRefused("varint of 71 bits", in -> in.signed(), -1, -1, -1, -1, -1, -1, -1, -1, -1, 2);
    assertRefused("varint without end", in -> in.varint(), -1, -1);
    assertRefused("overlong UTF-8", in -> in.utf8(10), 2, 0xc0, 0x80);
    assertRefused("text over its bound", in -> in.utf8(1), 2, 'a', 'b');
    assertRefused("33 bits", in -> in.signedInt(), 0x80, 0x80, 0x80, 0x80, 0x20);
    assertRefused("more than the maximum", in -> in.varint(4), 5);
    assertRefused("too few bytes for the count", in -> in.count(10, 2), 2, 0, 0, 0);
  }

  @Test
  void negativeVarintIsNotWritten() {
    assertThatThrownBy(() -> new ByteWriter().varint(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void assertRefused(String what, Consumer<ByteReader> read, int... octets) {
    byte[] input = new byte[octets.length];
    for (int i = 0; i < octets.length; i++) {
      input[i] = (byte) octets[i];
    }
    assertThatThrownBy(() -> read.accept(new ByteReader(input)))
        .as(what)
        .isInstanceOf(CodecException.class);
  }
}
