package io.lockstep.dataplane.model;

import io.lockstep.dataplane.flowtable.Action;
import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.FlowTable;
import io.lockstep.dataplane.flowtable.GroupMod;
import io.lockstep.dataplane.flowtable.Location;
import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.dataplane.flowtable.Pipeline;
import io.lockstep.dataplane.flowtable.PortNumbers;
import io.lockstep.dataplane.model.SwitchEvents.Drop;
import io.lockstep.dataplane.model.SwitchEvents.PortReason;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.packet.Packet;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.PolicyEngineProfile;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An OpenFlow switch without its channel: give it frames and requests with the time, it calls
 * {@link SwitchEvents}. What it holds and how fast it is, is said by its profile; without one it is
 * a switch after OpenFlow 1.3.5. Owned by one thread; time is in nanoseconds from any fixed point
 * and must not go back.
 */
public final class SwitchModel {
  private final SwitchFeatures features;
  private final SwitchEvents events;
  private final PacketBuffers buffers;
  private final @Nullable SoftwarePath software;
  private final NavigableMap<Integer, SwitchPort> ports = new TreeMap<>();
  private HardwareProfile profile;
  private Pipeline pipeline;
  private Forwarder forwarder;
  private FlowModTap tap = FlowModTap.NONE;
  private Instance instance = Instance.RUNNING;
  private boolean channelAllowed = true;

  /** A switch after the specification. */
  public SwitchModel(SwitchFeatures features, SwitchEvents events) {
    this(features, HardwareProfile.ideal(features.tables(), features.tableEntries()), events);
  }

  /**
   * @param features with as many tables as the profile
   */
  public SwitchModel(SwitchFeatures features, HardwareProfile profile, SwitchEvents events) {
    if (features.tables() != profile.tables().size()) {
      throw new IllegalArgumentException(
          features.tables() + " tables, but " + profile.tables().size() + " in the profile");
    }
    this.features = features;
    this.profile = profile;
    this.events = events;
    this.software = profile.software() == null ? null : new SoftwarePath(profile.software());
    this.buffers =
        new PacketBuffers(
            features.buffers(), TimeUnit.MILLISECONDS.toNanos(features.bufferHoldMillis()));
    this.pipeline = emptyPipeline();
    this.forwarder = newForwarder();
  }

  private Pipeline emptyPipeline() {
    return new Pipeline(profile, ports::containsKey, events::flowRemoved);
  }

  public SwitchFeatures features() {
    return features;
  }

  /** What the switch is a model of, as an operator has set it. */
  public HardwareProfile profile() {
    return profile;
  }

  /** The tables; others after OpenFlow was disabled or the switch restarted. */
  public Pipeline pipeline() {
    return pipeline;
  }

  /** The way of packets through the processor; null where every table is in hardware. */
  public @Nullable SoftwarePath software() {
    return software;
  }

  /** The ports by ascending number; a view. */
  public Collection<SwitchPort> ports() {
    return Collections.unmodifiableCollection(ports.values());
  }

  public @Nullable SwitchPort port(int number) {
    return ports.get(number);
  }

  /** Octets of a packet-in that no output action caused (section 7.3.2). */
  public int missSendLength() {
    return forwarder.missSendLength();
  }

  public void setMissSendLength(int octets) {
    forwarder.setMissSendLength(octets);
  }

  /** Adds a port before or while the switch runs; its number must be free and physical. */
  public SwitchPort addPort(int number, String name, Mac mac, boolean linkUp, long nowNanos) {
    if (!PortNumbers.isPhysical(number) || ports.containsKey(number)) {
      throw new IllegalArgumentException("port " + number + " is taken or reserved");
    }
    SwitchPort port = new SwitchPort(number, name, mac, linkUp, nowNanos);
    ports.put(number, port);
    events.portChanged(port, PortReason.ADDED);
    return port;
  }

  /** The cable was plugged or cut; tells the controllers when that changes the port. */
  public void setLink(int number, boolean up) {
    SwitchPort port = existing(number);
    if (port.linkUp() != up) {
      port.setLinkUp(up);
      events.portChanged(port, PortReason.MODIFIED);
    }
  }

