package io.lockstep.store.log.disk;

/**
 * The formats of the files that a replica writes. All formats up to the newest are read. A file is
 * written in the format of the version of the cluster that is in force ({@link
 * io.lockstep.store.Release}): while a release before may still come back to the directory, it can
 * read everything there.
 *
 * <p>How to add a format: a branch here, in the encoder and in the decoder; a sample ({@code
 * FormatSample} in the tests), which shows that the old one is still read.
 */
final class Formats {
  private Formats() {}

  /**
   * The format of new segments.
   *
   * @param clusterVersion the version in force, 0 where it is not known
   */
  static int ofSegments(int clusterVersion) {
    return FileHeader.VERSION;
  }

  /** The newest format of a kind of file that this release reads. */
  static int newest(long magic) {
    return FileHeader.VERSION;
  }
}
