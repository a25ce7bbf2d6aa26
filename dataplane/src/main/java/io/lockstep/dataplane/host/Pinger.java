package io.lockstep.dataplane.host;

import io.lockstep.dataplane.packet.Endpoints;
import io.lockstep.dataplane.packet.IcmpEcho;
import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.wire.NetworkClock;
import io.netty.util.concurrent.EventExecutor;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Sends echo requests and waits for their answers. Owned by the host's loop. */
final class Pinger {
  /** Given to the listener when no answer came in time. */
  static final long LOST = -1;

  private static final int MAX_OUTSTANDING = 16384;

  private final Mac mac;
  private final Ipv4 address;
  private final Neighbours neighbours;
  private final EventExecutor loop;
  private final NetworkClock clock;
  private final Consumer<byte[]> out;
  private final Map<Integer, Outstanding> outstanding = new HashMap<>();
  private int next;

  Pinger(
      Mac mac,
      Ipv4 address,
      Neighbours neighbours,
      EventExecutor loop,
      NetworkClock clock,
      Consumer<byte[]> out) {
    this.mac = mac;
    this.address = address;
    this.neighbours = neighbours;
    this.loop = loop;
    this.clock = clock;
    this.out = out;
  }

  /**
   * Sends one request, after an ARP exchange if need be.
   *
   * @param timeoutNanos from now, the ARP exchange included
   * @param answered gets the round trip from now in nanoseconds, or {@link #LOST}; called once
   */
  void send(Ipv4 target, long timeoutNanos, LongConsumer answered) {
    if (outstanding.size() == MAX_OUTSTANDING) {
      answered.accept(LOST);
      return;
    }
    int number = next++;
    long sinceNanos = clock.nanos();
    NetworkClock.Timer timer = clock.schedule(loop, timeoutNanos, () -> giveUp(number));
    outstanding.put(number, new Outstanding(sinceNanos, timer, answered));
    neighbours.resolve(target, targetMac -> request(number, target, targetMac));
  }

  private void request(int number, Ipv4 target, Mac targetMac) {
    if (outstanding.containsKey(number)) {
      Endpoints ends = new Endpoints(mac, address, targetMac, target);
      out.accept(new IcmpEcho(ends, false, number >>> 16, number & 0xffff).encode());
    }
  }

  private void giveUp(int number) {
    Outstanding lost = outstanding.remove(number);
    if (lost != null) {
      lost.answered.accept(LOST);
    }
  }

  void receive(IcmpEcho echo) {
    if (!echo.reply()) {
      out.accept(echo.answer().encode());
      return;
    }
    Outstanding done = outstanding.remove(echo.identifier() << 16 | echo.sequence());
    if (done != null) {
      done.timer.cancel();
      done.answered.accept(clock.nanos() - done.sinceNanos);
    }
  }

  private record Outstanding(long sinceNanos, NetworkClock.Timer timer, LongConsumer answered) {}
}
