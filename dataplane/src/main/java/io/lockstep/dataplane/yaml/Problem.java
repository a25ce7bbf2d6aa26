package io.lockstep.dataplane.yaml;

import java.util.List;

/**
 * One thing that is wrong with a file.
 *
 * @param line in the file, from 1; 0 when there is no file
 * @param remedy what to do about it
 */
public record Problem(int line, String what, String remedy) {
  @Override
  public String toString() {
    return (line > 0 ? "line " + line + ": " : "") + what + "; " + remedy;
  }

  /**
   * All that is wrong with a file, for people: a line that counts, and one for each problem.
   *
   * @param source the file's name
   */
  public static String text(String source, List<Problem> problems) {
    StringBuilder text = new StringBuilder(source).append(": ").append(problems.size());
    text.append(problems.size() == 1 ? " problem" : " problems");
    for (Problem problem : problems) {
      text.append('\n').append(problem);
    }
    return text.toString();
  }
}
