package io.lockstep.core.link;

import java.util.Arrays;

/**
 * What the nodes of one cluster sign their probes with.
 *
 * @param clusterId tells this cluster's probes from another cluster's
 * @param secret key of the HMAC; {@link #SECRET_BYTES} bytes
 */
public record DiscoveryKey(long clusterId, byte[] secret) {

  /** Length of the secret. */
  public static final int SECRET_BYTES = 32;

  public DiscoveryKey {
    if (secret.length != SECRET_BYTES) {
      throw new IllegalArgumentException(
          "a secret has " + SECRET_BYTES + " bytes, not " + secret.length);
    }
    secret = secret.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DiscoveryKey that
        && clusterId == that.clusterId
        && Arrays.equals(secret, that.secret);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(clusterId);
  }

  /** Never shows the secret. */
  @Override
  public String toString() {
    return "discovery key of cluster " + Long.toHexString(clusterId);
  }
}
