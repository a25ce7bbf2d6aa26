package io.lockstep.bench.abuse;

import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.topology.Topology;
import io.lockstep.dataplane.topology.TopologyBuilder;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A switch of OpenFlow 1.0 with one host that can be plugged from port to port. */
final class OldSwitch implements AutoCloseable {
  private static final int MOVE_MILLIS = 100;
  private static final int PORTS = 4;
  private static final String SWITCH = "old";
  private static final String HOST = "h1";

  private final EmulatedNetwork network;

  /** Connects the switch, with its host at one port. */
  OldSwitch(long dpid, String domain, List<InetSocketAddress> controllers) {
    Topology topology =
        new TopologyBuilder("old").addSwitch(SWITCH, dpid, domain).host(SWITCH).build();
    network =
        EmulatedNetwork.start(topology.speaking(Protocol.OPENFLOW_10, one -> true), controllers);
  }

  /**
   * From now on the host is at another port every {@link #MOVE_MILLIS}. Closing ends it, and throws
   * if a move failed.
   *
   * @param moved is run with each move
   */
  AutoCloseable moveHost(Runnable moved) {
    ScheduledExecutorService mover =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread made = new Thread(work, "host-mover");
              made.setDaemon(true);
              return made;
            });
    int[] moves = new int[1];
    Future<?> schedule =
        mover.scheduleWithFixedDelay(
            () -> {
              // The host begins at port 1.
              network.moveHost(HOST, SWITCH, PORTS + moves[0]++ % PORTS);
              moved.run();
            },
            0,
            MOVE_MILLIS,
            TimeUnit.MILLISECONDS);
    return () -> {
      schedule.cancel(false);
      mover.shutdown();
      mover.awaitTermination(1, TimeUnit.SECONDS);
      if (!schedule.isCancelled()) {
        throwFailure(schedule);
      }
    };
  }

  /** A schedule that ended before it was cancelled has failed. */
  private static void throwFailure(Future<?> schedule) throws InterruptedException {
    try {
      schedule.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a move of the host failed", e.getCause());
    }
  }

  @Override
  public void close() {
    network.close();
  }
}
