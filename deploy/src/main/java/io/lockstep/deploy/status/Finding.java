package io.lockstep.deploy.status;

/**
 * Something that is wrong in a cluster.
 *
 * @param where a node, a domain, a switch or {@code cluster}
 * @param problem what is wrong
 * @param remedy what to do
 */
public record Finding(Severity severity, String where, String problem, String remedy) {
  /** How bad it is. */
  public enum Severity {
    /** Something does not work, or ends with the next fault. */
    ERROR,
    /** Something should be looked at. */
    WARNING
  }

  static Finding error(String where, String problem, String remedy) {
    return new Finding(Severity.ERROR, where, problem, remedy);
  }

  static Finding warning(String where, String problem, String remedy) {
    return new Finding(Severity.WARNING, where, problem, remedy);
  }
}
