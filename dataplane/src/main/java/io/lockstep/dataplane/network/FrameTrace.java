package io.lockstep.dataplane.network;

import io.lockstep.dataplane.packet.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Records where frames that fulfil a condition go, also after a controller has sent them on. Keeps
 * the first {@link #MAX_HOPS} hops. Thread-safe; the order is that of recording.
 */
public final class FrameTrace implements AutoCloseable {
  /** Hops kept; what comes later is only counted. */
  public static final int MAX_HOPS = 10_000;

  private final Predicate<Packet> condition;
  private final FrameTraces owner;
  private final List<Hop> hops = new ArrayList<>();
  private long unrecorded;

  FrameTrace(Predicate<Packet> condition, FrameTraces owner) {
    this.condition = condition;
    this.owner = owner;
  }

  boolean wants(byte[] frame) {
    return condition.test(new Packet(frame, 0));
  }

  synchronized void add(Hop hop) {
    if (hops.size() < MAX_HOPS) {
      hops.add(hop);
    } else {
      unrecorded++;
    }
  }

  /** The hops so far, in order. */
  public synchronized List<Hop> hops() {
    return List.copyOf(hops);
  }

  /** Hops beyond {@link #MAX_HOPS}. */
  public synchronized long unrecorded() {
    return unrecorded;
  }

  /** The stations passed, in order, each once per visit. */
  public List<String> stations() {
    List<String> stations = new ArrayList<>();
    for (Hop hop : hops()) {
      if (stations.isEmpty() || !stations.get(stations.size() - 1).equals(hop.station())) {
        stations.add(hop.station());
      }
    }
    return stations;
  }

  /** Stops recording; what was recorded stays. */
  @Override
  public void close() {
    owner.remove(this);
  }
}
