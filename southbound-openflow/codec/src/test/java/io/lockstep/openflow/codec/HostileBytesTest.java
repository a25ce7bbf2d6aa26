package io.lockstep.openflow.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFVersion;

/**
 * No byte sequence makes the decoder do anything but emit messages or refuse the stream, within a
 * bounded time of the processor. (Not of the clock: other work on the machine is no fault of ours.)
 */
class HostileBytesTest {
  private static final int MUTATIONS = 100_000;
  private static final long SEED = 20_130_405;

  /** A frame takes some microseconds, the first one of a class some 100 ms. */
  private static final long MOST_CPU_NANOS = 2_000_000_000;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** A stream that ends inside a message is malformed, wherever it ends. */
  @Test
  void everyTruncatedSampleIsMalformed() {
    for (Map.Entry<String, OFMessage> sample : SampleMessages.all().entrySet()) {
      byte[] whole = ByteBufUtil.getBytes(MessageCodecTest.encoded(sample.getValue()));
      for (int length = 1; length < whole.length; length++) {
        EmbeddedChannel channel = MessageCodecTest.negotiatedChannel();
        channel.writeInbound(Unpooled.copiedBuffer(whole, 0, length));
        int end = length;
        assertThatExceptionOfType(MalformedMessageException.class)
            .as("%s cut to %d bytes", sample.getKey(), length)
            .isThrownBy(channel::finish)
            .satisfies(e -> assertThat(e.offset()).isEqualTo(end));
        assertThat(channel.inboundMessages()).isEmpty();
      }
    }
  }

  /** The same with the header's length made to fit: read in full or refused, never half. */
  @Test
  void everySampleWithShortenedLengthIsWholeOrRefused() {
    for (Map.Entry<String, OFMessage> sample : SampleMessages.all().entrySet()) {
      byte[] whole = ByteBufUtil.getBytes(MessageCodecTest.encoded(sample.getValue()));
      int refused = 0;
      for (int length = MessageDecoder.HEADER_BYTES; length < whole.length; length++) {
        ByteBuf cut = Unpooled.copiedBuffer(whole, 0, length).setShort(2, length);
        Object outcome = decode(cut);
        refused += outcome instanceof MalformedMessageException ? 1 : 0;
      }
      if (whole.length > 24) {
        assertThat(refused).as(sample.getKey()).isPositive();
      }
    }
  }

  /** Each inner length field set to 0 and to far too much: this is how TLV loops go round. */
  @Test
  void everyTwoBytesSetToExtremesAreReadOrRefused() {
    for (OFMessage sample : SampleMessages.all().values()) {
      byte[] whole = ByteBufUtil.getBytes(MessageCodecTest.encoded(sample));
      for (int at = 4; at < whole.length - 1; at++) {
        for (int value : new int[] {0, 1, 4, 0x7fff, 0x8000, 0xfff8, 0xffff}) {
          decode(Unpooled.copiedBuffer(whole).setShort(at, value));
        }
      }
    }
  }

  @Test
  void mutatedSamplesAreReadOrRefused() {
    List<byte[]> samples = new ArrayList<>();
    SampleMessages.all()
        .values()
        .forEach(message -> samples.add(ByteBufUtil.getBytes(MessageCodecTest.encoded(message))));
    Random random = new Random(SEED);
    int refused = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] mutated = mutate(samples.get(random.nextInt(samples.size())).clone(), random);
      try {
        refused += decode(Unpooled.wrappedBuffer(mutated)) instanceof OFMessage ? 0 : 1;
      } catch (RuntimeException | Error e) {
        throw new AssertionError(
            "seed " + SEED + " mutation " + i + ": " + ByteBufUtil.hexDump(mutated), e);
      }
    }
    assertThat(refused).isBetween(MUTATIONS / 20, MUTATIONS - MUTATIONS / 20);
  }

  @Test
  void noiseIsReadOrRefused() {
    Random random = new Random(SEED);
    for (int i = 0; i < 20_000; i++) {
      byte[] noise = new byte[8 + random.nextInt(200)];
      random.nextBytes(noise);
      noise[0] = 4;
      noise[1] = (byte) random.nextInt(30);
      noise[2] = 0;
      noise[3] = (byte) noise.length;
      decode(Unpooled.wrappedBuffer(noise));
    }
  }

  /** Noise that claims to be OpenFlow 1.0, half of it statistics of flows, which are lists. */
  @Test
  void noiseOfOpenFlow10IsReadOrRefused() {
    Random random = new Random(SEED);
    for (int i = 0; i < 40_000; i++) {
      byte[] noise = new byte[8 + random.nextInt(300)];
      random.nextBytes(noise);
      noise[0] = 1;
      noise[1] = (byte) random.nextInt(22);
      noise[2] = (byte) (noise.length >> 8);
      noise[3] = (byte) noise.length;
      if (noise.length > 20 && random.nextBoolean()) {
        noise[1] = 17;
        noise[8] = 0;
        noise[9] = 1;
        noise[12] = 0;
        noise[13] = (byte) (random.nextBoolean() ? 88 : random.nextInt(256));
      }
      MessageDecoder decoder = new MessageDecoder();
      decoder.negotiated(OFVersion.OF_10);
      decode(Unpooled.wrappedBuffer(noise), new EmbeddedChannel(decoder));
    }
  }

  @Test
  void readerThatMakesNoProgressFails() {
    MeteredFrame frame = new MeteredFrame();
    frame.load(Unpooled.wrappedBuffer(new byte[16]));
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () -> {
              while (true) {
                frame.readerIndex(8);
                frame.readShort();
              }
            })
        .withMessage("decoding makes no progress");
  }

  private static byte[] mutate(byte[] bytes, Random random) {
    for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt(256);
        default -> bytes[at] = (byte) (random.nextBoolean() ? 0 : 0xff);
      }
    }
    bytes[0] = 4;
    bytes[2] = (byte) (bytes.length >> 8);
    bytes[3] = (byte) bytes.length;
    return bytes;
  }

  /** What became of one whole frame: a message or the refusal. Anything else fails the test. */
  private static Object decode(ByteBuf frame) {
    return decode(frame, MessageCodecTest.negotiatedChannel());
  }

  private static Object decode(ByteBuf frame, EmbeddedChannel channel) {
    long beginNanos = THREADS.getCurrentThreadCpuTime();
    try {
      channel.writeInbound(frame);
    } catch (MalformedMessageException e) {
      assertThat(channel.inboundMessages()).isEmpty();
      return e;
    } finally {
      assertThat(THREADS.getCurrentThreadCpuTime() - beginNanos).isLessThan(MOST_CPU_NANOS);
    }
    Object message = channel.readInbound();
    assertThat(message)
        .isInstanceOfAny(OFMessage.class, Hello.class, UnsupportedMessage.class, PartlyKnown.class);
    return message;
  }
}
