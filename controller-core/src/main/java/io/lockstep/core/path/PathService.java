package io.lockstep.core.path;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.ReplyWords;
import io.lockstep.core.state.TableView.Held;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Paths of flows through several switches, of any domains, that change in unison (docs/adr/0033).
 * Any node may ask for any path. A change that the store has goes on whatever becomes of the node
 * that asked. Methods may be called from any thread; futures complete on the control loop.
 */
public final class PathService {
  /** Paths of a cluster at most, as far as the asking node knows. */
  public static final int MAX_PATHS = 1_024;

  /** Changes that a node may wait for. */
  static final int MAX_WAITING = 4_096;

  private static final int MAX_TRIES = 500;
  private static final long RETRY_MILLIS = 20;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

  private final PathViews views;
  private final StoreClient store;
  private final PathConfig config;
  private final Executor loop;
  private final Alarm alarm;

  /** Who waits for changes that the store has. Control loop. */
  private final List<Waiter> waiters = new ArrayList<>();

  private int asking;

  private record Waiter(String name, long ticket, CompletableFuture<PathOutcome> outcome) {}

  /** A request; the flow is null where a path is to be removed. */
  private record Request(
      String name,
      @Nullable PathFlow flow,
      List<Hop> hops,
      CompletableFuture<PathOutcome> outcome) {}

  /**
   * The service over a node's views.
   *
   * @param loop the control loop, as that of {@code alarm}
   */
  public PathService(
      PathViews views, StoreClient store, PathConfig config, Executor loop, Alarm alarm) {
    this.views = views;
    this.store = store;
    this.config = config;
    this.loop = loop;
    this.alarm = alarm;
    views.paths().addListener((name, old, now) -> rowChanged(name, now));
  }

  /**
   * Makes or changes a path. Where a change of this path is under way, this one begins after it,
   * and replaces one that waits.
   *
   * @param name 1 to 64 letters, digits, and {@code _ . -} inside
   * @param flow as long as the path is there it stays the same
   * @param hops from the ingress to the egress, 1 to 32, no switch twice
   * @return completes when all packets take the new path and none is under way on the old one, or
   *     when that is not going to be
   * @throws IllegalArgumentException for a name, flow or hops that cannot be, naming what is wrong
   */
  public CompletableFuture<PathOutcome> change(String name, PathFlow flow, List<Hop> hops) {
    check(name);
    Route.check(hops);
    if (hops.isEmpty()) {
      throw new IllegalArgumentException("path " + name + " has no switch");
    }
    int vlan = flow.vlan().toShort();
    if (config.isTag(vlan)) {
      throw new IllegalArgumentException(
          "VLAN "
              + vlan
              + " is kept for the tags of paths, "
              + config.firstTag()
              + " to "
              + config.lastTag()
              + ": configure another range");
    }
    return ask(new Request(name, flow, List.copyOf(hops), new CompletableFuture<>()));
  }

  /**
   * Removes a path: first its ingress, then, after the time in flight, the rest. What the flow does
   * then is up to other rules and applications.
   */
  public CompletableFuture<PathOutcome> remove(String name) {
    check(name);
    return ask(new Request(name, null, List.of(), new CompletableFuture<>()));
  }

