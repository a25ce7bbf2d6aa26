package io.lockstep.bench.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RoundedTest {
  @Test
  void oursHasThreeDigits() {
    assertThat(Rounded.number(2.0)).isEqualTo("2.00");
    assertThat(Rounded.number(21.987)).isEqualTo("22.0");
    assertThat(Rounded.number(999.6)).isEqualTo("1000");
    assertThat(Rounded.number(0.012345)).isEqualTo("0.0123");
    assertThat(Rounded.number(12345.6)).isEqualTo("12346");
    assertThat(Rounded.number(0.0)).isEqualTo("0");
    assertThat(Rounded.number(null)).isEqualTo("–");
  }

  @Test
  void thePapersHasTheDigitsThatItPrints() {
    assertThat(Rounded.printed(12_000 * 1e-3)).isEqualTo("12");
    assertThat(Rounded.printed(21_500 * 1e-3)).isEqualTo("21.5");
    assertThat(Rounded.printed(4.7)).isEqualTo("4.7");
    assertThat(Rounded.printed(0.0)).isEqualTo("0");
    assertThat(Rounded.printed(null)).isEqualTo("–");
  }
}
