package io.lockstep.bench.page;

import io.lockstep.bench.figures.FigureRow;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Writes {@code index.html} and its pictures: tables and figures of the papers beside ours. The
 * page needs no server, no script and nothing from the network. The same rows give the same files.
 */
public final class FiguresPage {
  private static final String TITLE = "Lockstep beside the papers";

  private FiguresPage() {}

  /**
   * Writes the page into a directory, which is made if it is missing.
   *
   * @param rows of {@code figures.json}; a figure without rows is named as not measured
   * @param facts what a reader has to know, in order: machine, JVM, commit, date, settings, and how
   *     to make the page again
   * @throws BenchException where a file cannot be read or written; the message names it
   */
  public static void write(Path directory, List<FigureRow> rows, Map<String, String> facts)
      throws BenchException {
    write(directory, rows, facts, Surroundings.root().resolve("bench/results"));
  }

  /**
   * Writes the page.
   *
   * @param results where the committed results of the other papers are
   */
  static void write(Path directory, List<FigureRow> rows, Map<String, String> facts, Path results)
      throws BenchException {
    List<PaperSection> sections = PaperSections.of(rows, results);
    HtmlText page = new HtmlText().heading(1, TITLE).facts(facts);
    page.contents(sections.stream().map(PaperSection::title).toList());
    try {
      Files.createDirectories(directory);
      for (PaperSection section : sections) {
        page.heading(2, section.title());
        section.write(page, directory);
      }
      Files.writeString(directory.resolve("index.html"), page.page(TITLE));
    } catch (IOException e) {
      throw new BenchException("cannot write the page to " + directory + ": " + e, e);
    }
  }
}
