package io.lockstep.deploy.status;

import io.lockstep.deploy.status.TraceSummary.Shape;
import io.lockstep.deploy.status.TraceSummary.ShownEvent;
import io.lockstep.deploy.status.TraceSummary.ShownOperation;
import io.lockstep.deploy.status.TraceSummary.ShownTrace;
import io.lockstep.deploy.status.TraceSummary.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What {@code lockstep record show} prints. Pure. */
public final class TraceText {
  private static final String NONE = "";

  private TraceText() {}

  /** A trace in lines. */
  public static List<String> lines(ShownTrace trace) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "node %s of cluster %s, Lockstep %s, from %s, %.1f s",
            trace.node(),
            trace.cluster(),
            trace.version(),
            trace.started(),
            trace.seconds()));
    lines.add(
        trace.events()
            + " events with "
            + trace.operations()
            + " operations; the trace "
            + ended(trace.ended())
            + (trace.lost() == 0 ? "" : "; INCOMPLETE: " + trace.lost() + " records were lost")
            + (trace.earlier() == 0
                ? ""
                : "; " + trace.earlier() + " operations of events that began before are left out"));
    if (!trace.shapes().isEmpty()) {
      lines.add("");
      lines.addAll(shapes(trace.shapes()));
    }
    if (!trace.core().isEmpty()) {
      lines.add("");
      lines.addAll(core(trace.core()));
    }
    trace.firstEvents().forEach(event -> lines.addAll(event(event)));
    if (!trace.firstCoreOperations().isEmpty()) {
      lines.add("");
      lines.add("operations of the core");
      lines.addAll(operations(trace.firstCoreOperations()));
    }
    return lines;
  }

  private static String ended(String how) {
    return switch (how) {
      case "stopped" -> "is whole";
      case "full" -> "ended when its file was full";
      case "low-disk" -> "ended when the disk had too little room";
      case "cut" -> "is cut: its last whole block is the last that is shown";
      default -> "is damaged: what comes before the damage is shown";
    };
  }

  private static List<String> shapes(List<Shape> shapes) {
    TextTable table =
        new TextTable(
            "APPLICATION",
            "EVENT",
            "NUMBER",
            "OUTCOME",
            "STEP",
            "ACCESS",
            "TYPE",
            "TABLE OR COMPONENT",
            "ASKED B",
            "ANSWERED B",
            "MS");
    for (Shape shape : shapes) {
      table.row(
          shape.application(),
          shape.event(),
          shape.events(),
          outcomes(shape.outcomes()),
          shape.operations().size() + " in all",
          NONE,
          NONE,
          NONE,
          NONE,
          NONE,
          millis(shape.meanMillis()));
      int number = 0;
      for (Step step : shape.operations()) {
        number++;
        table.row(
            NONE,
            NONE,
            NONE,
            NONE,
            number,
            step.access(),
            step.type(),
            step.target(),
            bytes(step.requestBytes()),
            bytes(step.replyBytes()),
            millis(step.meanMillis()));
      }
    }
    return table.lines();
  }

  private static String outcomes(Map<String, Long> outcomes) {
    return outcomes.size() == 1
        ? outcomes.keySet().iterator().next()
        : outcomes.entrySet().stream()
            .map(one -> one.getValue() + " " + one.getKey())
            .collect(Collectors.joining(", "));
  }

  private static List<String> core(List<Step> steps) {
    TextTable table =
        new TextTable(
            "CORE, FOR",
            "NUMBER",
            "ACCESS",
            "TYPE",
            "TABLE OR COMPONENT",
            "ASKED B",
            "ANSWERED B",
            "MS");
    for (Step step : steps) {
      table.row(
          step.cause(),
          step.count(),
          step.access(),
          step.type(),
          step.target(),
          bytes(step.requestBytes()),
          bytes(step.replyBytes()),
          millis(step.meanMillis()));
    }
    return table.lines();
  }

  private static List<String> event(ShownEvent event) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT,
            "event %d: %s, %s at %s%s, from %s ms%s: %s",
            event.number(),
            event.application(),
            event.event(),
            event.dpid(),
            event.port() < 0 ? "" : "/" + event.port(),
            millis(event.begunMillis()),
            event.endedMillis() < 0 ? "" : " to " + millis(event.endedMillis()) + " ms",
            event.outcome()));
    if (!event.operations().isEmpty()) {
      lines.addAll(operations(event.operations()));
    }
    return lines;
  }

  private static List<String> operations(List<ShownOperation> operations) {
    TextTable table =
        new TextTable(
            "  FROM MS",
            "TO MS",
            "FOR",
            "ACCESS",
            "TYPE",
            "TABLE OR COMPONENT",
            "KEY",
            "ASKED B",
            "REPLY",
            "ANSWERED B");
    for (ShownOperation one : operations) {
      table.row(
          "  " + millis(one.askedMillis()),
          millis(one.answeredMillis()),
          one.cause().isEmpty() ? "event" : one.cause(),
          one.access(),
          one.type(),
          one.target(),
          one.key(),
          one.requestBytes(),
          one.reply(),
          one.replyBytes());
    }
    return table.lines();
  }

  private static String millis(double millis) {
    return String.format(Locale.ROOT, "%.3f", millis);
  }

  private static String bytes(double bytes) {
    return String.format(Locale.ROOT, bytes == Math.rint(bytes) ? "%.0f" : "%.1f", bytes);
  }
}
