package io.lockstep.bench.variant;

import io.lockstep.bench.variant.VariantNode.TracedApplication;
import io.lockstep.core.trace.TraceEvents;
import io.lockstep.core.trace.TraceException;
import io.lockstep.core.trace.TraceHeader;
import io.lockstep.core.trace.TraceReader;
import io.lockstep.core.trace.TracedEvent;
import io.lockstep.core.trace.TracedOperation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A trace of one application in one variant, read into memory. Immutable.
 *
 * @param events those that the paper has a name for, in the order of their ends
 * @param core what the node itself asked, in the order of answers
 * @param reading how the trace ended
 */
public record RecordedTrace(
    TraceHeader header,
    List<WorkloadEvent> events,
    List<TracedOperation> core,
    TraceEvents.Reading reading) {
  /** Operations of the core that are kept, at most. */
  private static final int MOST_OF_THE_CORE = 10_000;

  public RecordedTrace {
    events = List.copyOf(events);
    core = List.copyOf(core);
  }

  /**
   * Where the committed trace of an application in a variant is, in the repository of this root.
   */
  public static Path committed(Path root, TracedApplication application, Variant variant) {
    return root.resolve("bench").resolve("traces").resolve(name(application, variant));
  }

  /** The name of such a file. */
  public static String name(TracedApplication application, Variant variant) {
    return application.label() + "-" + variant.label() + ".trace";
  }

  /**
   * Reads a trace.
   *
   * @param mostOfAWorkload so many events of each workload are kept, the first ones
   * @throws TraceException where it is no trace, or damaged: the message names file, place and
   *     remedy
   * @throws IOException where the file cannot be read
   */
  public static RecordedTrace read(Path file, int mostOfAWorkload) throws IOException {
    List<WorkloadEvent> events = new ArrayList<>();
    List<TracedOperation> core = new ArrayList<>();
    Map<String, Integer> kept = new HashMap<>();
    TraceEvents.Sink sink =
        new TraceEvents.Sink() {
          @Override
          public void event(TracedEvent event) {
            WorkloadEvent.of(event)
                .filter(one -> kept.merge(one.workload(), 1, Integer::sum) <= mostOfAWorkload)
                .ifPresent(events::add);
          }

          @Override
          public void core(TracedOperation operation) {
            if (core.size() < MOST_OF_THE_CORE) {
              core.add(operation);
            }
          }
        };
    try (TraceReader reader = TraceReader.open(file)) {
      TraceEvents.Reading reading = TraceEvents.read(reader, sink);
      TraceException damage = reading.damage();
      if (damage != null) {
        throw damage;
      }
      return new RecordedTrace(reader.header(), events, core, reading);
    }
  }

  /** The events of one workload. */
  public List<WorkloadEvent> of(String workload) {
    return events.stream().filter(event -> event.workload().equals(workload)).toList();
  }
}
