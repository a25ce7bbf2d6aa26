package io.lockstep.dataplane.topology;

import java.util.List;

/** A topology that cannot be built; says everything that is wrong with it. */
public final class TopologyException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  /**
   * @param source the file or the name of the topology
   */
  public TopologyException(String source, List<Problem> problems) {
    super(message(source, problems));
    this.problems = List.copyOf(problems);
  }

  private static String message(String source, List<Problem> problems) {
    StringBuilder text = new StringBuilder(source).append(": ").append(problems.size());
    text.append(problems.size() == 1 ? " problem" : " problems");
    for (Problem problem : problems) {
      text.append('\n').append(problem);
    }
    return text.toString();
  }

  /** All problems, in the order found. */
  public List<Problem> problems() {
    return problems;
  }

  /**
   * One thing that is wrong.
   *
   * @param line in the file, from 1; 0 when there is no file
   * @param remedy what to do about it
   */
  public record Problem(int line, String what, String remedy) {
    @Override
    public String toString() {
      return (line > 0 ? "line " + line + ": " : "") + what + "; " + remedy;
    }
  }
}
