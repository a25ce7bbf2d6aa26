package io.lockstep.demo.emulate;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.deploy.process.OperatorException;
import org.junit.jupiter.api.Test;

class OpenFileLimitTest {
  @Test
  void aLimitThatIsTooLowIsRefusedWithFiguresAndRemedy() {
    assertThatThrownBy(() -> OpenFileLimit.check(1000, 3, 1024))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("1000 switches at 3 controllers need 3128")
        .hasMessageContaining("may have 1024")
        .hasMessageContaining("remedy: allow it more (ulimit -n 3128");
    assertThatCode(() -> OpenFileLimit.check(1000, 3, 3128)).doesNotThrowAnyException();
    assertThatCode(() -> OpenFileLimit.check(1000, 16, -1)).doesNotThrowAnyException();
  }
}
