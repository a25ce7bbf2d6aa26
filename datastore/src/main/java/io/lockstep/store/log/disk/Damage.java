package io.lockstep.store.log.disk;

/**
 * A place on the disk where the bytes are not those that were written.
 *
 * @param file its name in the directory
 * @param offset in the file, in bytes
 * @param what the finding, as a text
 */
public record Damage(String file, long offset, String what) {
  @Override
  public String toString() {
    return file + " at offset " + offset + ": " + what;
  }
}
