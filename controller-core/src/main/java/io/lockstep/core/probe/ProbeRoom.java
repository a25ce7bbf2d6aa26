package io.lockstep.core.probe;

import io.lockstep.core.mastership.MasteredSwitches;
import io.lockstep.core.node.NodeRoom;
import io.lockstep.core.node.PacketTaps;
import io.lockstep.core.southbound.SwitchConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;

/**
 * The node's probes: one at a time, of a switch that the node masters, on a thread of its own. It
 * offers itself to the admin HTTP. Thread-safe.
 */
public final class ProbeRoom implements NodeRoom {
  private final MasteredSwitches mastery;
  private final PacketTaps taps;
  private final LongSupplier nanoClock;
  private State state = State.NONE;
  private @Nullable Thread running;

  private ProbeRoom(MasteredSwitches mastery, PacketTaps taps, LongSupplier nanoClock) {
    this.mastery = mastery;
    this.taps = taps;
    this.nanoClock = nanoClock;
  }

  /** Makes the room in a node. */
  public static NodeRoom.Factory factory() {
    return node -> {
      ProbeRoom room =
          new ProbeRoom(node.mastery(), node.services().get(PacketTaps.class), node.nanoClock());
      node.services().offer(ProbeRoom.class, room);
      return room;
    };
  }

  /**
   * The last probe.
   *
   * @param number of the probe in this process, from 1; 0 where there was none
   * @param device of it; empty where there was none
   * @param running whether it goes on
   * @param progress a line for each step so far
   * @param report what was found, a line each; empty while it is not done
   * @param profile the switch profile that follows from it; empty while it is not done
   * @param error why it failed; empty where it did not
   * @param interrupted whether it failed since the switch or its mastership was lost on the way
   */
  public record State(
      int number,
      String device,
      boolean running,
      List<String> progress,
      List<String> report,
      String profile,
      String error,
      boolean interrupted) {
    static final State NONE = new State(0, "", false, List.of(), List.of(), "", "", false);

    public State {
      progress = List.copyOf(progress);
      report = List.copyOf(report);
    }
  }

  /** The last probe, or the one that is running. */
  public synchronized State state() {
    return state;
  }

  /**
   * What a probe of a switch would mean; waits for the switch and changes nothing.
   *
   * @throws ProbeException where this node does not master it, or it does not answer
   */
  public List<String> warnings(DeviceId device) throws ProbeException {
    try (ConnectionTarget target = target(device)) {
      return new SwitchProbe(target, SwitchProbe.Limits.DEFAULT).survey().warnings();
    }
  }

  /**
   * Begins a probe; returns its first state.
   *
   * @param despiteOthers whether to go on where entries of others are at risk
   * @throws ProbeException where this node does not master the switch, or probes already
   */
  public synchronized State start(DeviceId device, List<Integer> tables, boolean despiteOthers)
      throws ProbeException {
    if (running != null) {
      throw new ProbeException("this node probes " + state.device() + " just now");
    }
    ConnectionTarget target = target(device);
    int number = state.number() + 1;
    state = new State(number, device.toString(), true, List.of(), List.of(), "", "", false);
    Thread thread = new Thread(() -> run(target, device, tables, despiteOthers), "probe-" + device);
    thread.setDaemon(true);
    running = thread;
    thread.start();
    return state;
  }

  private ConnectionTarget target(DeviceId device) throws ProbeException {
    SwitchConnection connection = mastery.mastered(device);
    if (connection == null) {
      throw ProbeException.interrupted("this node does not master " + device);
    }
    return new ConnectionTarget(connection, taps, nanoClock);
  }

  private void run(
      ConnectionTarget target, DeviceId device, List<Integer> tables, boolean despiteOthers) {
    try (target) {
      ProbeReport report =
          new SwitchProbe(target, SwitchProbe.Limits.DEFAULT)
              .run(device.toString(), tables, despiteOthers, this::progress);
      String name = "probed-" + device.toString().replace("of:", "");
      end(report.lines(), ProfileInference.yaml(report, name), "", false);
    } catch (ProbeException e) {
      end(List.of(), "", String.valueOf(e.getMessage()), e.wasInterrupted());
    } catch (RuntimeException e) {
      end(List.of(), "", "the probe failed: " + e, false);
      throw e;
    }
  }

  private synchronized void progress(String line) {
    List<String> lines = new ArrayList<>(state.progress());
    lines.add(line);
    state = new State(state.number(), state.device(), true, lines, List.of(), "", "", false);
  }

  private synchronized void end(
      List<String> report, String profile, String error, boolean interrupted) {
    List<String> progress = state.progress();
    state =
        new State(
            state.number(), state.device(), false, progress, report, profile, error, interrupted);
    running = null;
  }

  /** A probe that is on is stopped; its rules go. */
  @Override
  public void close() {
    Thread thread;
    synchronized (this) {
      thread = running;
    }
    if (thread != null) {
      thread.interrupt();
    }
  }
}
