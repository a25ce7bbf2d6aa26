package io.lockstep.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BytesTest {
  /** Lengths around multiples of 8; prefixes and equal beginnings are common. */
  private static byte[] some(Random random, int equalBytes) {
    byte[] octets = new byte[random.nextInt(equalBytes + 11)];
    for (int i = 0; i < octets.length; i++) {
      octets[i] = (byte) (i < equalBytes ? 5 : random.nextInt(3) - 1);
    }
    if (octets.length > 0 && random.nextInt(8) == 0) {
      octets[random.nextInt(octets.length)] = (byte) random.nextInt();
    }
    return octets;
  }

  @Test
  void orderIsThatOfUnsignedBytesWhateverTheLengths() {
    Random random = new Random(7);
    int equal = 0;
    for (int i = 0; i < 200_000; i++) {
      int equalBytes = random.nextInt(26);
      byte[] one = some(random, equalBytes);
      byte[] other = some(random, equalBytes);
      int wanted = Integer.signum(Arrays.compareUnsigned(one, other));
      assertThat(Integer.signum(Bytes.wrap(one).compareTo(Bytes.wrap(other))))
          .as("%s and %s", Arrays.toString(one), Arrays.toString(other))
          .isEqualTo(wanted);
      equal += wanted == 0 ? 1 : 0;
    }
    assertThat(equal).as("equal ones were among them").isGreaterThan(1000);
  }

  @Test
  void wordsBehindWhatTwoHaveInCommonAreInTheirOrder() {
    Random random = new Random(8);
    int decided = 0;
    for (int i = 0; i < 100_000; i++) {
      int equalBytes = random.nextInt(10);
      Bytes one = Bytes.wrap(some(random, equalBytes));
      Bytes other = Bytes.wrap(some(random, equalBytes));
      int common = one.commonWith(other);
      assertThat(common).isEqualTo(other.commonWith(one));
      assertThat(Arrays.copyOf(one.toArray(), common))
          .isEqualTo(Arrays.copyOf(other.toArray(), common));
      int from = random.nextInt(common + 1);
      int order = Integer.compareUnsigned(one.wordAt(from), other.wordAt(from));
      if (order != 0) {
        decided++;
        assertThat(Integer.signum(one.compareTo(other))).isEqualTo(order);
      }
      byte[] padded = Arrays.copyOfRange(one.toArray(), from, from + Long.BYTES);
      assertThat(one.longWordAt(from)).isEqualTo(ByteBuffer.wrap(padded).getLong());
      assertThat(one.wordAt(from)).isEqualTo(ByteBuffer.wrap(padded).getInt());
    }
    assertThat(decided).as("words that differ were among them").isGreaterThan(1000);
  }
}
