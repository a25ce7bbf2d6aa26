package io.lockstep.bench.figures;

import io.lockstep.bench.compare.PaperTables;
import io.lockstep.bench.compare.PaperTables.PaperOperation;
import io.lockstep.bench.figures.FigureRow.OperationSize;
import io.lockstep.bench.variant.RecordedTrace;
import io.lockstep.bench.variant.Variant;
import io.lockstep.bench.variant.VariantNode.TracedApplication;
import io.lockstep.bench.variant.WorkloadEvent;
import io.lockstep.core.trace.TracedOperation;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.Request;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.Response;
import io.lockstep.store.codec.ResponseEncoder;
import io.lockstep.store.engine.bftsmart.WireBytes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of operations, from the committed traces, beside tables I and II of the paper. Of an
 * operation that several events asked it gives the median.
 */
public final class OperationRows {
  static final String TABLE_I = "Table I";
  static final String TABLE_II = "Table II";

  private static final List<Variant> COLUMNS =
      List.of(Variant.INIT, Variant.CREF, Variant.VERS, Variant.COLS, Variant.MICRO);

  /** In the order of the paper's tables. */
  private static final Map<String, TracedApplication> WORKLOADS = workloads();

  private static final List<String> CACHED = List.of("ls-ucast", "lb-vip", "dm-known");

  /** What the node itself asks where the product's device manager has to write. */
  private static final String HOSTS_CHANGE = "hosts.change";

  /** The number of an operation of a client that has run for a while: 3 bytes. */
  private static final long OPERATION = 100_000;

  private static final int MOST_EVENTS = 10_000;

  private OperationRows() {}

  private static Map<String, TracedApplication> workloads() {
    Map<String, TracedApplication> all = new LinkedHashMap<>();
    all.put("ls-bcast", TracedApplication.LEARNING_SWITCH);
    all.put("ls-ucast", TracedApplication.LEARNING_SWITCH);
    all.put("lb-arp", TracedApplication.LOAD_BALANCER);
    all.put("lb-vip", TracedApplication.LOAD_BALANCER);
    all.put("dm-known", TracedApplication.DEVICE_MANAGER);
    all.put("dm-unknown", TracedApplication.DEVICE_MANAGER);
    return all;
  }

  /**
   * All rows: those of table I with the product's own way behind the paper's columns, then those of
   * table II. Own ways without an operation have no row.
   *
   * @param root of the repository
   * @throws IOException where a committed trace cannot be read; the message names it
   */
  public static List<OperationSize> read(Path root) throws IOException {
    List<OperationSize> rows = new ArrayList<>();
    for (Map.Entry<String, TracedApplication> one : WORKLOADS.entrySet()) {
      for (Variant variant : COLUMNS) {
        rows.addAll(ofPaper(TABLE_I, one.getKey(), variant, trace(root, one.getValue(), variant)));
      }
      rows.addAll(own(one.getKey(), trace(root, one.getValue(), Variant.OWN)));
    }
    for (String workload : CACHED) {
      TracedApplication application = WORKLOADS.get(workload);
      if (application != null) {
        rows.addAll(
            ofPaper(TABLE_II, workload, Variant.CACHE, trace(root, application, Variant.CACHE)));
      }
    }
    return rows;
  }

  private static RecordedTrace trace(Path root, TracedApplication application, Variant variant)
      throws IOException {
    return RecordedTrace.read(RecordedTrace.committed(root, application, variant), MOST_EVENTS);
  }

  private static List<OperationSize> ofPaper(
      String figure, String workload, Variant variant, RecordedTrace trace) {
    List<PaperOperation> paper = PaperTables.operations(workload, variant.label());
    List<WorkloadEvent> whole =
        trace.of(workload).stream().filter(event -> event.isWhole(variant)).toList();
    List<OperationSize> rows = new ArrayList<>();
    for (int step = 0; step < paper.size(); step++) {
      int at = step;
      PaperOperation printed = paper.get(step);
      rows.add(
          row(
              new Place(figure, workload, variant, step + 1, printed.what()),
              whole.stream().map(event -> event.operations().get(at)).toList(),
              printed));
    }
    return rows;
  }

  private static List<OperationSize> own(String workload, RecordedTrace trace) {
    if (workload.equals("dm-unknown")) {
      List<TracedOperation> changes =
          trace.core().stream().filter(one -> one.cause().equals(HOSTS_CHANGE)).toList();
      Place place = new Place(TABLE_I, workload, Variant.OWN, 1, HOSTS_CHANGE + " of the node");
      return List.of(row(place, changes, null));
    }
    List<WorkloadEvent> events = trace.of(workload);
    List<OperationSize> rows = new ArrayList<>();
    int steps = events.stream().mapToInt(event -> event.operations().size()).min().orElse(0);
    for (int step = 0; step < steps; step++) {
      int at = step;
      List<TracedOperation> asked =
          events.stream().map(event -> event.operations().get(at)).toList();
      TracedOperation first = asked.get(0);
      String what = first.type() + " " + first.target();
      rows.add(row(new Place(TABLE_I, workload, Variant.OWN, step + 1, what), asked, null));
    }
    return rows;
  }

  /** Where a row stands. */
  private record Place(
      String figure, String workload, Variant variant, int step, String operation) {}

  private static OperationSize row(
      Place place, List<TracedOperation> asked, @Nullable PaperOperation paper) {
    TracedOperation request = median(asked, TracedOperation::requestBytes);
    TracedOperation reply = median(asked, TracedOperation::replyBytes);
    boolean isWrite = paper != null ? paper.isWrite() : request != null && !request.isRead();
    return new OperationSize(
        place.figure(),
        place.workload(),
        place.variant().label(),
        place.step(),
        place.operation(),
        isWrite ? "W" : "R",
        request == null ? null : request.requestBytes(),
        reply == null ? null : reply.replyBytes(),
        request == null ? null : wireRequestBytes(request),
        reply == null ? null : wireReplyBytes(reply),
        paper == null ? null : paper.requestBytes(),
        paper == null ? null : paper.replyBytes(),
        SizeReasons.of(request, reply, paper));
  }

  private static @Nullable TracedOperation median(
      List<TracedOperation> asked, ToIntFunction<TracedOperation> bytes) {
    return asked.isEmpty()
        ? null
        : asked.stream().sorted(Comparator.comparingInt(bytes)).toList().get(asked.size() / 2);
  }

  /** The message that carries the operation alone from a client to one replica. */
  static int wireRequestBytes(TracedOperation operation) {
    Request request =
        new Request(1, OPERATION, List.of(new Request.Operation(OPERATION, operation.command())));
    return WireBytes.ofRequest(RequestEncoder.encode(request).length);
  }

  /** The message that carries the reply alone from one replica; 0 without a reply. */
  static int wireReplyBytes(TracedOperation operation) {
    Reply reply = operation.reply();
    return reply == null
        ? 0
        : WireBytes.ofReply(
            ResponseEncoder.encode(new Response(Response.Status.OK, "", List.of(reply))).length);
  }
}