  /** Port-mod (section 7.3.4.3); empty when done, else the error with nothing changed. */
  public Optional<ModelError> configurePort(int number, Mac mac, SwitchPort.Config config) {
    SwitchPort port = ports.get(number);
    if (port == null) {
      return Optional.of(ModelError.PORT_MOD_BAD_PORT);
    }
    if (!port.mac().equals(mac)) {
      return Optional.of(ModelError.PORT_MOD_BAD_HW_ADDR);
    }
    if (!port.config().equals(config)) {
      port.configure(config);
      events.portChanged(port, PortReason.MODIFIED);
    }
    return Optional.empty();
  }

  private SwitchPort existing(int number) {
    SwitchPort port = ports.get(number);
    if (port == null) {
      throw new IllegalArgumentException("no port " + number);
    }
    return port;
  }

  /**
   * A frame arrives by a physical port.
   *
   * @param frame not copied, must not be written to
   */
  public void receive(int inPort, byte[] frame, long nowNanos) {
    SwitchPort port = existing(inPort);
    if (!port.accepts()) {
      port.droppedIn();
      events.dropped(inPort, frame, Drop.PORT_CLOSED);
      return;
    }
    port.received(frame.length);
    expire(nowNanos);
    if (instance != Instance.RUNNING) {
      events.dropped(inPort, frame, Drop.OPENFLOW_OFF);
      return;
    }
    forwarder.run(new Packet(frame, inPort), nowNanos);
  }

  /**
   * Flow-mod (section 7.3.4.1); empty when done, else the error. With a buffer id the packet then
   * runs through the pipeline from table 0; an unknown id is an error although the entry stands.
   */
  public Optional<ModelError> flowMod(FlowMod mod, long nowNanos) {
    expire(nowNanos);
    if (instance != Instance.RUNNING) {
      return Optional.of(ModelError.NOT_PERMITTED);
    }
    Optional<ModelError> error = tap.carryOut(mod, () -> pipeline.apply(mod, nowNanos));
    tablesChanged();
    boolean buffered = mod.bufferId() != FlowMod.NO_BUFFER && !isDelete(mod);
    if (error.isPresent() || !buffered) {
      return error;
    }
    PacketBuffers.Held held = buffers.take(mod.bufferId());
    if (held == null) {
      return Optional.of(ModelError.BUFFER_UNKNOWN);
    }
    forwarder.run(new Packet(held.frame(), held.inPort()), nowNanos);
    return Optional.empty();
  }

  /** Group-mod (section 7.3.4.2); empty when done, else the error. */
  public Optional<ModelError> groupMod(GroupMod mod, long nowNanos) {
    expire(nowNanos);
    if (instance != Instance.RUNNING) {
      return Optional.of(ModelError.NOT_PERMITTED);
    }
    return pipeline.apply(mod, nowNanos);
  }

  /** Puts something between flow-mods and tables, instead of what was there. */
  public void tapFlowMods(FlowModTap other) {
    tap = other;
  }

  private static boolean isDelete(FlowMod mod) {
    return mod.command() == FlowMod.Command.DELETE
        || mod.command() == FlowMod.Command.DELETE_STRICT;
  }

  /**
   * Packet-out (section 7.3.7).
   *
   * @param bufferId the buffered packet to send, or {@link FlowMod#NO_BUFFER} to send {@code data}
   * @param inPort what IN_PORT and flooding refer to: a physical port or CONTROLLER
   */
  public Optional<ModelError> packetOut(
      int bufferId, int inPort, List<Action> actions, byte[] data, long nowNanos) {
    if (instance != Instance.RUNNING) {
      return Optional.of(ModelError.NOT_PERMITTED);
    }
    boolean known = inPort == PortNumbers.CONTROLLER || ports.containsKey(inPort);
    if (!known && inPort != PortNumbers.LOCAL) {
      return Optional.of(ModelError.BAD_REQUEST_PORT);
    }
    Optional<ModelError> error = pipeline.actionCheck().refusalOfPacketOut(actions);
    if (error.isPresent()) {
      return error;
    }
    byte[] frame = data;
    if (bufferId != FlowMod.NO_BUFFER) {
      PacketBuffers.Held held = buffers.take(bufferId);
      if (held == null) {
        return Optional.of(ModelError.BUFFER_UNKNOWN);
      }
      frame = held.frame();
    } else if (data.length == 0) {
      return Optional.of(ModelError.BAD_PACKET);
    }
    expire(nowNanos);
    forwarder.execute(actions, new Packet(frame, inPort), nowNanos);
    return Optional.empty();
  }

