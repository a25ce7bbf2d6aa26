package io.lockstep.demo.emulate;

import io.lockstep.demo.emulate.Progress.Connected;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Decides what of the progress is worth a line: that all switches are connected, that all have a
 * master, that pings are answered, and what changes afterwards. Until then, and while pings are
 * lost, it repeats the state every few seconds where no live line shows it. Used by one thread;
 * time comes with the progress.
 */
final class ProgressLog {
  /** A number of switches that has not changed for so long is reported. */
  static final long SETTLED_MILLIS = 300;

  /** A number that goes on changing is reported all the same after this time. */
  static final long UNSETTLED_MILLIS = 2_000;

  /** Between two lines with the state. */
  static final long REPEAT_MILLIS = 5_000;

  /** The same, where nothing has changed since the last one. */
  static final long REPEAT_UNCHANGED_MILLIS = 30_000;

  /** Switches that had no master for so long, while all are connected, are perhaps in no domain. */
  static final long HINT_MILLIS = 10_000;

  private static final long NEVER = -1;

  private final boolean live;
  private final List<ControllerLog> controllers = new ArrayList<>();
  private final MasterLog masters = new MasterLog();
  private final List<String> lines = new ArrayList<>();
  private boolean connectedOnce;
  private boolean hinted;
  private boolean answeredOnce;
  private long waitsSinceMillis = NEVER;
  private long stateMillis;
  private String state = "";
  private long lostThen;

  /**
   * @param live whether a line shows the state at all times
   */
  ProgressLog(boolean live) {
    this.live = live;
  }

  /** The lines that a look at the network is worth, often none. */
  List<String> see(Progress now) {
    lines.clear();
    while (controllers.size() < now.controllers().size()) {
      controllers.add(new ControllerLog());
    }
    for (int i = 0; i < controllers.size(); i++) {
      controllers.get(i).see(now.controllers().get(i), now);
    }
    if (!connectedOnce && now.allConnected()) {
      connectedOnce = true;
      String where = now.controllers().size() == 1 ? "the controller" : "all controllers";
      add(now, "all " + now.switches() + " switches are connected to " + where);
    }
    masters.see(now);
    if (!answeredOnce && now.traffic().pings().answered() > 0) {
      answeredOnce = true;
      add(now, "pings are answered");
    }
    hint(now);
    if (!live) {
      repeat(now);
    }
    return List.copyOf(lines);
  }

  private void add(Progress now, String text) {
    lines.add(seconds(now.millis()) + " s: " + text);
  }

  private void hint(Progress now) {
    int missing = now.masterable() - (now.mastered() == null ? 0 : now.mastered());
    if (!now.allConnected() || missing == 0) {
      waitsSinceMillis = NEVER;
      return;
    }
    waitsSinceMillis = waitsSinceMillis == NEVER ? now.millis() : waitsSinceMillis;
    if (!hinted && now.millis() - waitsSinceMillis >= HINT_MILLIS) {
      hinted = true;
      String what =
          now.mastered() == null ? "no controller took a role" : "they are perhaps in no domain";
      add(
          now,
          missing
              + " switches have no master, "
              + String.join(", ", now.without())
              + " first; "
              + what
              + ": with nodes of Lockstep, 'emulate ... --print-domains' prints the domains of this"
              + " network, and 'domain set --version N FILE' gives them to the nodes");
    }
  }

  private void repeat(Progress now) {
    boolean waits = !now.allConnected() || !now.allMastered();
    long lost = now.traffic().pings().lost();
    if (!waits && lost == lostThen) {
      return;
    }
    String counts = counts(now) + lost;
    long pause = counts.equals(state) ? REPEAT_UNCHANGED_MILLIS : REPEAT_MILLIS;
    if (now.millis() - stateMillis >= pause) {
      stateMillis = now.millis();
      state = counts;
      lostThen = lost;
      add(now, state(now, null));
    }
  }

