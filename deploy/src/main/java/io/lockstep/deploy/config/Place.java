package io.lockstep.deploy.config;

/**
 * A place in a configuration file.
 *
 * @param line from 1
 * @param column from 1
 */
public record Place(int line, int column) {

  /** The beginning of the file, for what is missing altogether. */
  public static final Place TOP = new Place(1, 1);
}
