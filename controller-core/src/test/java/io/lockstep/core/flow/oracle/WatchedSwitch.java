package io.lockstep.core.flow.oracle;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchFeatures;
import io.lockstep.core.southbound.TableStats;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.PortDescription;

/**
 * A switch that is looked at with many packets behind every single flow-mod: it must be one logical
 * table, in any order in which it executes flow-mods without a barrier between them, and a rule
 * that the service calls installed must not have lost its packets to a rule below. It can refuse
 * flow-mods at random. A connection can be cut after a number of flow-mods; what is sent later is
 * never executed. Thread-safe.
 */
public final class WatchedSwitch {
  private static final int PACKETS = 60;

  /** What must be true of a packet besides; gives what is wrong, or null. */
  public interface Check {
    @Nullable String wrong(Frame frame, String action);
  }

  private final TableSwitch tables = new TableSwitch();
  private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
  private final Random random;
  private final long dpid;

  /** Refuses some flow-mods with an error. */
  public volatile Function<FlowMod, @Nullable String> refuses = mod -> null;

  /** Makes the packets that it is looked at with. */
  public volatile Function<Random, Frame> packets = Frame::random;

  /** Looks at packets too. */
  public volatile Check check = (frame, action) -> null;

  private volatile CompletableFuture<Void> answers = CompletableFuture.completedFuture(null);
  private volatile CompletableFuture<Void> statistics = CompletableFuture.completedFuture(null);

  /** Whether the flow-mods so far have made the switch one; from then on it is looked at. */
  public volatile boolean watched;

  public WatchedSwitch(long dpid, Random random) {
    this.dpid = dpid;
    this.random = random;
  }

  /**
   * Flow-mods are executed as ever, and confirmed when what is given is completed; it is for those
   * of the time until this is called again.
   */
  public CompletableFuture<Void> holdAnswers() {
    CompletableFuture<Void> free = new CompletableFuture<>();
    answers = free;
    return free;
  }

  /** Flow statistics are what they were when asked for, and are sent when this is completed. */
  public CompletableFuture<Void> holdStatistics() {
    CompletableFuture<Void> free = new CompletableFuture<>();
    statistics = free;
    return free;
  }

  /** Does something with the tables. */
  public synchronized <T> T with(Function<TableSwitch, T> work) {
    return work.apply(tables);
  }

  /** What was seen that must not be. */
  public List<String> wrong() {
    return List.copyOf(wrong);
  }

  /** Without a barrier between them a switch may execute flow-mods in any order (section 6.2). */
  private synchronized List<Integer> order(int flowMods) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < flowMods; i++) {
      numbers.add(i);
    }
    if (watched) {
      Collections.shuffle(numbers, random);
    }
    return numbers;
  }

  private synchronized @Nullable String execute(FlowMod mod) {
    String refused = refuses.apply(mod);
    if (refused != null) {
      return refused;
    }
    String error = tables.apply(mod);
    if (watched) {
      look(mod);
    }
    return error;
  }

  private void look(FlowMod mod) {
    for (int i = 0; i < PACKETS; i++) {
      Frame frame = packets.apply(random);
      String action = tables.follow(frame);
      String logical = tables.asOneTable(frame);
      String problem =
          action.equals(logical) ? check.wrong(frame, action) : "one table would do " + logical;
      if (problem != null && wrong.size() < 5) {
        wrong.add(frame + " gets " + action + "; " + problem + ", behind " + mod);
      }
    }
  }

  /** A connection of a master. */
  public Connection connect() {
    return new Connection();
  }

  /** One connection. */
  public final class Connection implements SwitchConnection {
    private int left = Integer.MAX_VALUE;

    /** Executes only so many flow-mods more; then nothing is heard of it. */
    public synchronized void cutAfter(int flowMods) {
      left = flowMods;
    }

    /** Whether nothing more is executed. */
    public synchronized boolean cut() {
      return left <= 0;
    }

    private synchronized boolean take() {
      if (left <= 0) {
        return false;
      }
      left--;
      return true;
    }

    @Override
    public DeviceId deviceId() {
      return SwitchPort.device(dpid);
    }

    @Override
    public long dpid() {
      return dpid;
    }

    @Override
    public SwitchFeatures features() {
      return new SwitchFeatures("OpenFlow 1.3", "127.0.0.1:1", "m", "h", "s", "n", "d", 0, 2);
    }

    @Override
    public List<PortDescription> ports() {
      return List.of();
    }

    @Override
    public @Nullable PortDescription port(long number) {
      return null;
    }

    @Override
    public boolean isOpen() {
      return !cut();
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public CompletableFuture<RoleOutcome> requestRole(SwitchRole role, long generationId) {
      return CompletableFuture.completedFuture(new RoleOutcome.Granted(role, generationId));
    }

    @Override
    public boolean packetOut(PacketOut packetOut) {
      return true;
    }

    @Override
    public boolean flowMods(List<FlowMod> mods) {
      // What the switch says of them is for callers that wait.
      CompletableFuture<List<FlowModOutcome>> unused = flowModsConfirmed(mods);
      return true;
    }

    @Override
    public CompletableFuture<List<FlowModOutcome>> flowModsConfirmed(List<FlowMod> mods) {
      List<FlowModOutcome> outcomes =
          new ArrayList<>(Collections.nCopies(mods.size(), new FlowModOutcome.Installed()));
      for (int number : order(mods.size())) {
        if (!take()) {
          return new CompletableFuture<>(); // the master is dead
        }
        String error = WatchedSwitch.this.execute(mods.get(number));
        if (error != null) {
          outcomes.set(number, new FlowModOutcome.Refused(error));
        }
      }
      with(tables -> ++tables.batches);
      return cut() ? new CompletableFuture<>() : answers.thenApply(free -> List.copyOf(outcomes));
    }

    @Override
    public CompletableFuture<Answer<List<FlowStats>>> flowStats() {
      if (cut()) {
        return new CompletableFuture<>();
      }
      List<FlowStats> now = with(TableSwitch::stats);
      return statistics.thenApply(free -> new Answer.Of<>(now));
    }

    @Override
    public CompletableFuture<Answer<List<TableStats>>> tableStats() {
      return CompletableFuture.completedFuture(new Answer.Of<>(List.of()));
    }

    @Override
    public void close(String reason) {}
  }
}
