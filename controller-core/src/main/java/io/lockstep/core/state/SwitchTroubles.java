package io.lockstep.core.state;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What this node met at switches and an operator should know: shown in the status for {@link
 * #SHOWN_MILLIS} after it was last reported. At most {@link #MAX_PER_SWITCH} troubles of a switch
 * are kept; further ones are left out, since what reports them also counts them. Beyond {@link
 * #MAX_SWITCHES} switches, the one whose trouble is new displaces the one whose was not reported
 * for longest: a peer may invent datapath ids. Thread-safe.
 */
public final class SwitchTroubles {
  /** How long a trouble stays after its last report. */
  public static final long SHOWN_MILLIS = 60_000;

  /** Troubles of one switch at one time. */
  static final int MAX_PER_SWITCH = 16;

  /** Switches with troubles at one time. */
  static final int MAX_SWITCHES = 4_096;

  private final LongSupplier nanoTime;

  /** The switch whose trouble was reported last comes last. Guarded by this. */
  private final Map<Long, Map<String, Trouble>> bySwitch = new LinkedHashMap<>();

  private record Trouble(String text, long atNanos) {}

  /**
   * No troubles.
   *
   * @param nanoTime a monotone clock
   */
  public SwitchTroubles(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Reports a trouble.
   *
   * @param about names it at its switch; a later report about the same replaces this one
   * @param text for people, with the remedy where there is one
   */
  public synchronized void report(long dpid, String about, String text) {
    purge(dpid);
    Map<String, Trouble> known = bySwitch.remove(dpid);
    Map<String, Trouble> here = known == null ? new LinkedHashMap<>() : known;
    if (bySwitch.size() >= MAX_SWITCHES) {
      bySwitch.remove(bySwitch.keySet().iterator().next());
    }
    bySwitch.put(dpid, here);
    if (here.size() < MAX_PER_SWITCH || here.containsKey(about)) {
      here.put(about, new Trouble(text, nanoTime.getAsLong()));
    }
  }

  /** The troubles of a switch, for people; empty where there are none. */
  public synchronized String of(long dpid) {
    purge(dpid);
    List<String> texts = new ArrayList<>();
    bySwitch.getOrDefault(dpid, Map.of()).values().forEach(trouble -> texts.add(trouble.text()));
    return String.join("; ", texts);
  }

  private void purge(long dpid) {
    Map<String, Trouble> here = bySwitch.get(dpid);
    if (here == null) {
      return;
    }
    long now = nanoTime.getAsLong();
    Iterator<Trouble> each = here.values().iterator();
    while (each.hasNext()) {
      if (now - each.next().atNanos() > TimeUnit.MILLISECONDS.toNanos(SHOWN_MILLIS)) {
        each.remove();
      }
    }
    if (here.isEmpty()) {
      bySwitch.remove(dpid);
    }
  }
}
