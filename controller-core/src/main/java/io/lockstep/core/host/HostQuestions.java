package io.lockstep.core.host;

import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.state.Alarm;
import io.lockstep.store.Reply;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The old places of hosts whose move is claimed ({@link HostMoves}). The master of the old place
 * asks the host there, twice where it has an address, and withdraws the claim if it hears the host.
 *
 * <p>Owned by the control loop, except {@link #isAsked}.
 */
final class HostQuestions {
  /** After a refused withdrawal, until the next attempt. */
  static final long WITHDRAW_AGAIN_MILLIS = 20;

  /** From the first question to the second: a frame may be lost. */
  static final long ASK_AGAIN_MILLIS = HostTracker.VERIFY_MILLIS / 2;

  private final HostSurroundings surroundings;
  private final HostTracker.Reach reach;
  private final Alarm alarm;
  private final LongSupplier nanoTime;
  private final Consumer<HostKey> wrong;

  /** Hosts that are asked. */
  private final Map<HostKey, Question> asked = new ConcurrentHashMap<>();

  /** Hosts whose claim is being withdrawn. */
  private final Set<HostKey> withdrawing = new HashSet<>();

  /**
   * A host that is asked at its old place.
   *
   * @param claim that it is asked for
   * @param sinceNanos when it was asked first
   */
  private record Question(HostRecord claim, long sinceNanos) {}

  /**
   * No questions yet.
   *
   * @param wrong takes a host that spoke at its old place, so that its claimed move is wrong
   */
  HostQuestions(
      HostSurroundings surroundings,
      HostTracker.Reach reach,
      Alarm alarm,
      LongSupplier nanoTime,
      Consumer<HostKey> wrong) {
    this.surroundings = surroundings;
    this.reach = reach;
    this.alarm = alarm;
    this.nanoTime = nanoTime;
    this.wrong = wrong;
  }

  /** Whether this node asks the host at its old place now: what it sends there counts. */
  boolean isAsked(HostKey key) {
    return asked.containsKey(key);
  }

  /** For how long this node has asked the host because of a claim; null where it does not. */
  @Nullable Long askedMillis(HostKey key, HostRecord claim) {
    Question question = asked.get(key);
    return question == null || !question.claim().equals(claim)
        ? null
        : TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - question.sinceNanos());
  }

  /** This node became the master of a switch: it asks the hosts there whose move is claimed. */
  void askAt(long dpid) {
    surroundings.forEachClaim(
        (key, claim) -> {
          HostRecord known = surroundings.host(key);
          if (known != null && known.location().dpid() == dpid) {
            moveChanged(key, claim);
          }
        });
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
    Question question = new Question(claim, nanoTime.getAsLong());
    asked.put(key, question);
    if (known.hasAddress()) {
      HostProbe.send(connection, key, known);
      alarm.after(ASK_AGAIN_MILLIS, () -> askAgain(key, question));
      alarm.after(2 * HostTracker.VERIFY_MILLIS, () -> asked.remove(key, question));
    } else {
      reach.path().showSource(known.location(), key.address());
      alarm.after(
          HostTracker.SILENCE_MILLIS + HostTracker.VERIFY_MILLIS,
          () -> asked.remove(key, question));
    }
  }

  private void askAgain(HostKey key, Question question) {
    HostRecord known = surroundings.host(key);
    if (known == null || !question.equals(asked.get(key))) {
      return;
    }
    SwitchConnection connection = reach.mastery().mastered(known.location().deviceId());
    if (connection != null) {
      HostProbe.send(connection, key, known);
    }
  }

  /** The host spoke where it is known to be: a claimed move is wrong. */
  void withdraw(HostSighting sighting) {
    HostKey key = sighting.host();
    if (asked.containsKey(key) || surroundings.claim(key) != null) {
      wrong.accept(key);
      remove(sighting);
    }
  }

  private void remove(HostSighting sighting) {
    HostKey key = sighting.host();
    if (withdrawing.add(key)) {
      CompletableFuture<Reply> removed =
          reach
              .writer()
              .write(
                  sighting.place().deviceId(),
                  List.of(new Write.Remove(HostTable.MOVES, HostTable.CODEC.encodeKey(key))));
      logFailure(
          "withdrawing a move of a host",
          removed.whenComplete(
              (reply, failure) -> {
                boolean done =
                    reply != null
                        && !(reply instanceof Reply.Rejected)
                        && !(reply instanceof Reply.Unknown);
                alarm.after(done ? 0 : WITHDRAW_AGAIN_MILLIS, () -> withdrawn(sighting, done));
              }));
    }
  }

  /**
   * The host may answer once only, so a withdrawal that was refused is made again while it is
   * asked.
   */
  private void withdrawn(HostSighting sighting, boolean done) {
    withdrawing.remove(sighting.host());
    if (!done && asked.containsKey(sighting.host()) && reach.owned().test(sighting.place())) {
      withdraw(sighting);
    }
  }
}
