package io.lockstep.demo.emulate;

import com.sun.management.UnixOperatingSystemMXBean;
import io.lockstep.deploy.process.OperatorException;
import java.lang.management.ManagementFactory;

/** Whether this process may have a connection for each switch and controller. */
final class OpenFileLimit {
  /** What the process has open besides: libraries, standard streams, event loops. */
  static final int OTHERS = 128;

  private OpenFileLimit() {}

  /** Fails where they are too few: later that would show as switches that do not connect. */
  static void check(int switches, int controllers) throws OperatorException {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
      check(switches, controllers, unix.getMaxFileDescriptorCount());
    }
  }

  /**
   * @param most that the system allows; negative where there is no limit
   */
  static void check(int switches, int controllers, long most) throws OperatorException {
    long needed = (long) switches * controllers + OTHERS;
    if (most >= 0 && most < needed) {
      throw new OperatorException(
          String.format(
              "%d switches at %d controllers need %d open files and connections, and this process"
                  + " may have %d",
              switches, controllers, needed, most),
          String.format(
              "allow it more (ulimit -n %d, as root where that is refused; 'nofile' in"
                  + " /etc/security/limits.conf), or emulate fewer switches",
              needed));
    }
  }
}
