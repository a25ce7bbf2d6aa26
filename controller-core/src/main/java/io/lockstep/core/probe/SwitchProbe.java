package io.lockstep.core.probe;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.southbound.FlowStats;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Probes a switch. Its rules have a cookie prefix of their own ({@link Cookies#PROBE}) and the
 * lowest priorities there are, are taken out at the end, after a failure too, and go by themselves
 * where that is not possible. Used by one thread, which waits for the switch.
 */
public final class SwitchProbe {

  /**
   * Bounds of a probe.
   *
   * @param most rules of one structure that are tried, 2 to 262144
   * @param secondsToLive of its rules, 10 to 65535; a structure has to be done by then
   */
  public record Limits(int most, int secondsToLive) {
    /** 128 Ki rules, ten minutes. */
    public static final Limits DEFAULT = new Limits(1 << 17, 600);

    public Limits {
      if (most < 2 || most > 1 << 18 || secondsToLive < 10 || secondsToLive > 0xffff) {
        throw new IllegalArgumentException("out of bounds: " + most + ", " + secondsToLive);
      }
    }
  }

  /**
   * Whose entries are in the switch before a probe.
   *
   * @param own the nodes' and their applications'
   * @param others everybody else's
   * @param left of an earlier probe
   */
  public record Survey(int own, int others, int left) {
    /** What a probe means for them, a line each. */
    public List<String> warnings() {
      List<String> lines = new ArrayList<>();
      lines.add("The probe fills the switch's tables with rules of its own, again and again.");
      lines.add(
          "Meanwhile new flows and rules of applications may be refused or forwarded slowly;");
      lines.add(
          "what is installed stays, but the switch or the rule placer may move it to software.");
      lines.add(own + " entries are ours, " + others + " are of others.");
      if (left > 0) {
        lines.add(left + " entries are left of an earlier probe; they are removed.");
      }
      return lines;
    }
  }

  private final ProbeTarget target;
  private final Limits limits;

  /** A probe of a switch. */
  public SwitchProbe(ProbeTarget target, Limits limits) {
    this.target = target;
    this.limits = limits;
  }

  /** Looks at what is in the switch; changes nothing. */
  public Survey survey() throws ProbeException {
    int own = 0;
    int others = 0;
    int left = 0;
    for (FlowStats entry : target.entries()) {
      long cookie = entry.cookie();
      if (Cookies.isProbe(cookie)) {
        left++;
      } else if (Cookies.isOurs(cookie)) {
        own++;
      } else {
        others++;
      }
    }
    return new Survey(own, others, left);
  }

  /**
   * Probes tables.
   *
   * @param device for the report
   * @param tables numbers
   * @param despiteOthers whether to go on where entries of others are at risk
   * @param progress told of each row
   * @throws ProbeException where it was refused or could not be finished; its rules are out, or the
   *     message says that they are not
   */
  public ProbeReport run(
      String device, List<Integer> tables, boolean despiteOthers, Consumer<String> progress)
      throws ProbeException {
    Survey before = survey();
    if (before.others() > 0 && !despiteOthers) {
      throw new ProbeException(
          before.others()
              + " entries of others are in the switch: while its tables are full, they may be"
              + " forwarded slowly or be refused when they come again; nothing was done");
    }
    List<ProbeReport.Table> done = new ArrayList<>();
    try {
      ProbeRules.removeAll(target);
      for (int table : tables) {
        done.add(new TableProbe(target, limits, table, progress).probe());
        ProbeRules.removeAll(target);
      }
    } catch (ProbeException e) {
      throw afterwards(e);
    } catch (RuntimeException e) {
      e.addSuppressed(afterwards(new ProbeException("the probe failed: " + e)));
      throw e;
    }
    return new ProbeReport(device, target.openFlow(), before.own() + before.others(), done);
  }

  /** Cleans up, also where the probe was stopped, and tells whether it could. */
  private ProbeException afterwards(ProbeException failure) {
    boolean stopped = Thread.interrupted();
    try {
      ProbeRules.removeAll(target);
      return failure;
    } catch (ProbeException e) {
      return failure.and(
          e,
          "; its rules could not be removed ("
              + e.getMessage()
              + ") and go by themselves within "
              + limits.secondsToLive()
              + " s");
    } finally {
      if (stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
