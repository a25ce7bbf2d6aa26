package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
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
}
