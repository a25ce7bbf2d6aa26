package io.lockstep.bench.page;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** A table or figure of the paper on the data store. */
interface PaperFigure {
  /** As the paper calls it, such as {@code Fig. 8a}. */
  String name();

  /** What it shows, with units. */
  String title();

  /** Whether there are rows for it. */
  boolean isMeasured();

  /**
   * Writes picture and tables.
   *
   * @throws IOException that names the file which cannot be written
   */
  void write(HtmlText page, Path directory) throws IOException;

  /** The name of its picture. */
  default String file() {
    return name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + ".svg";
  }
}
