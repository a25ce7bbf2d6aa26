package io.lockstep.core.path;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.flow.RoomRules;
import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.ReplyWords;
import io.lockstep.core.state.TableView.Held;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.logging.BoundedLog;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Moves the paths of the store on, on every node. Where a path can move, the node that masters its
 * ingress writes at once; any other one does after {@link #GRACE_MILLIS} in which the row stayed as
 * it was. So a path moves as long as one node lives. Two that write at once do no harm: both
 * decided on one version of the row, and the store takes one.
 *
 * <p>Control loop only. At rest it does nothing.
 */
public final class PathDriver {
  /** After this time a node does what the master of the ingress should have done. */
  static final long GRACE_MILLIS = 300;

  /** After this time a node tries again what the store did not take. */
  static final long RETRY_MILLIS = 500;

  /** A change of many rules' states costs one look at the paths. */
  private static final long GATHER_MILLIS = 1;

  private static final BoundedLog log = BoundedLog.of(PathDriver.class);

  private final PathViews views;
  private final RoomRules rules;
  private final StoreClient store;
  private final PathConfig config;
  private final LongPredicate masteredHere;
  private final Supplier<BitSet> hostVlans;
  private final Executor loop;
  private final Alarm alarm;
  private final LongSupplier nanoTime;

  /** The paths that do not rest. */
  private final Map<String, Follow> moving = new HashMap<>();

  private boolean scheduled;
  private long alarmNanos = Long.MAX_VALUE;

  /** What the node knows of one path that moves. */
  private static final class Follow {
    final long version;

    /** Since when the path is where it is, as this node knows. */
    final long sinceNanos;

    /** When the node first found that the path can move; -1 before. */
    long readyNanos = -1;

    boolean writing;

    /** Not before this time does the node write for this version again. */
    long notBeforeNanos;

    Follow(long version, long sinceNanos, long now) {
      this.version = version;
      this.sinceNanos = sinceNanos;
      this.notBeforeNanos = now;
    }
  }

  /**
   * A driver; it acts when the views change.
   *
   * @param masteredHere whether this node masters a switch
   * @param hostVlans the VLANs in which a host is known; costs a walk through all hosts
   * @param loop the control loop, as that of {@code alarm}
   * @param nanoTime a monotone clock
   */
  public PathDriver(
      PathViews views,
      RoomRules rules,
      StoreClient store,
      PathConfig config,
      LongPredicate masteredHere,
      Supplier<BitSet> hostVlans,
      Executor loop,
      Alarm alarm,
      LongSupplier nanoTime) {
    this.views = views;
    this.rules = rules;
    this.store = store;
    this.config = config;
    this.masteredHere = masteredHere;
    this.hostVlans = hostVlans;
    this.loop = loop;
    this.alarm = alarm;
    this.nanoTime = nanoTime;
    views.paths().addListener(this::rowChanged);
    rules.addListener(dpid -> lookSoon());
  }

  private void rowChanged(String name, @Nullable PathRow old, @Nullable PathRow now) {
    if (now == null || isAtRest(now)) {
      moving.remove(name);
    } else {
      Held<PathRow> held = views.paths().held(name);
      if (held != null) {
        Follow before = moving.get(name);
        // A further wish changes the row, too, and must not begin the time in flight anew.
        long here = nanoTime.getAsLong();
        long since =
            before != null && old != null && isSameStage(old, now) ? before.sinceNanos : here;
        moving.put(name, new Follow(held.version(), since, here));
        lookSoon();
      }
    }
  }

  private static boolean isSameStage(PathRow one, PathRow other) {
    return one.phase() == other.phase()
        && one.step() == other.step()
        && one.ticket() == other.ticket();
  }

  private static boolean isAtRest(PathRow row) {
    return row.phase() == PathRow.Phase.STEADY
        && row.wish() == null
        && row.leftovers().isEmpty()
        && !row.current().isNone();
  }

  private void lookSoon() {
    if (!scheduled && !moving.isEmpty()) {
      scheduled = true;
      alarm.after(GATHER_MILLIS, this::look);
    }
  }

  private void look() {
    scheduled = false;
    long now = nanoTime.getAsLong();
    long least = NextStep.Wait.NO_TIME;
    for (Map.Entry<String, Follow> entry : Map.copyOf(moving).entrySet()) {
      least = Math.min(least, look(entry.getKey(), entry.getValue(), now));
    }
    if (least != NextStep.Wait.NO_TIME) {
      wakeIn(least, now);
    }
  }

  /** One alarm is set at a time, for the earliest moment; an earlier one replaces it. */
  private void wakeIn(long millis, long now) {
    long atNanos = now + TimeUnit.MILLISECONDS.toNanos(millis);
    if (alarmNanos == Long.MAX_VALUE || atNanos - alarmNanos < 0) {
      alarmNanos = atNanos;
      alarm.after(
          Math.max(1, millis),
          () -> {
            if (alarmNanos == atNanos) {
              alarmNanos = Long.MAX_VALUE;
              lookSoon();
            }
          });
    }
  }

  /** Looks at one path; gives after how many milliseconds time alone makes a difference. */
  private long look(String name, Follow follow, long now) {
    Held<PathRow> held = views.paths().held(name);
    if (held == null || held.version() != follow.version || follow.writing) {
      return NextStep.Wait.NO_TIME; // the next change of the row, or the reply, comes back here
    }
    PathRow row = held.value();
    NextStep move =
        PathSteps.next(
            row,
            slot -> rules.known(slot.dpid(), PathRules.id(name, slot.tag())),
            millisSince(follow.sinceNanos, now),
            config.flightMillis(),
            () -> freeTag(name, row.flow()));
    if (move instanceof NextStep.Wait wait) {
      follow.readyNanos = -1;
      return wait.millis();
    }
    if (follow.readyNanos == -1) {
      follow.readyNanos = now;
    }
    long grace = leads(row) ? 0 : GRACE_MILLIS - millisSince(follow.readyNanos, now);
    long pause = TimeUnit.NANOSECONDS.toMillis(follow.notBeforeNanos - now);
    long left = Math.max(grace, pause);
    if (left > 0) {
      return left;
    }
    write(name, row, follow, (NextStep.Write) move);
    return NextStep.Wait.NO_TIME;
  }

  private static long millisSince(long nanos, long now) {
    return TimeUnit.NANOSECONDS.toMillis(now - nanos);
  }

  /** Whether this node masters the ingress of the version that is to be, or is. */
  private boolean leads(PathRow row) {
    Route route = row.target().isNone() ? row.current() : row.target();
    if (row.phase() == PathRow.Phase.STEADY && row.wish() != null && !row.wish().hops().isEmpty()) {
      return masteredHere.test(row.wish().hops().get(0).dpid());
    }
    return !route.isNone() && masteredHere.test(route.ingress().dpid());
  }

  /** The search begins at a place of the path's own, so that nodes seldom choose the same tag. */
  private int freeTag(String name, PathFlow flow) {
    int tags = config.lastTag() - config.firstTag() + 1;
    int first = Math.floorMod(name.hashCode(), tags);
    BitSet inUse = hostVlans.get();
    for (int i = 0; i < tags; i++) {
      int tag = config.firstTag() + (first + i) % tags;
      boolean own = flow.vlan().toShort() == tag;
      if (!own && views.tags().known(tag) == null && !inUse.get(tag)) {
        return tag;
      }
    }
    return 0;
  }

  private void write(String name, PathRow row, Follow follow, NextStep.Write write) {
    follow.writing = true;
    after(
        store.submit(PathBatches.of(name, row.flow(), follow.version, write)),
        loop,
        reply -> written(name, follow, reply));
  }

  /**
   * Where the store took it, the view shows the next row soon. Where it did not, another node was
   * faster, and the view shows that; or nothing changed, and the node tries again later.
   */
  private void written(String name, Follow follow, Reply reply) {
    if (reply instanceof Reply.Batched) {
      return;
    }
    follow.writing = false;
    follow.notBeforeNanos = nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS);
    if (!(reply instanceof Reply.BatchRefused)) {
      log.warn(name, "path {} did not move yet: {}", name, ReplyWords.of(reply));
    }
    lookSoon();
  }
}
