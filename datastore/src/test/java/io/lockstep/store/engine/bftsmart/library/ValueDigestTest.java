package io.lockstep.store.engine.bftsmart.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ValueDigestTest {
  private final MessageDigest digest = ValueDigest.getInstance("MD5");

  @Test
  void sameBytesGiveTheSameWhateverCameBefore() {
    byte[] value = new byte[1000];
    new Random(3).nextBytes(value);
    byte[] first = digest.digest(value);
    digest.update((byte) 1);
    digest.reset();
    digest.update(value, 0, 400);
    digest.update(value, 400, 600);
    assertThat(digest.digest()).isEqualTo(first).hasSize(16);
    assertThat(ValueDigest.getInstance("MD5").digest(value)).isEqualTo(first);
  }

  @Test
  void everyChangedBitAndEveryOtherLengthGiveSomethingElse() {
    byte[] value = new byte[200];
    new Random(4).nextBytes(value);
    Set<String> seen = new HashSet<>();
    for (int bit = 0; bit < 8 * value.length; bit++) {
      value[bit / 8] ^= (byte) (1 << bit % 8);
      seen.add(Arrays.toString(digest.digest(value)));
      value[bit / 8] ^= (byte) (1 << bit % 8);
    }
    for (int length = 0; length <= value.length; length++) {
      seen.add(Arrays.toString(digest.digest(Arrays.copyOf(value, length))));
    }
    assertThat(seen).hasSize(8 * value.length + value.length + 1);
  }
}
