package io.lockstep.yaml;

/**
 * A value as it was read, with where it comes from.
 *
 * @param path the keys that lead to it
 * @param value as the reader took it
 * @param place where it stands; {@link Place#NOWHERE} where the file does not have it and the usual
 *     value was taken
 */
public record ReadValue(String path, String value, Place place) {
  /** Whether it is the usual value. */
  public boolean isUsual() {
    return place.equals(Place.NOWHERE);
  }
}
