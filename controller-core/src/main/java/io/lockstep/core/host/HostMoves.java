package io.lockstep.core.host;

import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.packet.FrameView;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.TableView;
import io.lockstep.store.Bytes;
import io.lockstep.store.Reply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Moves that are disputed. The master of the new place claims the move in the store; the master of
 * the old place asks the host there and withdraws the claim if it hears the host ({@link
 * HostQuestions}). A claim that stands long enough becomes the move, in a write that the store
 * refuses if the claim was withdrawn or replaced meanwhile. Where one node masters both places, the
 * time counts from when it asked, and ends when the switch of the old place has answered an echo: a
 * node that is behind has then read what the host answered. Where the old place has no master, its
 * master is not connected to it, or either changed meanwhile, a claim is made again, since a host
 * that was not asked could not object. Then the packet that led to the move is decided on again, so
 * that applications learn the new place from a host that sends only once.
 *
 * <p>When a move is in the store, the master of the new place tells it to all switches as an access
 * point tells that of a station: it decides on a frame as if the host had broadcast it.
 * Applications learn the new place wherever they learn from broadcasts, and entries that lead to
 * the old place go, also at switches that the host's own packets do not pass.
 *
 * <p>A host that moves to a port that has as many hosts as it may is removed, as if it were new
 * there.
 *
 * <p>Owned by the control loop. Bounded: {@link #MAX_CLAIMS} claims, {@link #MAX_CLAIMS_AT_PORT} of
 * one port, and as many held packets of {@link #MAX_HELD_BYTES} each.
 */
final class HostMoves {
  /** Claims of this node at one time; further ones wait until the host is seen again. */
  static final int MAX_CLAIMS = 1_024;

  /** Claims for one port at one time, so that a port that claims all hosts leaves room. */
  static final int MAX_CLAIMS_AT_PORT = 256;

  /** Longer packets are not decided on again. */
  static final int MAX_HELD_BYTES = 2_048;

  private static final long VIEW_MILLIS = 5_000;

  private final HostSurroundings surroundings;
  private final HostTracker.Reach reach;
  private final HostWarnings warnings;
  private final Alarm alarm;
  private final LongSupplier timeMillis;
  private final Map<HostKey, Claim> claimed = new HashMap<>();
  private final Map<SwitchPort, Integer> claimedAt = new HashMap<>();
  private final Map<HostKey, Held> held = new HashMap<>();

  private final HostQuestions questions;

  /** Moves of this node on their way to the store. */
  private final Map<HostKey, SwitchPort> moving = new HashMap<>();

  /** A packet that waits for its source's move. */
  private record Held(SwitchPort place, FrameView packet) {}

  /**
   * A move that this node claims.
   *
   * @param record what it writes
   * @param waitedMillis since the first claim
   * @param askedBy who asks the host at its old place; null for none
   */
  private record Claim(
      HostSighting sighting,
      HostRecord record,
      long waitedMillis,
      HostTracker.@Nullable Asker askedBy) {}

  HostMoves(
      HostSurroundings surroundings,
      HostTracker.Reach reach,
      HostWarnings warnings,
      Alarm alarm,
      HostTracker.Clocks clocks) {
    this.surroundings = surroundings;
    this.reach = reach;
    this.warnings = warnings;
    this.alarm = alarm;
    this.questions = new HostQuestions(surroundings, reach, alarm, clocks.nanoTime(), this::giveUp);
    this.timeMillis = clocks.timeMillis();
  }

  /** The questions that this node asks where it masters the old place. */
  HostQuestions questions() {
    return questions;
  }

  /** Moves the host at once. */
  void move(HostSighting sighting, HostRecord known) {
    move(sighting, known, 0);
  }

  private void move(HostSighting sighting, HostRecord known, long claimVersion) {
    HostKey key = sighting.host();
    SwitchPort place = sighting.place();
    if (moving.size() < MAX_CLAIMS && moving.put(key, place) == null) {
      alarm.after(VIEW_MILLIS, () -> moving.remove(key));
    }
    logFailure(
        "moving a host",
        reach
            .hosts()
            .change(place.deviceId(), new HostChange.Move(sighting, known.location(), claimVersion))
            .whenComplete((outcome, failure) -> moved(key, place, outcome)));
  }

  private void moved(HostKey key, SwitchPort place, @Nullable HostOutcome outcome) {
    if (outcome == HostOutcome.FULL) {
      warnings.full(place);
    }
    if (outcome != HostOutcome.DONE && outcome != HostOutcome.UNKNOWN) {
      alarm.after(0, () -> moving.remove(key, place));
    }
  }

  /**
   * Claims a move, unless this node claims one of the host already, or the host's move there is on
   * its way to the store.
   *
   * @param packet what the host sent at the new place, null where it is not to be sent on later
   */
  void claim(HostSighting sighting, HostRecord known, @Nullable FrameView packet) {
    HostKey key = sighting.host();
    SwitchPort place = sighting.place();
    if (claimed.size() >= MAX_CLAIMS
        || claimedAt.getOrDefault(place, 0) >= MAX_CLAIMS_AT_PORT
        || claimed.containsKey(key)
        || place.equals(moving.get(key))) {
      return;
    }
    claimedAt.merge(place, 1, Integer::sum);
    if (packet != null) {
      held.put(key, new Held(place, packet));
    }
    claim(sighting, known, 0);
  }

  private void claim(HostSighting sighting, HostRecord known, long waitedMillis) {
    HostKey key = sighting.host();
    SwitchPort place = sighting.place();
    HostRecord record = known.movedTo(place, timeMillis.getAsLong());
    HostTracker.Asker askedBy = reach.asker().apply(known.location());
    Claim here = new Claim(sighting, record, waitedMillis, askedBy);
    claimed.put(key, here);
    Write claim =
        new Write.Put(
            HostTable.MOVES, HostTable.CODEC.encodeKey(key), HostTable.CODEC.encodeValue(record));
    logFailure(
        "claiming a move of a host",
        reach
            .writer()
            .write(place.deviceId(), List.of(claim))
            .whenComplete(
                (reply, failure) -> {
                  if (reply == null || reply instanceof Reply.Rejected) {
                    alarm.after(0, () -> giveUp(here));
                  } else {
                    alarm.after(waitMillis(known), () -> decide(here));
                  }
                }));
  }

  private void giveUp(Claim here) {
    if (here.equals(claimed.get(here.sighting().host()))) {
      giveUp(here.sighting().host());
    }
  }

  private void giveUp(HostKey key) {
    Claim here = claimed.remove(key);
    held.remove(key);
    if (here != null) {
      leave(here.sighting().place());
    }
  }

  private void leave(SwitchPort place) {
    claimedAt.computeIfPresent(place, (port, count) -> count == 1 ? null : count - 1);
  }

  private static long waitMillis(HostRecord known) {
    return known.hasAddress() ? HostTracker.VERIFY_MILLIS : HostTracker.SILENCE_MILLIS;
  }

  /** The old place had its time to object. */
  private void decide(Claim here) {
    HostKey key = here.sighting().host();
    if (!here.equals(claimed.get(key))) {
      return;
    }
    TableView.Held<HostRecord> claim = surroundings.claim(key);
    HostRecord known = surroundings.host(key);
    if (claim == null || known == null || !claim.value().equals(here.record())) {
      giveUp(key);
      return;
    }
    if (known.location().equals(here.sighting().place())) {
      drop(here, claim.version());
      return;
    }
    if (!wasAsked(here, known)) {
      claimAgain(here, known);
      return;
    }
    SwitchConnection oldSwitch = reach.mastery().mastered(known.location().deviceId());
    if (oldSwitch == null || isLast(here, known)) {
      become(here, known, claim.version());
      return;
    }
    Long askedMillis = questions.askedMillis(key, here.record());
    if (askedMillis == null) {
      claimAgain(here, known);
      return;
    }
    if (askedMillis < waitMillis(known)) {
      alarm.after(waitMillis(known) - askedMillis, () -> decide(here));
      return;
    }
    logFailure(
        "asking the switch of a host's old place",
        oldSwitch
            .probe()
            .whenComplete((answered, failure) -> alarm.after(0, () -> heard(here, answered))));
  }

  /** The host is where it was claimed to be: the claim must not keep its next move waiting. */
  private void drop(Claim here, long version) {
    HostKey key = here.sighting().host();
    Bytes encodedKey = HostTable.CODEC.encodeKey(key);
    giveUp(key);
    // A claim that stays delays the host's next move, and is replaced by that move's own.
    reach
        .writer()
        .writeUnanswered(
            here.sighting().place().deviceId(),
            List.of(
                new Write.Require(HostTable.MOVES, encodedKey, version),
                new Write.Remove(HostTable.MOVES, encodedKey)));
  }

  /** The switch of the old place answered an echo: what came before is read. */
  private void heard(Claim here, @Nullable Boolean answered) {
    HostKey key = here.sighting().host();
    if (!here.equals(claimed.get(key))) {
      return;
    }
    TableView.Held<HostRecord> claim = surroundings.claim(key);
    HostRecord known = surroundings.host(key);
    if (claim == null || known == null || !claim.value().equals(here.record())) {
      giveUp(key);
    } else if (Boolean.TRUE.equals(answered)) {
      become(here, known, claim.version());
    } else {
      claimAgain(here, known);
    }
  }

  private void claimAgain(Claim here, HostRecord known) {
    claim(here.sighting(), known, here.waitedMillis() + waitMillis(known));
  }

  private void become(Claim here, HostRecord known, long version) {
    HostKey key = here.sighting().host();
    claimed.remove(key);
    leave(here.sighting().place());
    move(here.sighting(), known, version);
    Held waiting = held.get(key);
    if (waiting != null) {
      alarm.after(VIEW_MILLIS, () -> held.remove(key, waiting));
    }
  }

  /**
   * Whether one master of the old place had its time to ask. After {@link
   * HostTracker#SILENCE_MILLIS} it no longer matters: who cannot be asked counts as silent.
   */
  private boolean wasAsked(Claim claim, HostRecord known) {
    HostTracker.Asker asker = reach.asker().apply(known.location());
    return (asker != null && asker.equals(claim.askedBy())) || isLast(claim, known);
  }

  private boolean isLast(Claim claim, HostRecord known) {
    return claim.waitedMillis() + waitMillis(known) >= HostTracker.SILENCE_MILLIS
        || !reach.usableEdge().test(known.location());
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
}