  private static String counts(Progress now) {
    StringBuilder text = new StringBuilder("connected");
    for (Connected each : now.controllers()) {
      text.append(' ').append(each.switches());
    }
    text.append(" of ").append(now.switches());
    if (now.mastered() != null) {
      text.append(", with a master ").append(now.mastered());
    }
    return text.toString();
  }

  /**
   * The state in one line.
   *
   * @param before an earlier look, for rates; null for none
   */
  static String state(Progress now, @Nullable Progress before) {
    StringBuilder text = new StringBuilder(counts(now));
    if (before != null && before.millis() < now.millis()) {
      double spent = (now.millis() - before.millis()) / 1000.0;
      text.append(
          String.format(
              Locale.ROOT,
              ", %.0f frames/s, %.0f packet-ins/s",
              (now.traffic().frames() - before.traffic().frames()) / spent,
              (now.traffic().packetIns() - before.traffic().packetIns()) / spent));
    }
    PingTally.Counts pings = now.traffic().pings();
    if (pings.sent() > 0) {
      text.append(", pings ").append(pings.sent()).append(", lost ").append(pings.lost());
    }
    if (!now.allConnected()) {
      now.controllers().stream()
          .filter(each -> each.switches() < now.switches() && each.trouble() != null)
          .forEach(each -> text.append("; ").append(why(each)));
    }
    return text.toString();
  }

  private static String why(Connected one) {
    return one.controller() + ": " + one.trouble();
  }

  private static int masteredOf(Progress now) {
    Integer mastered = now.mastered();
    return mastered == null ? now.masterable() : mastered;
  }

  /** A time in seconds. */
  static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f", millis / 1000.0);
  }

  /** What was said of a controller. It is silent until all its switches were connected once. */
  private final class ControllerLog {
    private boolean wasFull;
    private int said;
    private int last;
    private long changedMillis;
    private long lostMillis = NEVER;

    void see(Connected one, Progress now) {
      int count = one.switches();
      if (count != last) {
        last = count;
        changedMillis = now.millis();
      }
      if (count == now.switches()) {
        if (wasFull && lostMillis != NEVER) {
          add(
              now,
              one.controller()
                  + " has all "
                  + count
                  + " switches again, after "
                  + seconds(now.millis() - lostMillis)
                  + " s");
        }
        wasFull = true;
        said = count;
        lostMillis = NEVER;
      } else if (wasFull) {
        sayLoss(one, now);
      }
    }

    private void sayLoss(Connected one, Progress now) {
      if (lostMillis == NEVER) {
        lostMillis = now.millis();
      }
      boolean settled = now.millis() - changedMillis >= SETTLED_MILLIS;
      boolean fewer = one.switches() < said;
      if (fewer && (settled || now.millis() - lostMillis >= UNSETTLED_MILLIS)) {
        said = one.switches();
        String why = one.trouble() == null ? "" : ": " + one.trouble();
        add(now, one.controller() + " has " + said + " of " + now.switches() + " switches" + why);
      }
    }
  }

  /** What was said of masters. It is silent until all switches had one once. */
  private final class MasterLog {
    private boolean wasFull;
    private boolean said;
    private int most;
    private long lostMillis = NEVER;

    void see(Progress now) {
      if (now.mastered() == null) {
        return;
      }
      int missing = now.masterable() - masteredOf(now);
      if (missing == 0) {
        if (!wasFull && now.allConnected()) {
          add(now, "all " + now.masterable() + " switches have a master");
          wasFull = true;
        } else if (wasFull && lostMillis != NEVER) {
          add(
              now,
              "all switches have a master again: " + most + " had none, for up to " + took(now));
        }
        said = false;
        most = 0;
        lostMillis = NEVER;
      } else if (wasFull) {
        lostMillis = lostMillis == NEVER ? now.millis() : lostMillis;
        most = Math.max(most, missing);
        if (!said && now.millis() - lostMillis >= UNSETTLED_MILLIS) {
          said = true;
          add(now, missing + " of " + now.masterable() + " switches have no master");
        }
      }
    }

    private String took(Progress now) {
      return String.format(Locale.ROOT, "%.2f s", (now.millis() - lostMillis) / 1000.0);
    }
  }
}
