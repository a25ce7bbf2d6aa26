package io.lockstep.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.measure.Figures;
import io.lockstep.bench.openflow.LoadFigures;
import io.lockstep.bench.process.CpuMeter;
import java.util.List;
import org.junit.jupiter.api.Test;

class SetupRatioTest {
  private static LoadFigures window(double perSecond, double p99Micros, double cpuMicros) {
    Figures figures = new Figures(64, 4, 100, 99, perSecond, 1, 2, p99Micros, 9, 1, List.of(99L));
    return new LoadFigures(
        figures, 0, new LoadFigures.Counts(0, 0, 0, 0), new CpuMeter.Use(cpuMicros, 10), null);
  }

  @Test
  void windowsOfARoundAreOneValueOfEachBuild() {
    SetupRatio ratio =
        SetupRatio.of(
            3,
            64,
            List.of(window(1000, 5, 30), window(3000, 7, 50), window(2000, 6, 40)),
            List.of(
                window(1500, 4, 20),
                window(1500, 5, 20),
                window(1500, 8, 20),
                window(1500, 2, 20)));
    assertThat(ratio.before()).isEqualTo(new SetupRatio.Build(2000, 6, 50, 3));
    assertThat(ratio.after()).isEqualTo(new SetupRatio.Build(1500, 4.5, 30, 4));
    assertThat(ratio.perSecondRatio()).isEqualTo(0.75);
    assertThat(ratio.cpuRatio()).isEqualTo(0.6);
    assertThat(ratio.line()).startsWith("round 3, 64 in flight: 2000 and 1500 set-ups/s (0.750)");
  }
}
