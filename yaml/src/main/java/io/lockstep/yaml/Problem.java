package io.lockstep.yaml;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One thing that is wrong in a file.
 *
 * @param path the key path, for example {@code domains[1].switches}; empty for the whole file
 * @param message what is wrong
 * @param remedy what to do
 */
public record Problem(Place place, String path, String message, String remedy) {

  /** {@code file:line:column: path: message} and the remedy on the next line. */
  public String describe(String file) {
    String where = place.line() == 0 ? "" : place.line() + ":" + place.column() + ":";
    return file
        + ":"
        + where
        + " "
        + (path.isEmpty() ? "" : path + ": ")
        + message
        + "\n    remedy: "
        + remedy;
  }

  /**
   * All problems of a file, each as {@link #describe(String)} says it, in the order of the file.
   */
  public static String describe(String file, List<Problem> problems) {
    return problems.stream()
        .map(problem -> problem.describe(file))
        .collect(Collectors.joining("\n"));
  }
}
