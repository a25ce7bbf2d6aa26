package io.lockstep.core.app;

import java.util.Comparator;

/**
 * An application and its place in the order in which packets are shown.
 *
 * @param priority the lowest number is asked first
 */
public record RankedApplication(PacketApplication logic, int priority) {

  /** By priority; of the same priority by name. */
  public static final Comparator<RankedApplication> ORDER =
      Comparator.comparingInt(RankedApplication::priority).thenComparing(RankedApplication::name);

  /** The application's name. */
  public String name() {
    return logic.name();
  }

  /**
   * Whether a packet processor of onos-api sees a packet before this application is asked: the same
   * order, where a processor's name is that of its class.
   */
  public boolean isBehind(int processorPriority, String processorClass) {
    return processorPriority != priority
        ? processorPriority < priority
        : processorClass.compareTo(name()) < 0;
  }
}
