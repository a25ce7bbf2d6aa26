package io.lockstep.bench.pictures;

import io.lockstep.bench.runs.BenchException;
import java.nio.file.Path;

/** A picture of the results that the project is known by. */
interface HeadlinePicture {
  /** The name of its file, without {@code .svg}. */
  String name();

  /**
   * Draws it.
   *
   * @param results the directory of the result files
   * @return the SVG file
   * @throws BenchException where a result file is missing or is none; names the file and the
   *     command that makes it
   */
  String svg(Path results) throws BenchException;
}