  private static void check(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "path '" + name + "': a name has 1 to 64 letters, digits, '_', '.' or '-'");
    }
  }

  /** All paths by name, as this node knows them now. */
  public Map<String, PathStatus> paths() {
    Map<String, PathStatus> all = new TreeMap<>();
    views.paths().entries().forEach((name, held) -> all.put(name, PathStatus.of(held.value())));
    return all;
  }

  /** What operators may change. */
  public PathOffer offer() {
    return new PathOffer(this, views);
  }

  private CompletableFuture<PathOutcome> ask(Request request) {
    loop.execute(
        () -> {
          if (asking + waiters.size() >= MAX_WAITING) {
            fail(request, MAX_WAITING + " changes of paths wait at this node");
          } else {
            asking++;
            submit(request, 1);
          }
        });
    return request.outcome();
  }

  private static void fail(Request request, String why) {
    request.outcome().complete(new PathOutcome(false, why));
  }

  private void end(Request request, PathOutcome outcome) {
    asking--;
    request.outcome().complete(outcome);
  }

  private void submit(Request request, int tries) {
    Held<PathRow> held = views.paths().held(request.name());
    PathFlow flow = request.flow();
    if (held == null && flow == null) {
      end(request, new PathOutcome(true, ""));
      return;
    }
    if (held == null && views.paths().size() >= MAX_PATHS) {
      end(request, new PathOutcome(false, "there are " + MAX_PATHS + " paths already"));
      return;
    }
    String same = flow == null ? null : otherOf(flow, request.name());
    if (same != null) {
      end(request, new PathOutcome(false, "path " + same + " is of the same flow"));
      return;
    }
    PathRow row = held == null ? PathRow.none(flowOf(flow)) : held.value();
    if (flow != null && !flow.equals(row.flow())) {
      end(
          request,
          new PathOutcome(
              false, "path " + request.name() + " is of another flow: remove it first"));
      return;
    }
    PathRow next = row.wishing(request.hops());
    after(
        store.submit(PathBatches.wish(request.name(), held == null ? 0 : held.version(), next)),
        loop,
        reply -> written(request, next.asked(), tries, reply));
  }

  /** Another path whose rules would be those of this flow; null where there is none. */
  private @Nullable String otherOf(PathFlow flow, String name) {
    for (Map.Entry<String, Held<PathRow>> entry : views.paths().entries().entrySet()) {
      if (entry.getValue().value().flow().equals(flow) && !entry.getKey().equals(name)) {
        return entry.getKey();
      }
    }
    return null;
  }

  private static PathFlow flowOf(@Nullable PathFlow flow) {
    if (flow == null) {
      throw new IllegalStateException("a path that is not there is to be removed");
    }
    return flow;
  }

  private void written(Request request, long ticket, int tries, Reply reply) {
    if (reply instanceof Reply.Batched batched) {
      views.whenVisible(batched.version(), () -> await(request, ticket));
    } else if (reply instanceof Reply.Rejected || tries >= MAX_TRIES) {
      end(request, new PathOutcome(false, ReplyWords.of(reply)));
    } else {
      // Another node changed the row, or the store may have this wish already: to ask twice for the
      // same hops is to ask once.
      alarm.after(RETRY_MILLIS, () -> submit(request, tries + 1));
    }
  }

  private void await(Request request, long ticket) {
    asking--;
    Waiter waiter = new Waiter(request.name(), ticket, request.outcome());
    if (!settles(waiter, views.paths().known(request.name()))) {
      waiters.add(waiter);
    }
  }

  private void rowChanged(String name, @Nullable PathRow now) {
    waiters.removeIf(waiter -> waiter.name().equals(name) && settles(waiter, now));
  }

  /** Completes the outcome where the row tells it. */
  private static boolean settles(Waiter waiter, @Nullable PathRow row) {
    if (row == null) {
      // Only the end of a removal removes a row, and all tickets before it have ended.
      return waiter.outcome().complete(new PathOutcome(true, ""));
    }
    long settled = row.settled().ticket();
    if (settled < waiter.ticket()) {
      PathRow.Wish wish = row.wish();
      boolean replaced =
          row.ticket() != waiter.ticket() && (wish == null || wish.ticket() != waiter.ticket());
      return replaced && waiter.outcome().complete(new PathOutcome(false, PathSteps.SUPERSEDED));
    }
    String why = settled == waiter.ticket() ? row.settled().why() : PathSteps.SUPERSEDED;
    return waiter.outcome().complete(new PathOutcome(why.isEmpty(), why));
  }
}
