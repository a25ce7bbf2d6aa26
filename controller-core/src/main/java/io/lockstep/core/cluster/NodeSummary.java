package io.lockstep.core.cluster;

import io.lockstep.store.Bytes;

/**
 * What a node publishes about itself for those that ask another node (docs/adr/0039). It stays when
 * the node dies.
 *
 * @param sessionId the node's session with the store when it published this
 * @param takenMillis when, by the node's own clock, in milliseconds since 1970
 * @param content in a form of the deployment, which this module does not read; at most {@link
 *     SummaryTable#MAX_CONTENT_BYTES}
 */
public record NodeSummary(long sessionId, long takenMillis, Bytes content) {
  public NodeSummary {
    if (content.length() > SummaryTable.MAX_CONTENT_BYTES) {
      throw new IllegalArgumentException(
          "a summary of "
              + content.length()
              + " bytes, at most "
              + SummaryTable.MAX_CONTENT_BYTES
              + " are allowed");
    }
  }
}
