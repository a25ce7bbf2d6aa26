package io.lockstep.deploy.config;

/**
 * One thing that is wrong in a configuration file.
 *
 * @param path the key path, for example {@code domains[1].switches}; empty for the whole file
 * @param message what is wrong
 * @param remedy what to do
 */
public record Problem(Place place, String path, String message, String remedy) {

  /** {@code file:line:column: path: message} and the remedy on the next line. */
  public String describe(String file) {
    String where = file + ":" + place.line() + ":" + place.column() + ": ";
    return where + (path.isEmpty() ? "" : path + ": ") + message + "\n    remedy: " + remedy;
  }
}
