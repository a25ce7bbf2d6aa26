package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.packet.FrameView;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.state.Alarm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Moves that are disputed. The master of the new place claims the move in the store; the master of
 * the old place asks the host there and withdraws the claim if it hears the host. A claim that
 * stands long enough becomes the move. Then the packet that led to it is decided on again, so that
 * applications learn the new place from a host that sends only once.
 *
 * <p>When a move is in the store, the master of the new place tells it to all switches as an access
 * point tells that of a station: it decides on a frame as if the host had broadcast it.
 * Applications learn the new place wherever they learn from broadcasts, and entries that lead to
 * the old place go, also at switches that the host's own packets do not pass.
 *
 * <p>A move is written whatever the host's record is by then: where two masters take moves of one
 * host at the same time, the later write stays, and the host's next packet elsewhere is disputed
 * anew. So a move can be late by one dispute, never lost or made by a host that is not there.
 *
 * <p>Owned by the control loop, except {@link #isAsked}. Bounded: {@link #MAX_CLAIMS} claims and as
 * many held packets of {@link #MAX_HELD_BYTES} each.
 */
final class HostMoves {
  static final HostTable CODEC = new HostTable();

  /** Claims of this node at one time; further ones wait until the host is seen again. */
  static final int MAX_CLAIMS = 1_024;

  /** Longer packets are not decided on again. */
  static final int MAX_HELD_BYTES = 2_048;

  private static final long VIEW_MILLIS = 5_000;

  private final HostTracker.Surroundings surroundings;
  private final HostTracker.Reach reach;
  private final Alarm alarm;
  private final LongSupplier timeMillis;
  private final Map<HostKey, HostSighting> claimed = new HashMap<>();
  private final Map<HostKey, Held> held = new HashMap<>();

  /** Moves of this node on their way to the store. */
  private final Map<HostKey, SwitchPort> moving = new HashMap<>();

  /** Hosts that are asked, with the claim that they are asked for. */
  private final Map<HostKey, HostRecord> asked = new ConcurrentHashMap<>();

  /** A packet that waits for its source's move. */
  private record Held(SwitchPort place, FrameView packet) {}

  HostMoves(
      HostTracker.Surroundings surroundings,
      HostTracker.Reach reach,
      Alarm alarm,
      LongSupplier timeMillis) {
    this.surroundings = surroundings;
    this.reach = reach;
    this.alarm = alarm;
    this.timeMillis = timeMillis;
  }

  /** Whether this node asks the host at its old place now: what it sends there counts. */
  boolean isAsked(HostKey key) {
    return asked.containsKey(key);
  }

  /** Moves the host at once. */
  void move(HostSighting sighting, HostRecord known) {
    HostKey key = sighting.host();
    if (moving.size() < MAX_CLAIMS && moving.put(key, sighting.place()) == null) {
      alarm.after(VIEW_MILLIS, () -> moving.remove(key));
    }
    HostRecord moved = known.movedTo(sighting.place(), timeMillis.getAsLong()).with(sighting);
    reach
        .writer()
        .write(
            sighting.place().deviceId(),
            List.of(
                new Write.Put(
                    HostTable.HOSTS, CODEC.encodeKey(sighting.host()), CODEC.encodeValue(moved)),
                new Write.Remove(HostTable.MOVES, CODEC.encodeKey(sighting.host()))));
  }

  /**
   * Claims a move, unless this node claims one of the host already.
   *
   * @param packet what the host sent at the new place, null where it is not to be sent on later
   */
  void claim(HostSighting sighting, HostRecord known, @Nullable FrameView packet) {
    HostKey key = sighting.host();
    if (claimed.size() >= MAX_CLAIMS || claimed.putIfAbsent(key, sighting) != null) {
      return;
    }
    if (packet != null) {
      held.put(key, new Held(sighting.place(), packet));
    }
    long waitMillis = known.hasAddress() ? HostTracker.VERIFY_MILLIS : HostTracker.SILENCE_MILLIS;
    HostRecord claim = known.movedTo(sighting.place(), timeMillis.getAsLong());
    reach
        .writer()
        .write(
            sighting.place().deviceId(),
            List.of(new Write.Put(HostTable.MOVES, CODEC.encodeKey(key), CODEC.encodeValue(claim))))
        .thenAccept(reply -> alarm.after(waitMillis, () -> decide(sighting)));
  }

  /** The old place had its time to object. */
  private void decide(HostSighting sighting) {
    HostKey key = sighting.host();
    claimed.remove(key);
    HostRecord claim = surroundings.move(key);
    HostRecord known = surroundings.host(key);
    if (claim == null || known == null || !claim.location().equals(sighting.place())) {
      held.remove(key);
      return;
    }
    move(sighting, known);
    Held waiting = held.get(key);
    if (waiting != null) {
      alarm.after(VIEW_MILLIS, () -> held.remove(key, waiting));
    }
  }

  /** The host spoke where it is known to be: a claimed move is wrong. */
  void withdraw(HostSighting sighting) {
    HostKey key = sighting.host();
    if (asked.remove(key) != null || surroundings.move(key) != null) {
      reach
          .writer()
          .write(
              sighting.place().deviceId(),
              List.of(new Write.Remove(HostTable.MOVES, CODEC.encodeKey(key))));
    }
  }

  /** A host changed in the store: what waited for its move goes on. */
  void hostChanged(HostKey key, @Nullable HostRecord now) {
    if (now != null && now.location().equals(moving.get(key))) {
      moving.remove(key);
      announce(key, now.location());
    }
    Held waiting = held.get(key);
    if (waiting != null && now != null && now.location().equals(waiting.place())) {
      held.remove(key);
      reach.path().decideAgain(waiting.packet());
    }
  }

  private void announce(HostKey key, SwitchPort place) {
    SwitchConnection connection = reach.mastery().mastered(place.deviceId());
    if (connection == null) {
      return;
    }
    byte[] frame = HostProbe.announcement(key.mac(), key.vlan());
    PacketIn packet =
        new PacketIn(
            PacketIn.NO_BUFFER,
            0,
            place.portNumber(),
            PacketIn.Reason.ACTION,
            0,
            frame,
            frame.length);
    FrameView view = FrameView.parse(connection, packet);
    if (view != null) {
      reach.path().decideAgain(view);
    }
  }

  /** A move was claimed or withdrawn in the store: the master of the old place asks there. */
  void moveChanged(HostKey key, @Nullable HostRecord claim) {
    HostRecord known = surroundings.host(key);
    if (claim == null || known == null) {
      asked.remove(key);
      return;
    }
    SwitchConnection connection = reach.mastery().mastered(known.location().deviceId());
    if (connection == null || known.location().equals(claim.location())) {
      return;
    }
    asked.put(key, claim);
    if (known.hasAddress()) {
      HostProbe.send(connection, key, known);
      alarm.after(2 * HostTracker.VERIFY_MILLIS, () -> asked.remove(key, claim));
    } else {
      reach.path().showSource(known.location(), key.address());
      alarm.after(
          HostTracker.SILENCE_MILLIS + HostTracker.VERIFY_MILLIS, () -> asked.remove(key, claim));
    }
  }
}
