package io.lockstep.bench.page;

import io.lockstep.bench.figures.FigureRow;
import java.nio.file.Path;
import java.util.List;

/** The papers on the page, in their order. */
final class PaperSections {
  private PaperSections() {}

  /**
   * All of them.
   *
   * @param rows of the paper on the data store
   * @param results the directory with the committed results of the other papers
   */
  static List<PaperSection> of(List<FigureRow> rows, Path results) {
    return List.of(
        new DataStoreSection(rows), new SwitchModelSection(results), new PlacerSection(results));
  }
}
