package io.lockstep.store.log.disk;

/**
 * A place where bytes on the disk are not those that were written.
 *
 * @param file its name in the directory
 * @param offset where in it, in bytes
 * @param what what was found there
 */
public record Damage(String file, long offset, String what) {
  @Override
  public String toString() {
    return file + " at offset " + offset + ": " + what;
  }
}
