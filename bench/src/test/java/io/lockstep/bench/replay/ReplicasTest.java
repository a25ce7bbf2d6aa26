package io.lockstep.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.bench.runs.BenchException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicasTest {
  @Test
  void addressesAreReadInOrder() throws BenchException {
    String text = "10.0.0.1:7000,ctl2.example:7002,[::1]:65534";
    assertThat(Replicas.parse(text)).hasSize(3);
    assertThat(Replicas.parse(text).get(1).host()).isEqualTo("ctl2.example");
    assertThat(Replicas.parse(text).get(2).port()).isEqualTo(65_534);
    assertThat(Replicas.text(Replicas.parse(text))).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "a:b,c:1,d:2",
        ":1,b:2,c:3",
        "a:0,b:1,c:2",
        "a:65535,b:1,c:2",
        "a:1,b:2",
        "a:1,b:2,c:3,d:4",
        "a:1,,b:2",
        "a:99999999999,b:2,c:3"
      })
  void whatIsNoAddressIsNamed(String text) {
    assertThatThrownBy(() -> Replicas.parse(text))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("'");
  }
}
