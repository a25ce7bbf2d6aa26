package io.lockstep.deploy.cli;

import com.sun.management.UnixOperatingSystemMXBean;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import java.lang.management.ManagementFactory;

/** How many files and connections this process may have open. */
final class OpenFiles {
  /** What a node or replica needs to start: its libraries, its log, its peers and a few clients. */
  static final long LEAST = 256;

  private OpenFiles() {}

  /** Fails where they are too few: later that would show anywhere, and as anything. */
  static void check() throws OperatorException {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
      check(unix.getMaxFileDescriptorCount());
    }
  }

  /**
   * @param most that the system allows; negative where there is no limit
   */
  static void check(long most) throws OperatorException {
    if (most >= 0 && most < LEAST) {
      throw OperatorException.ending(
          ExitCode.TRY_AGAIN,
          "this process may have only "
              + most
              + " files and connections open, and needs "
              + LEAST
              + " to start, and one more for each switch and client"
              + "\n    remedy: allow it 65536 (ulimit -n, LimitNOFILE of its unit)");
    }
  }
}
