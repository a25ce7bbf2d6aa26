package io.lockstep.deploy.placed.oracle;

import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.dataplane.flowtable.Pipeline;
import io.lockstep.dataplane.flowtable.Pipeline.Origin;
import io.lockstep.dataplane.flowtable.Pipeline.Traversal;
import io.lockstep.dataplane.flowtable.PortNumbers;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.network.EmulatedSwitch;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.packet.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * An emulated switch that is looked at behind every flow-mod: many packets go through its own
 * tables, with hardware before software as its profile says, and each has to get what the rules
 * that were asked for say. Only the time that its processor takes is left out. It can be told to
 * refuse flow-mods. Its counters see the packets too, so rules follow them. Thread-safe.
 */
public final class WatchedModel {
  /** A switch that keeps what it confirms. */
  public static final Predicate<FlowMod> NOTHING = mod -> false;

  private static final int IN_PORTS = 3;

  /** So many are enough to know. */
  private static final int MOST_MISMATCHES = 5;

  /** Answers besides those of rules. */
  private static final long DEAD = -4;

  private static final long MISSED = -5;
  private static final long UNKNOWN = -6;

  /** Says with which error a flow-mod is refused, empty to carry it out; on the switch's thread. */
  public volatile Function<FlowMod, Optional<ModelError>> refuses = mod -> Optional.empty();

  /** Says which flow-mods are confirmed and not carried out; on the switch's thread. */
  public volatile Predicate<FlowMod> loses = NOTHING;

  /** Packets behind each flow-mod; 0 for not looking. */
  public volatile int packetsPerState;

  private final EmulatedSwitch device;
  private final LogicalTable table;
  private final RuleShapes shapes;
  private final List<String> wrong = new ArrayList<>();
  private long flowMods;
  private long refused;
  private long packets;
  private long mismatches;

  /** Watches a switch, from its first flow-mod on; its ports are made here. */
  public WatchedModel(EmulatedSwitch device, LogicalTable table, Random random) {
    this.device = device;
    this.table = table;
    this.shapes = new RuleShapes(random, table.mark());
    device.inspect(this::prepare).join();
  }

  private SwitchModel prepare(SwitchModel model) {
    for (int port = 1; port <= IN_PORTS; port++) {
      model.addPort(port, "in" + port, new Mac(port), true, 0);
    }
    int outPorts = table.mark() == WantedRule.Mark.NUMBER ? 4 : WantedRule.PORTS;
    for (long answer = 0; answer < outPorts; answer++) {
      int port = WantedRule.port(table.mark(), answer);
      model.addPort(port, "out" + port, new Mac(port), true, 0);
    }
    model.tapFlowMods((mod, tables) -> carryOut(model, mod, tables));
    return model;
  }

  private Optional<ModelError> carryOut(
      SwitchModel model, FlowMod mod, Supplier<Optional<ModelError>> tables) {
    Optional<ModelError> error = refuses.apply(mod);
    if (error.isEmpty() && !loses.test(mod)) {
      error = tables.get();
    }
    synchronized (table) { // the rules asked for do not change while a state is looked at
      flowMods++;
      refused += error.isPresent() ? 1 : 0;
      look(model, packetsPerState, "behind " + mod + " " + error);
    }
    return error;
  }

  private void look(SwitchModel model, int count, String when) {
    LogicalTable.State state = table.state();
    for (int i = 0; i < count && mismatches < MOST_MISMATCHES; i++) {
      Header header = shapes.packet(table);
      String problem = state.wrong(header, answer(model, header));
      if (problem != null) {
        mismatches++;
        wrong.add(problem + "; " + when);
      }
      packets++;
    }
  }

  private long answer(SwitchModel model, Header header) {
    Outcome outcome = new Outcome(model.pipeline(), table.mark());
    model
        .pipeline()
        .process(new Packet(header.bytes(), header.inPort()), System.nanoTime(), outcome);
    boolean missGoesUp = model.profile().isOpenFlow10();
    return outcome.answer == MISSED && missGoesUp ? LogicalTable.CONTROLLER : outcome.answer;
  }

  /** Whether packets that no rule matches, and those of link discovery, go to the controller. */
  public boolean sendsUp() {
    Header plain = new Header().set(Field.IN_PORT, 1).set(Field.ETH_TYPE, 0x1234);
    Header lldp = new Header().set(Field.IN_PORT, 1).set(Field.ETH_TYPE, Field.LLDP);
    return device
        .inspect(
            model ->
                answer(model, plain) == LogicalTable.CONTROLLER
                    && answer(model, lldp) == LogicalTable.CONTROLLER)
        .join();
  }

  /** Entries in all its tables. */
  public int entries() {
    return device
        .inspect(
            model ->
                model.pipeline().tables().stream().mapToInt(each -> each.entries().size()).sum())
        .join();
  }

  /** Looks at the switch as it is now. */
  public void look(int count) {
    device
        .inspect(
            model -> {
              synchronized (table) {
                look(model, count, "at rest");
              }
              return count;
            })
        .join();
  }

  /** What was seen that must not be; some of it. */
  public List<String> wrong() {
    synchronized (table) {
      return List.copyOf(wrong);
    }
  }

  /** Figures so far. */
  public Counts counts() {
    synchronized (table) {
      return new Counts(flowMods, refused, packets, mismatches);
    }
  }

  /**
   * Figures of a run.
   *
   * @param flowMods that arrived, refused ones included
   * @param packets that were looked at, spread over the states behind them
   * @param mismatches packets that got something else than they should
   */
  public record Counts(long flowMods, long refused, long packets, long mismatches) {}

  /** Where one packet goes. */
  private static final class Outcome implements Pipeline.Exit {
    private final Pipeline pipeline;
    private final WantedRule.Mark mark;
    private long answer = WantedRule.DROP;

    Outcome(Pipeline pipeline, WantedRule.Mark mark) {
      this.pipeline = pipeline;
      this.mark = mark;
    }

    @Override
    public void output(Packet packet, Output output, Origin origin) {
      if (output.port() == PortNumbers.CONTROLLER) {
        answer = LogicalTable.CONTROLLER;
        return;
      }
      long known = WantedRule.answer(mark, packet.get(OxmField.ETH_DST), output.port());
      answer = known == WantedRule.ABSENT ? UNKNOWN : known;
    }

    @Override
    public void missed(Packet packet, int tableId) {
      answer = MISSED;
    }

    @Override
    public void toProcessor(Traversal traversal) {
      pipeline.resume(traversal, System.nanoTime(), this);
    }

    @Override
    public void stuck(Packet packet) {
      answer = DEAD;
    }

    @Override
    public void invalidTtl(Packet packet, Origin origin) {
      answer = UNKNOWN;
    }
  }
}
