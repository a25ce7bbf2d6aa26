package io.lockstep.dataplane.wire;

/** A cable between two ports, two wires in one sheath. Thread-safe. */
public final class Cable {
  private final End a;
  private final End b;
  private final Wire toA;
  private final Wire toB;
  private boolean up;

  /** Plugs a cable in; both ports get carrier. */
  public Cable(End a, End b, LinkQuality quality, NetworkClock clock) {
    this.a = a;
    this.b = b;
    this.toA = new Wire(a.station, a.port, quality, clock);
    this.toB = new Wire(b.station, b.port, quality, clock);
    a.station.plugged(a.port, toB);
    b.station.plugged(b.port, toA);
    toA.setUp(false);
    toB.setUp(false);
    setUp(true);
  }

  /**
   * Cuts or mends the cable; both stations hear of it on their threads, end b first, so that a host
   * at end a finds the port at end b ready.
   */
  public synchronized void setUp(boolean now) {
    if (up == now) {
      return;
    }
    up = now;
    toA.setUp(now);
    toB.setUp(now);
    b.station
        .loop()
        .execute(
            () -> {
              b.station.linkChanged(b.port, now);
              a.station.loop().execute(() -> a.station.linkChanged(a.port, now));
            });
  }

  public synchronized boolean isUp() {
    return up;
  }

  /** Carries nothing from now on, without telling anybody: the network ends. */
  public void sever() {
    toA.setUp(false);
    toB.setUp(false);
  }

  /** Takes the cable out of both ports. */
  public synchronized void unplug() {
    setUp(false);
    a.station.unplugged(a.port);
    b.station.unplugged(b.port);
  }

  /** Frames delivered in both directions. */
  public long carried() {
    return toA.carried() + toB.carried();
  }

  /** Frames lost in both directions. */
  public long dropped() {
    return toA.dropped() + toB.dropped();
  }

  public End a() {
    return a;
  }

  public End b() {
    return b;
  }

  /** One port of a station. */
  public record End(Station station, int port) {}
}
