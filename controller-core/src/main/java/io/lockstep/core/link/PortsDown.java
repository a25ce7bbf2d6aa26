package io.lockstep.core.link;

import io.lockstep.core.state.Wakeup;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Ports that went down, on their way to the control loop: one task waits for all of them, and each
 * port once, so that switches whose ports all go up and down do not fill the loop's queue. Holds no
 * more than the ports in the store. Thread-safe.
 */
public final class PortsDown {
  private final Set<SwitchPort> waiting = ConcurrentHashMap.newKeySet();
  private final Wakeup task;

  /**
   * No port is down.
   *
   * @param taker called on the loop
   */
  public PortsDown(Executor loop, Consumer<SwitchPort> taker) {
    this.task =
        new Wakeup(
            loop,
            () -> {
              Iterator<SwitchPort> each = waiting.iterator();
              while (each.hasNext()) {
                SwitchPort port = each.next();
                each.remove();
                taker.accept(port);
              }
            });
  }

  /** A port is down. */
  public void add(SwitchPort port) {
    waiting.add(port);
    task.wake();
  }
}
