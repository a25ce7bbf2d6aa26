package io.lockstep.dataplane.profile;

import io.lockstep.yaml.Problem;
import java.util.List;

/** A switch profile that cannot be used; says everything that is wrong with it. */
public final class ProfileException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  /**
   * @param source the file or the name of the profile
   */
  public ProfileException(String source, List<Problem> problems) {
    super(Problem.describe(source, problems));
    this.problems = List.copyOf(problems);
  }

  /** All problems, in the order of the file. */
  public List<Problem> problems() {
    return problems;
  }
}
