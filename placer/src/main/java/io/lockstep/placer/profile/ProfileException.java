package io.lockstep.placer.profile;

import io.lockstep.yaml.Problem;
import java.util.List;

/**
 * Reports a profile that cannot be used. The message names every problem with its place and a
 * remedy.
 */
public final class ProfileException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  ProfileException(String file, List<Problem> problems) {
    super(Problem.describe(file, problems));
    this.problems = List.copyOf(problems);
  }

  /** All problems, in the order of the file. */
  public List<Problem> problems() {
    return problems;
  }
}