  /**
   * Removes what has timed out, moves entries and goes on with packets whose time has come; call it
   * at {@link #nextDeadlineNanos()}.
   */
  public void expire(long nowNanos) {
    boolean changed = pipeline.nextDeadlineNanos() <= nowNanos;
    for (long due = forwarder.nextDeadlineNanos();
        due <= nowNanos;
        due = forwarder.nextDeadlineNanos()) {
      pipeline.expire(due);
      forwarder.advance(due);
    }
    if (changed) {
      pipeline.expire(nowNanos);
      tablesChanged();
    }
  }

  /** When {@link #expire} has something to do at the earliest; Long.MAX_VALUE for never. */
  public long nextDeadlineNanos() {
    return Math.min(pipeline.nextDeadlineNanos(), forwarder.nextDeadlineNanos());
  }

  /** Looks for the faults that a switch has by what is in its tables. */
  private void tablesChanged() {
    PolicyEngineProfile engine = profile.policyEngine();
    if (engine != null
        && instance == Instance.RUNNING
        && engine.hangsWith(pipeline.count(Location.HARDWARE))) {
      instance = Instance.HUNG;
    }
    channelChanged();
  }

  private void channelChanged() {
    boolean allowed = instance == Instance.RUNNING;
    for (FlowTable table : pipeline.tables()) {
      allowed &= !(table.profile().losesController() && !table.entries().isEmpty());
    }
    if (allowed != channelAllowed) {
      channelAllowed = allowed;
      events.channelAllowed(allowed);
    }
  }

  /** The state of the switch's OpenFlow part. */
  public Instance instance() {
    return instance;
  }

  /**
   * An operator disables OpenFlow: the controllers are left, the tables emptied, packets dropped.
   *
   * @return false for an instance that hangs: only {@link #restart} helps
   */
  public boolean disableOpenFlow() {
    if (instance == Instance.HUNG) {
      return false;
    }
    startOver(Instance.DISABLED);
    return true;
  }

  /**
   * An operator enables OpenFlow again, with empty tables.
   *
   * @return false when it was not disabled
   */
  public boolean enableOpenFlow() {
    if (instance != Instance.DISABLED) {
      return false;
    }
    startOver(Instance.RUNNING);
    return true;
  }

  /** The switch is switched off and on. What an operator has set stays. */
  public void restart() {
    startOver(Instance.DISABLED);
    startOver(Instance.RUNNING);
  }

  /**
   * An operator sets OpenFlow's share of the hardware, in percent.
   *
   * @return false while OpenFlow is not disabled
   * @throws IllegalArgumentException for no percentage, or a switch without a policy engine
   */
  public boolean setPolicyShare(int percent) {
    HardwareProfile changed = profile.withPolicyShare(percent);
    if (instance != Instance.DISABLED) {
      return false;
    }
    profile = changed;
    return true;
  }

  private Forwarder newForwarder() {
    boolean missesToController = profile.isOpenFlow10();
    return new Forwarder(pipeline, software, buffers, ports, missesToController, events);
  }

  private void startOver(Instance next) {
    instance = next;
    int octets = forwarder.missSendLength();
    pipeline = emptyPipeline();
    forwarder = newForwarder();
    forwarder.setMissSendLength(octets);
    channelChanged();
  }

  /** States of the OpenFlow part. */
  public enum Instance {
    RUNNING,
    /** By an operator. */
    DISABLED,
    /** By a fault; forwards nothing and answers nobody. */
    HUNG
  }
}
