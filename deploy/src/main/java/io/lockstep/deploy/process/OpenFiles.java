package io.lockstep.deploy.process;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How many files and connections this process may have open. */
public final class OpenFiles {
  /** What a node or replica needs to start: its libraries, its log, its peers and a few clients. */
  static final long LEAST = 256;

  /** Of a node that may have the least; its log and its peers need less than the rest. */
  static final int LEAST_SWITCHES = 64;

  private static final String REMEDY = "allow it 65536 (ulimit -n, LimitNOFILE of its unit)";

  private OpenFiles() {}

  /** What the system allows; negative where there is no limit or it is unknown. */
  public static long most() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : -1;
  }

  /** Fails where they are too few: later that would show anywhere, and as anything. */
  public static void check() throws OperatorException {
    check(most());
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
              + "\n    remedy: "
              + REMEDY);
    }
  }

  /**
   * How many switches may connect, so that the store, which ends where it cannot open a file, keeps
   * enough.
   *
   * @param most that the system allows; negative where there is no limit
   * @param wanted connections, where the system allows them
   */
  public static int switches(long most, int wanted) {
    return most < 0 ? wanted : (int) Math.min(wanted, Math.max(LEAST_SWITCHES, most - LEAST));
  }

  /** Why fewer switches than usual may connect, and what to do. */
  public static String describe(long most, int switches) {
    return "takes at most "
        + switches
        + " connections of switches: it may have "
        + most
        + " files and connections open, and keeps the rest for the store and for operators; "
        + "remedy: "
        + REMEDY;
  }
}
