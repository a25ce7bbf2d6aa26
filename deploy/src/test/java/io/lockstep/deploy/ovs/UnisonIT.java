package io.lockstep.deploy.ovs;

import static io.lockstep.deploy.ovs.UnisonTestbed.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.path.Hop;
import io.lockstep.core.path.PathFlow;
import io.lockstep.core.path.PathOutcome;
import io.lockstep.core.path.PathStatus;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.ovs.CapturedPings.Tally;
import io.lockstep.deploy.placed.RemoteApplication;
import io.lockstep.deploy.testbed.Await;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleOperationsContext;

/**
 * The paper's Fig. 1 on Open vSwitch: one flow through two domains, its path changed by an
 * application of either domain again and again while pings run. A ping that is seen twice on a link
 * is a loop, one that does not arrive is a loss. Four ways to change the path are compared:
 *
 * <ul>
 *   <li>a delayed view: the deciding domain's master acts at once, the other one's view is {@value
 *       #DELAY_MILLIS} ms late, as with a store that is eventually consistent;
 *   <li>agreed order: both masters act as soon as the store has the decision, neither waits;
 *   <li>in unison with tags, and in unison without, since switch 1 speaks OpenFlow 1.0. Now and
 *       then a domain's master is killed and started again.
 * </ul>
 *
 * Changes come in rounds with a capture each, so that memory does not grow with their number. The
 * long form, which appends its figures (a path without {@code /} in front begins at the module):
 *
 * <pre>
 * ./lockstep test --no-skip -- -Dit.test=UnisonIT -Dtest=none -Dlockstep.unison.changes=1000 \
 *     -Dlockstep.unison.untagged=40 -Dlockstep.unison.results=FILE \
 *     -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false
 * </pre>
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class UnisonIT {
  private static final int CHANGES = Integer.getInteger("lockstep.unison.changes", 6);

  /** Changes of each way without unison, at least. */
  private static final int BASELINE = Integer.getInteger("lockstep.unison.baseline", CHANGES);

  /** Changes without tags: each has several steps, and every step lasts a time in flight. */
  private static final int UNTAGGED = Integer.getInteger("lockstep.unison.untagged", CHANGES);

  /** Changes between two kills at most. */
  private static final int MOST_BETWEEN_KILLS = 20;

  private static final int DELAY_MILLIS = 50;

  /** Changes with one capture. */
  private static final int ROUND = 40;

  /** Rounds of a baseline at most. */
  private static final int MOST_ROUNDS = Math.max(10, 1 + BASELINE / ROUND);

  private static final long MINUTE_SECONDS = 60;

  private static final PathOutcome DONE = new PathOutcome(true, "");

  private static @Nullable UnisonTestbed shared;

  private final UnisonTestbed testbed = Objects.requireNonNull(shared);

  private final Random random = new Random(1);
  private int way;
  private int kills;

  @BeforeAll
  static void start() throws Exception {
    Requirements.orSkip();
    shared = new UnisonTestbed();
  }

  @AfterAll
  static void stop() throws Exception {
    if (shared != null) {
      shared.close();
    }
  }

  private List<Hop> hops(int way) {
    return testbed.network().hops(FigureOne.WAYS.get(way), "h2");
  }

  /** Another way than the present one, which it becomes. */
  private int nextWay() {
    way = (way + 1 + random.nextInt(FigureOne.WAYS.size() - 1)) % FigureOne.WAYS.size();
    return way;
  }

  private UnisonSummary summary(String mode, int changes, Tally tally, long beginNanos) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNanos);
    return new UnisonSummary(mode, changes, kills, tally, seconds);
  }

  // ---- without unison ----

  private Map<Long, FlowRule> rules(int way) {
    Map<Long, FlowRule> rules = new HashMap<>();
    for (Hop hop : hops(way)) {
      rules.put(
          hop.dpid(),
          UnisonTestbed.rule(
              3,
              hop.dpid(),
              UnisonTestbed.PATH_PRIORITY,
              UnisonTestbed.output(hop),
              testbed.network().receiver()));
    }
    return rules;
  }

  /**
   * Changes the path by rules that nobody orders among switches, until both harms were seen.
   *
   * @param delayMillis of the view of the domain that did not decide
   */
  private void changeWithoutUnison(String name, int delayMillis) throws Exception {
    testbed.apply(rules(way).values());
    Tally sum = Tally.NONE;
    int changes = 0;
    long begin = System.nanoTime();
    for (int round = 0; round < MOST_ROUNDS; round++) {
      sum = sum.plus(testbed.whilePinging(() -> changeSome(delayMillis)));
      changes += ROUND;
      if (changes >= BASELINE && sum.lost() > 0 && sum.looped() > 0) {
        break;
      }
    }
    summary(name, changes, sum, begin).report();
    testbed.remove(rules(way).values());
    assertThat(sum.looped()).as("pings seen twice on a link").isPositive();
    assertThat(sum.lost()).as("pings lost").isPositive();
  }

  private void changeSome(int delayMillis) {
    for (int i = 0; i < ROUND; i++) {
      Map<Long, FlowRule> gone = rules(way);
      Map<Long, FlowRule> next = rules(nextWay());
      gone.keySet().removeAll(next.keySet());
      RemoteApplication application = testbed.application(i % 2);
      DomainPlan own = i % 2 == 0 ? FigureOne.WEST : FigureOne.EAST;
      CompletableFuture<Void> decided = ask(application, next, gone, own, true);
      // The domain that did not decide hears of it later.
      CompletableFuture<Void> heard =
          new CompletableFuture<Void>()
              .completeOnTimeout(null, delayMillis, TimeUnit.MILLISECONDS)
              .thenCompose(now -> ask(application, next, gone, own, false));
      Await.until(
          "the change is complete",
          PATIENCE,
          () -> decided.isDone() && heard.isDone(),
          testbed::describe);
      assertThat(decided).isCompleted();
      assertThat(heard).isCompleted();
    }
  }

  /**
   * Asks for what concerns the switches of a domain, or all others.
   *
   * @return completes when these very requests are carried out. It does not help to look for their
   *     rules: one that stays as it is looks complete before its request is ordered, and that could
   *     come behind the next change's
   */
  private static CompletableFuture<Void> ask(
      RemoteApplication application,
      Map<Long, FlowRule> next,
      Map<Long, FlowRule> gone,
      DomainPlan domain,
      boolean inside) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    FlowRuleOperations.Builder stage = FlowRuleOperations.builder();
    some(next, domain, inside).forEach(stage::add);
    some(gone, domain, inside).forEach(stage::remove);
    application
        .rules()
        .apply(
            stage.build(
                new FlowRuleOperationsContext() {
                  @Override
                  public void onSuccess(FlowRuleOperations operations) {
                    done.complete(null);
                  }

                  @Override
                  public void onError(FlowRuleOperations operations) {
                    done.completeExceptionally(
                        new IllegalStateException("not carried out: " + operations));
                  }
                }));
    return done;
  }

  private static List<FlowRule> some(Map<Long, FlowRule> rules, DomainPlan domain, boolean inside) {
    return rules.entrySet().stream()
        .filter(entry -> domain.dpids().contains(entry.getKey()) == inside)
        .map(Map.Entry::getValue)
        .toList();
  }

  @Test
  @Order(1)
  void aDelayedViewLoopsAndLoses() throws Exception {
    changeWithoutUnison("a view delayed by " + DELAY_MILLIS + " ms", DELAY_MILLIS);
  }

  @Test
  @Order(2)
  void agreedOrderWithoutConfirmedStepsLoopsAndLoses() throws Exception {
    changeWithoutUnison("agreed order, steps not confirmed", 0);
  }

  // ---- in unison ----

  private void change(int application, String path, int to) throws Exception {
    PathFlow flow =
        new PathFlow(UnisonTestbed.to(testbed.network().receiver()), UnisonTestbed.PATH_PRIORITY);
    assertThat(
            testbed
                .application(application)
                .paths()
                .change(path, flow, hops(to))
                .get(MINUTE_SECONDS, TimeUnit.SECONDS))
        .isEqualTo(DONE);
  }

  /**
   * Makes a path, changes it while pings run, and removes it. Ends after the first round with a
   * harm.
   *
   * @return its last tag
   */
  private int changeInUnison(String path, int changes) throws Exception {
    change(0, path, way);
    try {
      Tally sum = Tally.NONE;
      int done = 0;
      long begin = System.nanoTime();
      while (done < changes && sum.looped() == 0 && sum.lost() == 0) {
        int from = done;
        int to = Math.min(changes, from + ROUND);
        sum = sum.plus(testbed.whilePinging(() -> changeSome(path, from, to, changes)));
        done = to;
      }
      summary("in unison, " + path.replace('-', ' '), done, sum, begin).report();
      assertThat(sum.sent()).isGreaterThan(10 * done);
      assertThat(sum.looped()).as("pings seen twice on a link").isZero();
      String where = sum.where();
      assertThat(sum.lost()).as(() -> "lost: " + where + "\n" + testbed.describe()).isZero();
      assertThat(done).isEqualTo(changes);
      assertThat(kills).as("killed masters").isPositive();
      PathStatus status = testbed.application(0).paths().paths().get(path);
      return Objects.requireNonNull(status).tag();
    } finally {
      assertThat(testbed.application(1).paths().remove(path).get(MINUTE_SECONDS, TimeUnit.SECONDS))
          .isEqualTo(DONE);
    }
  }

  /** The changes of a round, from the one behind {@code from} on, of {@code all}. */
  private void changeSome(String path, int from, int to, int all) throws Exception {
    int betweenKills = Math.max(1, Math.min(MOST_BETWEEN_KILLS, all / 2));
    for (int i = from + 1; i <= to; i++) {
      if (i % betweenKills == 0) {
        testbed.killMaster(kills % 2 == 0 ? FigureOne.EAST : FigureOne.WEST);
        kills++;
      }
      change(i % 2, path, nextWay());
    }
  }

  @Test
  @Order(3)
  void inUnisonWithTagsNothingLoopsAndNothingIsLost() throws Exception {
    assertThat(changeInUnison("with-tags", CHANGES)).isPositive();
  }

  @Test
  @Order(4)
  void inUnisonWithoutTagsNothingLoopsAndNothingIsLost() throws Exception {
    testbed.network().speakOpenFlow10(1);
    testbed.awaitPreferred();
    assertThat(changeInUnison("without-tags", UNTAGGED)).isZero();
  }
}
