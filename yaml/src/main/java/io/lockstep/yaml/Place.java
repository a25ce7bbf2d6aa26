package io.lockstep.yaml;

/**
 * A place in a file.
 *
 * @param line from 1; 0 where there is no file
 * @param column from 1; 0 where there is no file
 */
public record Place(int line, int column) implements Comparable<Place> {

  /** The beginning of the file, for what is missing altogether. */
  public static final Place TOP = new Place(1, 1);

  /** For problems of what was not read from a file. */
  public static final Place NOWHERE = new Place(0, 0);

  @Override
  public int compareTo(Place other) {
    int byLine = Integer.compare(line, other.line);
    return byLine != 0 ? byLine : Integer.compare(column, other.column);
  }
}
