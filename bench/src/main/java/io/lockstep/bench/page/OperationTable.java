package io.lockstep.bench.page;

import io.lockstep.bench.figures.FigureRow;
import io.lockstep.bench.figures.FigureRow.OperationSize;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operations of events with their sizes, as one folded table. */
final class OperationTable {
  private static final List<String> HEADER =
      List.of(
          "workload",
          "variant",
          "step",
          "operation",
          "type",
          "request, B",
          "paper",
          "ratio",
          "reply, B",
          "paper",
          "ratio",
          "request message, B",
          "reply message, B",
          "reason of the difference");

  private OperationTable() {}

  /** Writes the operations of a figure; nothing where there are none. */
  static void write(HtmlText page, List<FigureRow> rows, String figure) {
    List<List<String>> table = new ArrayList<>();
    for (FigureRow row : rows) {
      if (row instanceof OperationSize size && size.figure().equals(figure)) {
        table.add(
            List.of(
                size.workload(),
                size.variant(),
                Integer.toString(size.step()),
                size.operation(),
                size.type(),
                Rounded.bytes(size.requestBytes()),
                Rounded.bytes(size.paperRequestBytes()),
                ratio(size.requestBytes(), size.paperRequestBytes()),
                Rounded.bytes(size.replyBytes()),
                Rounded.bytes(size.paperReplyBytes()),
                ratio(size.replyBytes(), size.paperReplyBytes()),
                Rounded.bytes(size.wireRequestBytes()),
                Rounded.bytes(size.wireReplyBytes()),
                size.reason()));
      }
    }
    if (!table.isEmpty()) {
      page.beginAll(table.size(), "operation").table(HEADER, table).endFolded();
    }
  }

  private static String ratio(@Nullable Integer ours, @Nullable Integer paper) {
    return Rounded.number(
        ours == null || paper == null || paper == 0 ? null : ours / (double) paper);
  }
}
