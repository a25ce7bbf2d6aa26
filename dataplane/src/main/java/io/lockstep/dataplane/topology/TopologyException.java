package io.lockstep.dataplane.topology;

import io.lockstep.yaml.Problem;
import java.util.List;

/** A topology that cannot be built; says everything that is wrong with it. */
public final class TopologyException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  /**
   * @param source the file or the name of the topology
   */
  public TopologyException(String source, List<Problem> problems) {
    super(Problem.describe(source, problems));
    this.problems = List.copyOf(problems);
  }

  /** All problems, in the order of the file. */
  public List<Problem> problems() {
    return problems;
  }
}
