package io.lockstep.core.packet;

import io.lockstep.core.app.RankedApplication;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import io.lockstep.store.logging.LogLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketProcessorEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The chain of onos-api's packet processors and applications. Processors see a packet in the order
 * of their priority (lowest number first; of the same priority by the name of their class), and
 * before an application that comes later in this order ({@link RankedApplication#isBehind}). They
 * run on the event loop of its switch: one that blocks stops that switch. Without processors
 * nothing is parsed or allocated. A packet whose source is known at another place in use is not
 * shown to them; when the node believes the move, they see its first packet.
 */
public final class ProcessorChain {
  private static final Logger log = LoggerFactory.getLogger(ProcessorChain.class);

  private final PacketSender sender;
  private final ApplicationFailures failures;
  private final LongSupplier nanoTime;
  private final LogLimit logLimit;
  private volatile List<Entry> processors = List.of();

  /**
   * A chain without processors.
   *
   * @param sender sends what processors send
   * @param failures counts processors that throw
   * @param nanoTime a monotone clock
   */
  public ProcessorChain(PacketSender sender, ApplicationFailures failures, LongSupplier nanoTime) {
    this.sender = sender;
    this.failures = failures;
    this.nanoTime = nanoTime;
    this.logLimit = new LogLimit(nanoTime);
  }

  /** Whether no processor is registered. */
  boolean isEmpty() {
    return processors.isEmpty();
  }

  /** Begins to show a packet to the processors; null where it cannot be parsed. */
  @Nullable ProcessorPass show(FrameView view) {
    byte[] frame = view.frame();
    try {
      Ethernet parsed = Ethernet.deserializer().deserialize(frame, 0, frame.length);
      return new ProcessorPass(processors, new ProcessorContext(view, parsed, sender));
    } catch (DeserializationException | RuntimeException e) {
      return null;
    }
  }

  /**
   * One packet on its way past the processors, some before one application and some before the
   * next. Used on the event loop of the packet's switch.
   */
  final class ProcessorPass {
    private final List<Entry> entries;
    private final ProcessorContext context;
    private int next;

    private ProcessorPass(List<Entry> entries, ProcessorContext context) {
      this.entries = entries;
      this.context = context;
    }

    /**
     * Shows it to those that come before an application. Where one of them handled the packet, the
     * others see it, too, as onos-api says, and no further application is asked.
     *
     * @return {@link PacketResult#UNCLAIMED} where the application is to be asked
     */
    PacketResult before(RankedApplication application) {
      while (next < entries.size()) {
        Entry entry = entries.get(next);
        if (!application.isBehind(entry.priority, entry.name())) {
          break;
        }
        next++;
        if (!call(entry)) {
          return PacketResult.APPLICATION_FAILED;
        }
      }
      return context.isHandled() ? rest() : PacketResult.UNCLAIMED;
    }

    /** Shows it to all that have not seen it. */
    PacketResult rest() {
      while (next < entries.size()) {
        if (!call(entries.get(next++))) {
          return PacketResult.APPLICATION_FAILED;
        }
      }
      return context.isHandled() ? PacketResult.PROCESSED : PacketResult.UNCLAIMED;
    }

    private boolean call(Entry entry) {
      long start = nanoTime.getAsLong();
      try {
        entry.processor.process(context);
      } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
        failures.count(entry.name(), "failed on a packet", e);
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

  /** Adds a processor; one that is there gets the new priority. */
  void add(PacketProcessor processor, int priority) {
    synchronized (this) {
      List<Entry> next = new ArrayList<>(processors);
      next.removeIf(entry -> entry.processor == processor);
      next.add(new Entry(processor, priority));
      next.sort(Comparator.comparingInt(Entry::priority).thenComparing(Entry::name));
      processors = List.copyOf(next);
    }
  }

  /** Removes a processor. */
  void remove(PacketProcessor processor) {
    synchronized (this) {
      List<Entry> next = new ArrayList<>(processors);
      next.removeIf(entry -> entry.processor == processor);
      processors = List.copyOf(next);
    }
  }

  /** The processors in their order. */
  List<PacketProcessorEntry> entries() {
    return List.copyOf(processors);
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
}
