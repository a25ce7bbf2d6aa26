package io.lockstep.bench.page;

import io.lockstep.bench.drawing.Area;
import io.lockstep.bench.drawing.Bar;
import io.lockstep.bench.drawing.Bar.Part;
import io.lockstep.bench.drawing.BarFill;
import io.lockstep.bench.drawing.BarPanel;
import io.lockstep.bench.drawing.Legend;
import io.lockstep.bench.drawing.SvgPicture;
import io.lockstep.bench.figures.FigureRow;
import io.lockstep.bench.figures.FigureRow.OperationSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Table I: the operations of each event and their sizes, as bytes of one event. */
final class SizesFigure implements PaperFigure {
  private static final String NAME = "Table I";
  private static final int WIDTH = 1000;
  private static final int MARGIN = 12;
  private static final int TOP = 36;

  private final List<FigureRow> rows;
  private final Map<String, List<OperationSize>> events = new LinkedHashMap<>();

  SizesFigure(List<FigureRow> rows) {
    this.rows = rows;
    for (FigureRow row : rows) {
      if (row instanceof OperationSize size && size.figure().equals(NAME)) {
        events
            .computeIfAbsent(size.workload() + " " + size.variant(), event -> new ArrayList<>())
            .add(size);
      }
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String title() {
    return NAME + ": operations of an event and their sizes (bytes)";
  }

  @Override
  public boolean isMeasured() {
    return !events.isEmpty();
  }

  @Override
  public void write(HtmlText page, Path directory) throws IOException {
    Files.writeString(directory.resolve(file()), svg());
    page.picture(file(), title());
    List<List<String>> table = new ArrayList<>();
    for (List<OperationSize> event : events.values()) {
      Integer ours = sum(event, OperationSize::requestBytes, OperationSize::replyBytes);
      Integer paper = sum(event, OperationSize::paperRequestBytes, OperationSize::paperReplyBytes);
      table.add(
          List.of(
              event.get(0).workload(),
              event.get(0).variant(),
              count(event, OperationSize::requestBytes, ours),
              count(event, OperationSize::paperRequestBytes, paper),
              Rounded.bytes(ours),
              Rounded.bytes(paper),
              Rounded.number(
                  ours == null || paper == null || paper == 0 ? null : ours / (double) paper),
              reasons(event)));
    }
    page.table(
        List.of(
            "workload",
            "variant",
            "operations",
            "paper",
            "bytes of an event",
            "paper",
            "ratio",
            "reason of the difference"),
        table);
    OperationTable.write(page, rows, NAME);
  }

  /** The reasons of an event's operations, each part once: many operations share one. */
  private static String reasons(List<OperationSize> event) {
    return event.stream()
        .flatMap(size -> Stream.of(size.reason().split("; ", -1)))
        .filter(reason -> !reason.isEmpty())
        .distinct()
        .collect(Collectors.joining("; "));
  }

  private String svg() {
    BarPanel panel = new BarPanel("", "bytes of one event", Double.MAX_VALUE);
    String workload = "";
    for (List<OperationSize> event : events.values()) {
      if (!event.get(0).workload().equals(workload)) {
        workload = event.get(0).workload();
        panel.heading(workload);
      }
      panel.add(
          event.get(0).variant(),
          List.of(
              bar(
                  event,
                  OperationSize::requestBytes,
                  OperationSize::replyBytes,
                  BarFill.DARK,
                  BarFill.LIGHT,
                  "no trace"),
              bar(
                  event,
                  OperationSize::paperRequestBytes,
                  OperationSize::paperReplyBytes,
                  BarFill.HOLLOW,
                  BarFill.HOLLOW,
                  "not in the paper")));
    }
    Legend legend = new Legend();
    legend.bar("our requests", BarFill.DARK);
    legend.bar("our replies", BarFill.LIGHT);
    legend.bar("the paper's requests, then its replies", BarFill.HOLLOW);
    double top = TOP + legend.height(WIDTH - 2.0 * MARGIN) - MARGIN;
    SvgPicture picture = new SvgPicture(WIDTH, (int) Math.ceil(top + panel.height()));
    picture.title(MARGIN, 22, NAME + ": bytes that an event exchanges with the store");
    legend.draw(picture, MARGIN, TOP, WIDTH - 2.0 * MARGIN);
    panel.draw(picture, new Area(MARGIN, top, WIDTH - MARGIN, top + panel.height()));
    return picture.xml();
  }

  private static Bar bar(
      List<OperationSize> event,
      Function<OperationSize, @Nullable Integer> request,
      Function<OperationSize, @Nullable Integer> reply,
      BarFill requests,
      BarFill replies,
      String without) {
    Integer sent = sum(event, request);
    Integer received = sum(event, reply);
    if (sent == null || received == null) {
      return new Bar(List.of(), null, without);
    }
    long count = count(event, request);
    return new Bar(
        List.of(new Part(sent, requests), new Part(received, replies)),
        null,
        (sent + received) + " B in " + count + (count == 1 ? " operation" : " operations"));
  }

  /**
   * The sum over the operations that have the value; null where none has. An event of which some
   * operations have a size and others do not has operations on one side only.
   */
  @SafeVarargs
  private static @Nullable Integer sum(
      List<OperationSize> event, Function<OperationSize, @Nullable Integer>... sizes) {
    int sum = 0;
    boolean known = false;
    for (OperationSize operation : event) {
      for (Function<OperationSize, @Nullable Integer> size : sizes) {
        Integer bytes = size.apply(operation);
        sum += bytes == null ? 0 : bytes;
        known |= bytes != null;
      }
    }
    return known ? sum : null;
  }

  private static String count(
      List<OperationSize> event,
      Function<OperationSize, @Nullable Integer> size,
      @Nullable Integer bytes) {
    return bytes == null ? Rounded.NONE : Long.toString(count(event, size));
  }

  private static long count(
      List<OperationSize> event, Function<OperationSize, @Nullable Integer> size) {
    return event.stream().filter(operation -> size.apply(operation) != null).count();
  }
}
