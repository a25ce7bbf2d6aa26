package io.lockstep.bench.replay;

import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.variant.RecordedTrace;
import io.lockstep.bench.variant.WorkloadEvent;
import io.lockstep.core.trace.TraceException;
import io.lockstep.core.trace.TracedOperation;
import io.lockstep.store.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The messages of a recorded trace. */
final class RecordedMessages {
  /** The number of an operation within its request, which a trace leaves out. */
  private static final int NUMBER_BYTES = 1;

  private RecordedMessages() {}

  /**
   * Reads the events of one workload, without attempts that were refused. Events with other
   * operations than most are left out: they ended early, since a target was missing or all attempts
   * were refused.
   *
   * @return not empty
   * @throws BenchException where the file is no whole trace, or has no such event
   */
  static List<List<Message>> read(Path file, String workload) throws BenchException {
    RecordedTrace trace;
    try {
      trace = RecordedTrace.read(file, MessageReplay.KEYS);
    } catch (TraceException e) {
      throw new BenchException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new BenchException("cannot read " + file + ": " + e.getMessage(), e);
    }
    if (trace.reading().end() == null) {
      throw new BenchException(
          file + " is cut: it was not ended with ./lockstep record stop; record it again");
    }
    List<List<Message>> events =
        usual(trace.of(workload)).stream().map(RecordedMessages::messages).toList();
    if (events.isEmpty()) {
      throw new BenchException(
          file
              + " has no event "
              + workload
              + ", but "
              + trace.events().stream()
                  .map(WorkloadEvent::workload)
                  .distinct()
                  .sorted()
                  .collect(Collectors.joining(", ")));
    }
    return events;
  }

  private static List<WorkloadEvent> usual(List<WorkloadEvent> events) {
    return events.stream().collect(Collectors.groupingBy(WorkloadEvent::types)).values().stream()
        .max(Comparator.comparingInt(List::size))
        .orElse(List.of());
  }

  private static List<Message> messages(WorkloadEvent event) {
    return event.operations().stream().map(RecordedMessages::message).toList();
  }

  private static Message message(TracedOperation operation) {
    return new Message(
        !operation.isRead(),
        operation.requestBytes() + NUMBER_BYTES,
        isNothing(operation) ? 0 : operation.replyBytes());
  }

  private static boolean isNothing(TracedOperation operation) {
    return operation.reply() instanceof Reply.Absent;
  }
}
