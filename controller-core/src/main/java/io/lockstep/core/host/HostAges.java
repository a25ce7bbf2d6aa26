package io.lockstep.core.host;

import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.core.southbound.SwitchConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Removes hosts that are silent. The owner of a host's switch counts since it last heard of the
 * host, asks it {@link #PROBES} times after its age, and removes it from the store where it does
 * not answer. A node that becomes the owner begins to count anew. The hosts of a switch that is in
 * no domain any more cannot be asked: the node that {@link HostTracker.Leftovers} names removes
 * them after the same time.
 *
 * <p>{@link #seen} may be called on any thread; everything else on the control loop.
 */
final class HostAges {

  /** How long a host may be silent before it is asked, as a rule. */
  static final long USUAL_AGE_MILLIS = 300_000;

  /** Ticks in that time. */
  private static final int TICKS = 30;

  /** How often a silent host is asked, once in each tick. */
  static final int PROBES = 3;

  /** Hosts asked or removed in one tick at most, and as many written; others wait. */
  static final int MAX_PER_TICK = 512;

  private final HostSurroundings surroundings;
  private final HostTracker.Reach reach;
  private final HostCounters counters;
  private final LongSupplier nanoTime;
  private final long ageMillis;
  private final Map<HostKey, Long> seenNanos = new ConcurrentHashMap<>();

  /** When hosts were really heard; {@link #seenNanos} begins with the mastership. */
  private final Map<HostKey, Long> heardNanos = new ConcurrentHashMap<>();

  private final Map<HostKey, Integer> unanswered = new HashMap<>();

  /** What this node knows to be written as the time when a host was last seen. */
  private final Map<HostKey, Long> writtenNanos = new HashMap<>();

  HostAges(
      HostSurroundings surroundings,
      HostTracker.Reach reach,
      HostCounters counters,
      LongSupplier nanoTime,
      long ageMillis) {
    this.surroundings = surroundings;
    this.reach = reach;
    this.counters = counters;
    this.nanoTime = nanoTime;
    this.ageMillis = ageMillis;
  }

  /** How often {@link #tick} is to be called. */
  long tickMillis() {
    return Math.max(1, ageMillis / TICKS);
  }

  /** A host that is known sent something at its place. */
  void seen(HostKey key) {
    long now = nanoTime.getAsLong();
    seenNanos.put(key, now);
    heardNanos.put(key, now);
  }

  /** When this node, as the owner of the host's switch, last heard of it there; null if never. */
  @Nullable Long heardNanos(HostKey key) {
    return heardNanos.get(key);
  }

  /** A host changed in the store. */
  void hostChanged(HostKey key, @Nullable HostRecord now) {
    if (now == null) {
      seenNanos.remove(key);
      heardNanos.remove(key);
      unanswered.remove(key);
      writtenNanos.remove(key);
    }
  }

  /** Looks at all hosts. */
  void tick() {
    seenNanos.keySet().removeIf(key -> surroundings.host(key) == null);
    heardNanos.keySet().removeIf(key -> surroundings.host(key) == null);
    int[] budget = {MAX_PER_TICK};
    // Apart: hosts that are awake must not keep this node from removing those that are silent.
    int[] refreshes = {MAX_PER_TICK};
    surroundings.forEachHost((key, host) -> look(key, host, budget, refreshes));
  }

  private void look(HostKey key, HostRecord host, int[] budget, int[] refreshes) {
    if (!reach.owned().test(host.location()) && !reach.leftovers().owned().test(host.location())) {
      seenNanos.remove(key);
      unanswered.remove(key);
      writtenNanos.remove(key);
      return;
    }
    long now = nanoTime.getAsLong();
    refresh(key, host, now, refreshes);
    Long last = seenNanos.putIfAbsent(key, now);
    if (last == null || now - last < TimeUnit.MILLISECONDS.toNanos(ageMillis)) {
      unanswered.remove(key);
    } else if (budget[0] > 0) {
      budget[0]--;
      int asked = unanswered.getOrDefault(key, 0);
      if (asked < PROBES) {
        unanswered.put(key, asked + 1);
        ask(key, host);
      } else {
        remove(key, host);
      }
    }
  }

  /**
   * Writes when the host was last seen, where it was heard an age or more after the last time that
   * is written, as far as this node knows.
   */
  private void refresh(HostKey key, HostRecord host, long now, int[] budget) {
    long written = writtenNanos.computeIfAbsent(key, unknown -> now);
    Long heard = heardNanos.get(key);
    if (heard != null
        && heard - written >= TimeUnit.MILLISECONDS.toNanos(ageMillis)
        && budget[0] > 0) {
      budget[0]--;
      writtenNanos.put(key, now);
      HostSighting sighting = HostSighting.of(key, host.location());
      logFailure(
          "writing when a host was seen",
          reach.hosts().change(host.location().deviceId(), new HostChange.See(sighting)));
    }
  }

  private void ask(HostKey key, HostRecord host) {
    SwitchConnection connection = reach.mastery().mastered(host.location().deviceId());
    if (connection == null) {
      return;
    }
    if (host.hasAddress()) {
      HostProbe.send(connection, key, host);
    } else {
      reach.path().showSource(host.location(), key.address());
    }
  }

  /** The change is repeated in every tick until the store has removed the host. */
  private void remove(HostKey key, HostRecord host) {
    boolean owned = reach.owned().test(host.location());
    logFailure(
        "removing a silent host",
        (owned ? reach.hosts() : reach.leftovers().hosts())
            .change(
                host.location().deviceId(), new HostChange.Expire(host.location(), List.of(key))));
    counters.count(HostCounters.Event.AGED_OUT);
  }
}
