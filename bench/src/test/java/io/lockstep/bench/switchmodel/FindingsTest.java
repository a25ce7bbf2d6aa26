package io.lockstep.bench.switchmodel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FindingsTest {
  @Test
  void aFindingIsGoodWithinItsToleranceOnBothSides() {
    Findings findings = new Findings();
    findings.near("3", "above", 120, 100, 20);
    findings.near("3", "below", 79, 100, 20);
    assertThat(findings.findings().get(0).good()).isTrue();
    assertThat(findings.findings().get(1).good()).isFalse();
    assertThat(findings.findings().get(1).toString())
        .isEqualTo(
            "Fig. 3: below: 79.0, paper 100.0, -21.0 % (tolerance 20 %) - NOT as in the paper");
  }
}
