package io.lockstep.store.log.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.client.SimulationSeeds;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.History;
import io.lockstep.store.log.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Logs on a disk that crashes at every operation, again and again: what was durable is there, what
 * is there is what was written, and the log opens.
 */
class CrashTest {
  private static final int SCHEDULES = 1500;
  private static final int LIVES = 6;

  @Test
  void whateverCrashesWhereverTheLogComesBack() {
    Map<String, Integer> crashedIn = new TreeMap<>();
    SimulationSeeds.forEach(SCHEDULES, seed -> new Schedule(seed).run(crashedIn));
    if (!SimulationSeeds.chosen()) {
      assertThat(crashedIn)
          .containsKeys("append", "snapshot", "truncate", "startOver", "promise", "open", "step");
    }
  }

  private static final class Schedule {
    private final Random random;
    private final SimulatedDisk disk;
    private final LogFixture.Steps steps = new LogFixture.Steps();
    private String doing = "";

    // What the log must have: the history, how much of it was durable, and the rest.
    private List<Decision> history = new ArrayList<>();
    private long durable = -1;
    private long snapshot = -1;
    private long cuttingTo = Long.MAX_VALUE;
    private int regency;
    private int regencyTried;
    private boolean joined;

    /** What peers may have heard of it. */
    private Progress told = Progress.NONE;

    // A start over that may or may not have happened.
    private @Nullable Decision over;

    Schedule(long seed) {
      random = new Random(seed);
      disk = new SimulatedDisk(random);
    }

    void run(Map<String, Integer> crashedIn) {
      for (int life = 0; life < LIVES; life++) {
        int left = random.nextInt(life == 0 ? 200 : 120);
        int[] operations = {0};
        disk.setFaults(
            (operation, file) -> {
              if (operations[0]++ >= left) {
                throw new IOException("crash at " + operation + " " + file);
              }
            });
        try {
          live(random.nextInt(30));
          doing = "";
        } catch (IOException crash) {
          crashedIn.merge(doing, 1, Integer::sum);
        }
        steps.forget();
        if (random.nextInt(4) == 0) {
          disk.kill();
        } else {
          disk.crash();
        }
      }
      try {
        live(5);
        assertThat(steps.failures.size()).isLessThanOrEqualTo(LIVES);
      } catch (IOException e) {
        throw new AssertionError("without a crash", e);
      }
    }

    private void live(int actions) throws IOException {
      doing = "open";
      DiskLog log = steps.open(disk.open(), LogFixture.small(random.nextLong()));
      check(log);
      for (int i = 0; i < actions; i++) {
        try {
          act(log);
        } finally {
          tell(log);
        }
      }
      doing = "close";
      if (random.nextBoolean()) {
        int failures = steps.failures.size();
        log.close();
        durable = steps.failures.size() == failures ? end() : durable;
      }
    }

    private void tell(DiskLog log) {
      assertThat(log.progress()).isGreaterThanOrEqualTo(told);
      told = log.progress();
    }

    private long end() {
      return history.get(history.size() - 1).instance();
    }

    private void check(DecisionLog log) throws IOException {
      Decision last = log.last();
      Decision at = LogFixture.snapshotAt(log);
      long from = at == null ? -1 : at.instance();
      if (over != null && at != null && History.text(at).equals(History.text(over))) {
        assertThat(History.text(last)).isEqualTo(History.text(at));
        history = new ArrayList<>(List.of(over));
        durable = from;
        snapshot = from;
      } else if (history.isEmpty()) {
        history.add(Decision.NONE);
      }
      over = null;
      assertThat(from).as("snapshot").isGreaterThanOrEqualTo(snapshot);
      assertThat(last.instance()).as("end").isBetween(Math.min(durable, cuttingTo), end());
      cuttingTo = Long.MAX_VALUE;
      for (Decision decision : LogFixture.all(log, from)) {
        assertThat(History.text(decision)).isEqualTo(History.text(known(decision.instance())));
      }
      assertThat(log.progress()).as("progress").isGreaterThanOrEqualTo(told);
      assertThat(log.regency()).isBetween(regency, regencyTried);
      if (joined) {
        assertThat(log.joined()).isTrue();
      }
      cut(last.instance());
      durable = last.instance();
      snapshot = from;
      regency = log.regency();
      regencyTried = regency;
      joined = log.joined();
    }

    private Decision known(long instance) {
      return history.get((int) (instance - history.get(0).instance()));
    }

    private void cut(long instance) {
      history.subList((int) (instance - history.get(0).instance()) + 1, history.size()).clear();
    }

    private void act(DiskLog log) throws IOException {
      switch (random.nextInt(12)) {
        case 0 -> {
          doing = "promise";
          regencyTried = regency + random.nextInt(3);
          log.promise(regencyTried);
          regency = regencyTried;
        }
        case 1 -> {
          doing = "join";
          log.markJoined();
          joined = true;
        }
        case 2 -> snapshot(log);
        case 3 -> truncate(log);
        case 4 -> startOver(log);
        case 5, 6, 7 -> {
          doing = "step";
          steps.run();
          log.promise(0);
        }
        default -> append(log);
      }
    }

    private void append(DiskLog log) throws IOException {
      doing = "append";
      int count = 1 + random.nextInt(8);
      for (Decision decision : History.after(log.last(), count, 400, random.nextLong())) {
        history.add(decision);
        log.append(decision);
        log.whenDurable(() -> durable = Math.max(durable, decision.instance()));
      }
    }

    private void snapshot(DiskLog log) throws IOException {
      if (end() < 0 || end() <= snapshot) {
        return;
      }
      doing = "snapshot";
      long first = Math.max(history.get(0).instance(), Math.max(0, snapshot + 1));
      Decision at = known(first + random.nextInt((int) (end() - first) + 1));
      LogFixture.snapshot(log.newSnapshot(at), at);
      snapshot = at.instance();
      durable = Math.max(durable, snapshot);
    }

    private void truncate(DiskLog log) throws IOException {
      long first = Math.max(history.get(0).instance(), snapshot);
      if (end() <= first) {
        return;
      }
      doing = "truncate";
      long to = first + random.nextInt((int) (end() - first));
      cuttingTo = to;
      log.truncateAfter(to);
      cuttingTo = Long.MAX_VALUE;
      cut(to);
      durable = to;
    }

    private void startOver(DiskLog log) throws IOException {
      if (random.nextInt(3) > 0) {
        return;
      }
      doing = "startOver";
      long instance = random.nextInt(40);
      List<Decision> foreign =
          History.after(Decision.NONE, (int) instance + 1, 10, random.nextLong());
      over = foreign.get((int) instance);
      LogFixture.snapshot(log.startOver(over), over);
      history = new ArrayList<>(List.of(Objects.requireNonNull(over)));
      durable = instance;
      snapshot = instance;
      over = null;
    }
  }
}
