package io.lockstep.core.packet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenBucketTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void burstThenRate() {
    TokenBucket bucket = new TokenBucket(10, 3, 0);
    for (int i = 0; i < 3; i++) {
      assertThat(bucket.take(0)).isTrue();
    }
    assertThat(bucket.take(0)).isFalse();
    assertThat(bucket.take(SECOND / 10 - 1)).isFalse();
    assertThat(bucket.take(SECOND / 10)).isTrue();
    assertThat(bucket.take(SECOND / 10)).isFalse();
  }

  @Test
  void silenceFillsTheBucketNoFurtherThanItsBurst() {
    TokenBucket bucket = new TokenBucket(10, 3, 0);
    int taken = 0;
    while (bucket.take(1_000 * SECOND)) {
      taken++;
    }
    assertThat(taken).isEqualTo(3);
  }

  @Test
  void clockThatGoesBackGivesNothing() {
    TokenBucket bucket = new TokenBucket(10, 1, SECOND);
    assertThat(bucket.take(SECOND)).isTrue();
    assertThat(bucket.take(0)).isFalse();
    assertThat(bucket.take(SECOND)).isFalse();
  }

  @Test
  void rateOfZeroIsNoLimit() {
    TokenBucket bucket = new TokenBucket(0, 0, 0);
    for (int i = 0; i < 1_000; i++) {
      assertThat(bucket.take(0)).isTrue();
    }
  }
}
