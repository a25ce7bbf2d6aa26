package io.lockstep.bench.page;

import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The part of the page for one paper. To add a paper, write a class and add it to {@link
 * PaperSections}.
 */
interface PaperSection {
  /** What the paper measured, for the heading and the list of contents. */
  String title();

  /**
   * Writes the section below its heading.
   *
   * @param page to which it adds text and tables
   * @param directory of the page, into which it writes its pictures
   * @throws IOException that names the file which cannot be read or written
   * @throws BenchException where a file has no sense; the message names it
   */
  void write(HtmlText page, Path directory) throws IOException, BenchException;
}
