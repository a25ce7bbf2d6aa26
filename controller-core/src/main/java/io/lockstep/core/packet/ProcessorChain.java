package io.lockstep.core.packet;

import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.RankedApplication;
import io.lockstep.core.mastership.Mastery;
import io.lockstep.core.packet.PacketCounters.Fate;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.store.logging.LogLimit;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.onosproject.net.packet.DefaultOutboundPacket;
import org.onosproject.net.packet.DefaultPacketContext;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.packet.PacketInFilter;
import org.onosproject.net.packet.PacketPriority;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketProcessorEntry;
import org.onosproject.net.packet.PacketRequest;
import org.onosproject.net.packet.PacketService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * onos-api's packet service. Processors see a packet in the order of their priority (lowest number
 * first; of the same priority by the name of their class), and before an application that comes
 * later in this order ({@link RankedApplication#isBehind}). They run on the event loop of its
 * switch: one that blocks stops that switch. Without processors nothing is parsed or allocated. A
 * packet whose source is known at another place in use is not shown to them; when the node believes
 * the move, they see its first packet.
 *
 * <p>Packets can be sent only through switches that this node masters; others are counted and
 * dropped. A treatment may only send out of ports.
 */
public final class ProcessorChain implements PacketService {
  private static final Logger log = LoggerFactory.getLogger(ProcessorChain.class);

  private final Mastery mastery;
  private final Supplier<? extends NetworkView> network;
  private final PacketRequests requests;
  private final LongSupplier nanoTime;
  private final LogLimit logLimit;
  private final LongAdder refused = new LongAdder();
  private volatile List<Entry> processors = List.of();

  /**
   * A service without processors.
   *
   * @param network where {@link PortNumber#FLOOD} and {@link PortNumber#ALL} lead
   */
  public ProcessorChain(
      Mastery mastery,
      Supplier<? extends NetworkView> network,
      PacketRequests requests,
      LongSupplier nanoTime) {
    this.mastery = mastery;
    this.network = network;
    this.requests = requests;
    this.nanoTime = nanoTime;
    this.logLimit = new LogLimit(nanoTime);
  }

  /** Whether no processor is registered. */
  boolean isEmpty() {
    return processors.isEmpty();
  }

  /** How many packets could not be sent: not mastered here, queue full, or unsayable. */
  public long refused() {
    return refused.sum();
  }

  /** Begins to show a packet to the processors; null where it cannot be parsed. */
  @Nullable Showing show(FrameView view) {
    byte[] frame = view.frame();
    try {
      Ethernet parsed = Ethernet.deserializer().deserialize(frame, 0, frame.length);
      return new Showing(processors, new Context(view, parsed));
    } catch (DeserializationException | RuntimeException e) {
      return null;
    }
  }

  /**
   * One packet on its way past the processors, some before one application and some before the
   * next. Used on the event loop of the packet's switch.
   */
  final class Showing {
    private final List<Entry> entries;
    private final Context context;
    private int next;

    private Showing(List<Entry> entries, Context context) {
      this.entries = entries;
      this.context = context;
    }

    /**
     * Shows it to those that come before an application. Where one of them handled the packet, the
     * others see it, too, as onos-api says, and no further application is asked.
     *
     * @return {@link Fate#UNCLAIMED} where the application is to be asked
     */
    Fate before(RankedApplication application) {
      while (next < entries.size()) {
        Entry entry = entries.get(next);
        if (!application.isBehind(entry.priority, entry.name())) {
          break;
        }
        next++;
        if (!call(entry)) {
          return Fate.APPLICATION_FAILED;
        }
      }
      return context.isHandled() ? rest() : Fate.UNCLAIMED;
    }

    /** Shows it to all that have not seen it. */
    Fate rest() {
      while (next < entries.size()) {
        if (!call(entries.get(next++))) {
          return Fate.APPLICATION_FAILED;
        }
      }
      return context.isHandled() ? Fate.PROCESSED : Fate.UNCLAIMED;
    }

    private boolean call(Entry entry) {
      long start = nanoTime.getAsLong();
      try {
        entry.processor.process(context);
      } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
        String more = logLimit.admit(entry.name());
        if (more != null) {
          log.error("packet processor {} failed{}", entry.name(), more, e);
        }
        return false;
      }
      entry.invocations.increment();
      entry.nanos.add(nanoTime.getAsLong() - start);
      return true;
    }
  }

  @Override
  public void addProcessor(PacketProcessor processor, int priority) {
    synchronized (this) {
      List<Entry> next = new ArrayList<>(processors);
      next.removeIf(entry -> entry.processor == processor);
      next.add(new Entry(processor, priority));
      next.sort(Comparator.comparingInt(Entry::priority).thenComparing(Entry::name));
      processors = List.copyOf(next);
    }
  }

  @Override
  public void removeProcessor(PacketProcessor processor) {
    synchronized (this) {
      List<Entry> next = new ArrayList<>(processors);
      next.removeIf(entry -> entry.processor == processor);
      processors = List.copyOf(next);
    }
  }

  @Override
  public List<PacketProcessorEntry> getProcessors() {
    return List.copyOf(processors);
  }

  /** Refused: filters are not offered, and onos-api's default would ignore it. */
  @Override
  public void addFilter(PacketInFilter filter) {
    throw filters();
  }

  /** Refused as {@link #addFilter}. */
  @Override
  public void removeFilter(PacketInFilter filter) {
    throw filters();
  }

  /** Refused as {@link #addFilter}. */
  @Override
  public void clearFilters() {
    throw filters();
  }

  private static UnsupportedOperationException filters() {
    return new UnsupportedOperationException(
        "filters for packet-ins are not offered; add a packet processor with a low number instead");
  }

  @Override
  public void requestPackets(
      TrafficSelector selector, PacketPriority priority, ApplicationId appId) {
    requests.request(selector, priority, appId, Optional.empty());
  }

  @Override
  public void requestPackets(
      TrafficSelector selector,
      PacketPriority priority,
      ApplicationId appId,
      Optional<DeviceId> deviceId) {
    requests.request(selector, priority, appId, deviceId);
  }

  @Override
  public void cancelPackets(
      TrafficSelector selector, PacketPriority priority, ApplicationId appId) {
    requests.cancel(selector, priority, appId, Optional.empty());
  }

  @Override
  public void cancelPackets(
      TrafficSelector selector,
      PacketPriority priority,
      ApplicationId appId,
      Optional<DeviceId> deviceId) {
    requests.cancel(selector, priority, appId, deviceId);
  }

  @Override
  public List<PacketRequest> getRequests() {
    return requests.all();
  }

  @Override
  public void emit(OutboundPacket packet) {
    ByteBuffer data = packet.data().duplicate();
    byte[] frame = new byte[data.remaining()];
    data.get(frame);
    PortNumber inPort = packet.inPort();
    send(
        packet.sendThrough(),
        PacketIn.NO_BUFFER,
        inPort == null ? PortNumber.CONTROLLER : inPort,
        packet.treatment(),
        frame);
  }

  private void send(
      DeviceId device, long bufferId, PortNumber inPort, TrafficTreatment treatment, byte[] frame) {
    SwitchConnection connection = mastery.mastered(device);
    if (connection == null
        || !connection.packetOut(packetOut(device, bufferId, inPort, treatment, frame))) {
      refused.increment();
      String more = logLimit.admit(device.toString());
      if (more != null) {
        log.warn("a packet for {} with {} was not sent{}", device, treatment, more);
      }
    }
  }

  private PacketOut packetOut(
      DeviceId device, long bufferId, PortNumber inPort, TrafficTreatment treatment, byte[] frame) {
    List<PortNumber> ports = outputs(device, inPort, treatment);
    return ports == null
        ? new PacketOut(
            bufferId,
            inPort,
            PacketTreatments.alongTree(network.get(), device, inPort, treatment),
            frame)
        : new PacketOut(bufferId, inPort, ports, frame);
  }

  /** The ports to send to; null where the treatment asks for anything else. */
  private @Nullable List<PortNumber> outputs(
      DeviceId device, PortNumber inPort, TrafficTreatment treatment) {
    List<PortNumber> ports = new ArrayList<>();
    for (Instruction instruction : treatment.allInstructions()) {
      if (!(instruction instanceof OutputInstruction output)) {
        if (instruction.type() == Instruction.Type.NOACTION) {
          continue;
        }
        return null;
      }
      if (PacketTreatments.isFlood(output.port())) {
        ports.addAll(network.get().floodPorts(device, inPort));
      } else {
        ports.add(output.port());
      }
    }
    return ports;
  }

  private static final class Entry implements PacketProcessorEntry {
    final PacketProcessor processor;
    final LongAdder invocations = new LongAdder();
    final LongAdder nanos = new LongAdder();
    private final int priority;

    Entry(PacketProcessor processor, int priority) {
      this.processor = processor;
      this.priority = priority;
    }

    /** The name of its class, which orders processors of the same priority. */
    String name() {
      return processor.getClass().getName();
    }

    @Override
    public PacketProcessor processor() {
      return processor;
    }

    @Override
    public int priority() {
      return priority;
    }

    @Override
    public long invocations() {
      return invocations.sum();
    }

    @Override
    public long totalNanos() {
      return nanos.sum();
    }

    @Override
    public long averageNanos() {
      long times = invocations.sum();
      return times == 0 ? 0 : nanos.sum() / times;
    }
  }

  /** One packet as processors see it. */
  private final class Context extends DefaultPacketContext {
    private final FrameView view;

    Context(FrameView view, Ethernet parsed) {
      this(view, parsed, ByteBuffer.wrap(view.frame()).asReadOnlyBuffer());
    }

    private Context(FrameView view, Ethernet parsed, ByteBuffer bytes) {
      super(
          System.currentTimeMillis(),
          inbound(view, parsed, bytes),
          new DefaultOutboundPacket(
              view.deviceId(), DefaultTrafficTreatment.emptyTreatment(), bytes, view.inPort()),
          false);
      this.view = view;
    }

    private static InboundPacket inbound(FrameView view, Ethernet parsed, ByteBuffer bytes) {
      return new DefaultInboundPacket(
          new ConnectPoint(view.deviceId(), view.inPort()),
          parsed,
          bytes,
          Optional.of(view.packet().cookie()));
    }

    /** Sends the packet as the treatment builder says; at most once. */
    @Override
    public void send() {
      if (block()) {
        return;
      }
      PacketIn packet = view.packet();
      ByteBuffer data = outPacket().data().duplicate();
      byte[] frame = new byte[data.remaining()];
      data.get(frame);
      boolean buffered = packet.bufferId() != PacketIn.NO_BUFFER;
      ProcessorChain.this.send(
          view.deviceId(),
          packet.bufferId(),
          view.inPort(),
          treatmentBuilder().build(),
          buffered ? new byte[0] : frame);
    }
  }
}
