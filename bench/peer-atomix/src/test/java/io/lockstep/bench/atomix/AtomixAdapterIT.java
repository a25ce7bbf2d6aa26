package io.lockstep.bench.atomix;

import io.lockstep.bench.compare.AdapterCheck;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three members in this process, and every operation. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class AtomixAdapterIT {
  @TempDir Path directory;

  @Test
  void everyWorkloadRuns() throws Exception {
    AdapterCheck.run(new AtomixAdapter(), directory);
  }
}
