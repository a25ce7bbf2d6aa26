package io.lockstep.bench.page;

import io.lockstep.bench.figures.FigureRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The paper on the consistent data store: tables I and II, Figs. 7 to 9. */
final class DataStoreSection implements PaperSection {
  private final List<FigureRow> rows;

  DataStoreSection(List<FigureRow> rows) {
    this.rows = List.copyOf(rows);
  }

  @Override
  public String title() {
    return "A consistent data store for a distributed SDN control plane";
  }

  @Override
  public void write(HtmlText page, Path directory) throws IOException {
    page.paragraph(
        "Botelho et al., \"Design and Implementation of a Consistent Data Store for a Distributed"
            + " SDN Control Plane\" (EDCC 2016). What the paper prints is beside each table and"
            + " figure; of its curves only the values in its text are.");
    page.facts(Terms.all());
    List<PaperFigure> figures = figures();
    for (PaperFigure figure : figures) {
      page.heading(3, figure.title());
      if (figure.isMeasured()) {
        figure.write(page, directory);
      } else {
        Files.deleteIfExists(directory.resolve(figure.file()));
        page.paragraph("Not measured: this run has no rows of " + figure.name() + ".");
      }
    }
    page.heading(3, "Micro components: highest throughput of micro over init");
    GainTable.write(page, rows);
  }

  private List<PaperFigure> figures() {
    return List.of(
        new SizesFigure(rows),
        new LoadFigure("Fig. 7", "learning switch, unicast packet (ls-ucast)", rows),
        new LoadFigure("Fig. 8a", "load balancer, ARP request (lb-arp)", rows),
        new LoadFigure("Fig. 8b", "load balancer, packet to a virtual IP (lb-vip)", rows),
        new LoadFigure("Fig. 9a", "device manager, known device (dm-known)", rows),
        new LoadFigure("Fig. 9b", "device manager, unknown device (dm-unknown)", rows),
        new CacheFigure(rows));
  }
}
