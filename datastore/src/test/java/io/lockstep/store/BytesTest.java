package io.lockstep.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BytesTest {
  /** Lengths around 8, few different bytes, so that prefixes and equal beginnings are common. */
  private static byte[] some(Random random) {
    byte[] octets = new byte[random.nextInt(18)];
    for (int i = 0; i < octets.length; i++) {
      octets[i] = (byte) (i < 7 ? 5 : random.nextInt(3) - 1);
    }
    return octets;
  }

  @Test
  void orderIsThatOfUnsignedBytesWhateverTheLengths() {
    Random random = new Random(7);
    int equal = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] one = some(random);
      byte[] other = some(random);
      int wanted = Integer.signum(Arrays.compareUnsigned(one, other));
      assertThat(Integer.signum(Bytes.wrap(one).compareTo(Bytes.wrap(other))))
          .as("%s and %s", Arrays.toString(one), Arrays.toString(other))
          .isEqualTo(wanted);
      equal += wanted == 0 ? 1 : 0;
    }
    assertThat(equal).as("equal ones were among them").isGreaterThan(1000);
  }
}
