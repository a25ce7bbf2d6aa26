package io.lockstep.core.cluster;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What two processes say to each other on a witness connection: one line of ASCII, {@code
 * lockstep-witness/1 CLUSTER NODE SESSION}. It is said again when the session changes.
 *
 * @param sessionId the process's session with the store, 0 where it has none
 */
record WitnessHello(String clusterId, String nodeId, long sessionId) {

  /** Longest line in bytes, its end included. */
  static final int MAX_LINE_BYTES = 256;

  private static final String PROTOCOL = "lockstep-witness/1";

  /** The line, its end included. */
  byte[] encode() {
    return (PROTOCOL + ' ' + clusterId + ' ' + nodeId + ' ' + sessionId + '\n')
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** Reads a line without its end; null where it is something else. */
  static @Nullable WitnessHello decode(String line) {
    String[] parts = line.split(" ", -1);
    if (parts.length != 4
        || !parts[0].equals(PROTOCOL)
        || !NameSyntax.valid(parts[1])
        || !NameSyntax.valid(parts[2])
        || !parts[3].matches("\\d{1,18}")) {
      return null;
    }
    return new WitnessHello(parts[1], parts[2], Long.parseLong(parts[3]));
  }
}
