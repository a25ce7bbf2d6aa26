package io.lockstep.bench.jraft;

import io.lockstep.bench.compare.AdapterCheck;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three nodes in this process, and every operation. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class JraftAdapterIT {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"bolt", "frames"})
  void everyWorkloadRuns(String rpc) throws Exception {
    System.setProperty(JraftAdapter.RPC, rpc);
    AdapterCheck.run(new JraftAdapter(), directory);
  }
}
