package io.lockstep.dataplane.model;

import io.lockstep.dataplane.flowtable.FlowMod;
import org.jspecify.annotations.Nullable;

/**
 * Packets kept while the controller decides (OpenFlow 1.3.5 section 7.4.1). A fixed number of
 * places used in turn; a place whose packet is younger than the hold time is not reused, the
 * packet-in then carries the whole packet. Owned by the switch's thread.
 */
final class PacketBuffers {
  private final @Nullable Held[] places;
  private final long holdNanos;
  private int next;
  private int round;

  /**
   * @param capacity places, 0 to 65536
   * @param holdNanos how long a buffered packet is safe from being overwritten
   */
  PacketBuffers(int capacity, long holdNanos) {
    if (capacity < 0 || capacity > 65536) {
      throw new IllegalArgumentException("0 to 65536 buffers, not " + capacity);
    }
    this.places = new Held[capacity];
    this.holdNanos = holdNanos;
  }

  int capacity() {
    return places.length;
  }

  /** Keeps a packet; returns its buffer id or {@link FlowMod#NO_BUFFER} when there is no room. */
  int store(byte[] frame, int inPort, long nowNanos) {
    if (places.length == 0) {
      return FlowMod.NO_BUFFER;
    }
    Held held = places[next];
    if (held != null && nowNanos - held.sinceNanos < holdNanos) {
      return FlowMod.NO_BUFFER;
    }
    // The round makes an old id of the same place recognisable as unknown; 15 bits, never -1.
    int id = round << 16 | next;
    places[next] = new Held(id, frame, inPort, nowNanos);
    next++;
    if (next == places.length) {
      next = 0;
      round = (round + 1) & 0x7fff;
    }
    return id;
  }

  /** Takes a packet out; null when the id was never given, is used up or overwritten. */
  @Nullable Held take(int id) {
    int place = id & 0xffff;
    if (place >= places.length) {
      return null;
    }
    Held held = places[place];
    if (held == null || held.id != id) {
      return null;
    }
    places[place] = null;
    return held;
  }

  record Held(int id, byte[] frame, int inPort, long sinceNanos) {}
}
