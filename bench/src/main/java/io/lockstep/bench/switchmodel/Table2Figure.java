package io.lockstep.bench.switchmodel;

import io.lockstep.bench.drawing.Anchor;
import io.lockstep.bench.drawing.Area;
import io.lockstep.bench.drawing.FigurePoint;
import io.lockstep.bench.drawing.SvgPicture;
import io.lockstep.bench.switchmodel.Table2.Column;
import io.lockstep.core.probe.ProbeException;
import io.lockstep.core.probe.ProbeReport.Row;
import io.lockstep.dataplane.profile.ProfileFile;
import java.io.IOException;
import java.util.List;

/** Table 2: what a capacity probe over OpenFlow finds, cell by cell. */
final class Table2Figure {
  static final String FIGURE = "table2";

  private Table2Figure() {}

  /** Probes each table of each switch. */
  static void measure(Findings findings) throws IOException, ProbeException {
    for (Column column : Table2.columns()) {
      try (ProbedSwitch probed = ProbedSwitch.start(ProfileFile.builtIn(column.profile()))) {
        List<Row> rows = probed.probe(column.table()).tables().get(0).rows();
        int asInPaper = 0;
        int inPaper = 0;
        for (int i = 0; i < rows.size(); i++) {
          Integer paper = column.cells().get(i);
          int found = rows.get(i).capacity();
          findings.point(
              FIGURE,
              column.label(),
              rows.get(i).field().label(),
              found,
              "hardware rules",
              paper == null ? null : paper.doubleValue());
          inPaper += paper == null ? 0 : 1;
          asInPaper += paper != null && paper == found ? 1 : 0;
        }
        findings.check(
            FIGURE,
            column + ": " + asInPaper + " of " + inPaper + " cells by a probe over OpenFlow",
            asInPaper == inPaper);
      }
    }
  }

  /** The table as a picture: ours in each cell, the paper's beside it where it differs. */
  static String svg(List<FigurePoint> points, String origin) {
    List<String> columns = points.stream().map(FigurePoint::profile).distinct().toList();
    List<Object> rows = points.stream().map(FigurePoint::x).distinct().toList();
    int wide = 110;
    int high = 22;
    SvgPicture page = new SvgPicture(wide * (columns.size() + 1), high * (rows.size() + 4));
    page.text(
        wide * (columns.size() + 1) / 2.0,
        high * 0.7,
        Anchor.MIDDLE,
        "Table 2: rules in hardware, found by a probe over OpenFlow; in brackets the paper's"
            + " where it differs");
    for (int i = 0; i < columns.size(); i++) {
      page.text(wide * (i + 1.5), high * 1.7, Anchor.MIDDLE, columns.get(i));
    }
    for (int i = 0; i < rows.size(); i++) {
      page.text(10, high * (i + 2.7), Anchor.START, "up to " + rows.get(i));
    }
    for (FigurePoint point : points) {
      int column = columns.indexOf(point.profile());
      int row = rows.indexOf(point.x());
      boolean same = point.paper() != null && point.paper() == point.value();
      String paper = point.paper() == null ? "not known" : Long.toString(Math.round(point.paper()));
      page.rectangle(
          new Area(
              wide * (column + 1) + 1,
              high * (row + 2) + 1,
              wide * (column + 2) - 1,
              high * (row + 3) - 1),
          same ? "fill=\"#e3f2e1\"" : point.paper() == null ? "fill=\"#eee\"" : "fill=\"#f6c9c9\"");
      page.text(
          wide * (column + 1.5),
          high * (row + 2.7),
          Anchor.MIDDLE,
          Math.round(point.value()) + (same ? "" : " (" + paper + ")"));
    }
    page.text(10, high * (rows.size() + 3.2), Anchor.START, origin);
    return page.xml();
  }
}
