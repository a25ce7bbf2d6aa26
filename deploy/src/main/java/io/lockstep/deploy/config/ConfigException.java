package io.lockstep.deploy.config;

import io.lockstep.yaml.Problem;
import java.util.List;

/** A configuration file that cannot be used. Its message is for the operator: all problems. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;
  private final String file;

  ConfigException(String file, List<Problem> problems) {
    super(Problem.describe(file, problems));
    this.file = file;
    this.problems = List.copyOf(problems);
  }

  /** Everything that is wrong, in the order of the file. */
  public List<Problem> problems() {
    return problems;
  }

  /** All problems with place, path and remedy, for the operator. */
  public String explanation() {
    return Problem.describe(file, problems);
  }
}
