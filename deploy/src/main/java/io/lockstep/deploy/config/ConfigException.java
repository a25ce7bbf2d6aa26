package io.lockstep.deploy.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration file that cannot be used. Its message is for the operator: all problems. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;
  private final String file;

  ConfigException(String file, List<Problem> problems) {
    super(describe(file, problems));
    this.file = file;
    this.problems = List.copyOf(problems);
  }

  private static String describe(String file, List<Problem> problems) {
    return problems.stream()
        .map(problem -> problem.describe(file))
        .collect(Collectors.joining("\n"));
  }

  /** Everything that is wrong, in the order of the file. */
  public List<Problem> problems() {
    return problems;
  }

  /** All problems with place, path and remedy, for the operator. */
  public String explanation() {
    return describe(file, problems);
  }
}
