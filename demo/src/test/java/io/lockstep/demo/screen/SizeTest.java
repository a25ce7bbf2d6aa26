package io.lockstep.demo.screen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SizeTest {

  @Test
  void sttyPrintsRowsFirst() {
    assertThat(Size.ofStty("24 80\n")).contains(new Size(80, 24));
    assertThat(Size.ofStty("1 1")).contains(new Size(1, 1));
  }

  @Test
  void aTerminalThatDoesNotKnowItsSizeHasTheUsualOne() {
    assertThat(Size.ofStty("0 0\n")).contains(Size.USUAL);
    assertThat(Size.ofStty("24 0\n")).contains(Size.USUAL);
  }

  @Test
  void anythingElseIsNoSize() {
    assertThat(Size.ofStty("")).isEmpty();
    assertThat(Size.ofStty("stty: standard input: Inappropriate ioctl for device")).isEmpty();
    assertThat(Size.ofStty("-1 80")).isEmpty();
    assertThat(Size.ofStty("999999999999 80")).isEmpty();
  }

  @Test
  void aSizeHasAtLeastOneCell() {
    assertThatThrownBy(() -> new Size(0, 5)).isInstanceOf(IllegalArgumentException.class);
  }
}
