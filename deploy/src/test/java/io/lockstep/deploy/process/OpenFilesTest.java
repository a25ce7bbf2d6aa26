package io.lockstep.deploy.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OpenFilesTest {
  @Test
  void tooFewOpenFilesAreNoticedBeforeAnythingNeedsThem() {
    assertThatThrownBy(() -> OpenFiles.check(64))
        .isInstanceOfSatisfying(
            OperatorException.class,
            refused -> assertThat(refused.exitCode()).isEqualTo(ExitCode.TRY_AGAIN))
        .hasMessageContaining("only 64 files");
    assertThatCode(() -> OpenFiles.check(OpenFiles.LEAST)).doesNotThrowAnyException();
    assertThatCode(() -> OpenFiles.check(-1)).doesNotThrowAnyException();
  }

  @Test
  void switchesLeaveFilesForTheStore() {
    assertThat(OpenFiles.switches(-1, 4096)).isEqualTo(4096);
    assertThat(OpenFiles.switches(65_536, 4096)).isEqualTo(4096);
    assertThat(OpenFiles.switches(1024, 4096)).isEqualTo(768);
    assertThat(OpenFiles.switches(OpenFiles.LEAST, 4096)).isEqualTo(OpenFiles.LEAST_SWITCHES);
    assertThat(OpenFiles.describe(1024, 768))
        .contains("at most 768 connections", "1024 files", "remedy: ", "ulimit -n");
  }
}
