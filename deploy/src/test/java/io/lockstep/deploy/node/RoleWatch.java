package io.lockstep.deploy.node;

import io.lockstep.dataplane.network.EmulatedSwitch;
import io.lockstep.dataplane.openflow.ControllerRole;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Looks at the roles of one emulated switch's controllers every millisecond. Thread-safe. */
final class RoleWatch implements AutoCloseable {
  private final EmulatedSwitch watched;
  private final long sinceNanos = System.nanoTime();
  private final List<Integer> masters = new CopyOnWriteArrayList<>();
  private volatile int mostAtOnce;
  private volatile boolean closed;
  private final Thread thread = new Thread(this::watch, "role-watch");

  RoleWatch(Collection<EmulatedSwitch> switches, long dpid) {
    watched = switches.stream().filter(one -> one.dpid() == dpid).findFirst().orElseThrow();
    thread.setDaemon(true);
    thread.start();
  }

  private void watch() {
    while (!closed) {
      List<ControllerRole> roles = watched.roles();
      int master = roles.indexOf(ControllerRole.MASTER);
      if (master >= 0 && (masters.isEmpty() || masters.get(masters.size() - 1) != master)) {
        masters.add(master);
      }
      int now = (int) roles.stream().filter(ControllerRole.MASTER::equals).count();
      mostAtOnce = Math.max(mostAtOnce, now);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  /** The positions of the connections that were master, one after the other. */
  List<Integer> masters() {
    return List.copyOf(masters);
  }

  /** Most masters at one time. */
  int mostAtOnce() {
    return mostAtOnce;
  }

  long ageMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos);
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
  }
}
