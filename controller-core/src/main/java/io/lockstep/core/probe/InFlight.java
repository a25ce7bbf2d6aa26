package io.lockstep.core.probe;

import io.lockstep.core.probe.ProbeTarget.Flight;
import io.lockstep.core.probe.ProbeTarget.Group;
import io.lockstep.core.southbound.PacketIn;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Packets on their way: numbered, those through the tables first, then those that go straight, then
 * any number of markers, which go straight and count for nothing but that they are back. Written on
 * the connection's event loop, waited for by the probe's thread.
 */
final class InFlight {
  final int id;
  private final long cookie;
  private final LongSupplier nanoClock;
  private final ProbePath through;
  private final ProbePath straight;
  private int next;
  private boolean straightFirst;

  /** Packets that came back, markers included. */
  private int arrivals;

  /** Whether something is back that was sent straight behind all others. */
  private boolean markerBack;

  /** Counts the packets that take one path: through the tables, or straight. */
  private static final class ProbePath {
    final long[] sentNanos;
    final boolean[] back;
    int sent;
    int returned;
    long fastestNanos = Long.MAX_VALUE;

    ProbePath(int packets) {
      sentNanos = new long[packets];
      back = new boolean[packets];
    }

    Group group() {
      return new Group(sent, returned, returned == 0 ? 0 : fastestNanos);
    }
  }

  InFlight(int id, long cookie, int through, int straight, LongSupplier nanoClock) {
    this.id = id;
    this.cookie = cookie;
    this.nanoClock = nanoClock;
    this.through = new ProbePath(through);
    this.straight = new ProbePath(straight);
  }

  /** How many packets are to be sent before the first marker. */
  int packets() {
    return through.back.length + straight.back.length;
  }

  boolean goesThrough(int number) {
    return number < through.back.length;
  }

  /** To be called right before a packet is sent; returns its number. */
  synchronized int sending() {
    int number = next++;
    if (goesThrough(number)) {
      through.sentNanos[number] = nanoClock.getAsLong();
    } else if (number < packets()) {
      straight.sentNanos[number - through.back.length] = nanoClock.getAsLong();
    }
    return number;
  }

  /** The channel took the packet. */
  synchronized void sent(int number) {
    if (goesThrough(number)) {
      through.sent++;
    } else if (number < packets()) {
      straight.sent++;
    }
  }

  /**
   * A packet-in with this flight's id; a packet that a miss sent up is not looked at.
   *
   * @param cookies whether the switch says which entry sent it
   */
  synchronized void arrived(int number, PacketIn packet, boolean cookies) {
    if (number < 0 || number >= next) {
      return;
    }
    if (goesThrough(number)) {
      boolean byEntry =
          packet.reason() != PacketIn.Reason.NO_MATCH && (!cookies || packet.cookie() == cookie);
      if (byEntry) {
        returned(through, number);
      }
      return;
    }
    int place = number - through.back.length;
    if (place < straight.back.length) {
      straightFirst |= straight.returned == 0 && through.returned == 0;
      returned(straight, place);
    }
    markerBack |= place >= straight.back.length - 1;
    arrivals++;
    notifyAll();
  }

  private void returned(ProbePath path, int place) {
    if (path.back[place]) {
      return;
    }
    path.back[place] = true;
    path.returned++;
    path.fastestNanos = Math.min(path.fastestNanos, nanoClock.getAsLong() - path.sentNanos[place]);
    arrivals++;
    notifyAll();
  }

  /**
   * Waits until all packets are back, or none came for a while.
   *
   * @return whether the flight is over: all are back, or something is that was sent behind them
   * @throws ProbeException where the thread was interrupted
   */
  synchronized boolean awaitQuiet(long quietMillis) throws ProbeException {
    long quietNanos = TimeUnit.MILLISECONDS.toNanos(quietMillis);
    int before = -1;
    while (!complete() && arrivals != before) {
      before = arrivals;
      long until = nanoClock.getAsLong() + quietNanos;
      while (arrivals == before && nanoClock.getAsLong() - until < 0) {
        try {
          TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, until - nanoClock.getAsLong()));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new ProbeException("the probe was stopped");
        }
      }
    }
    return complete() || markerBack;
  }

  private boolean complete() {
    return through.returned == through.back.length && straight.returned == straight.back.length;
  }

  synchronized boolean anySent() {
    return through.sent + straight.sent > 0;
  }

  synchronized Flight result() {
    return new Flight(through.group(), straight.group(), straightFirst);
  }
}
