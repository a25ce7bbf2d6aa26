package io.lockstep.store;

/**
 * The versions of a cluster that this release can follow: all from 1 to {@link #newest}. The
 * version is the number of the rules in force ({@link io.lockstep.store.engine.Rules}). Everything
 * that replicas must do alike has a version from which on it exists: operations, micro components,
 * and the formats of what a replica writes. Until the operator permits a new version, and every
 * replica runs a release that knows it, the cluster works as before, and each node can go back to
 * the release before (docs/adr/0043-versions-of-a-cluster.md).
 */
public final class Release {
  /** The version that the first release begins with; no operator needs to permit it. */
  public static final int BASELINE = 2;

  /** The table with the version that the operator permits. */
  public static final String TABLE = "cluster.version";

  /** The key of that version: 8 bytes, big-endian. */
  public static final Bytes PERMITTED = Bytes.utf8("permitted");

  private Release() {}

  /**
   * The newest version that this release knows, {@link #BASELINE} or more. Not a constant, which
   * the compiler would copy into other classes.
   */
  public static int newest() {
    return BASELINE;
  }
}
