package io.lockstep.history.nemesis;

import java.util.List;

/**
 * Something that did not come back in time.
 *
 * @param waitedFor what was waited for
 * @param after what came before
 * @param deadlineMillis how long it was waited for
 * @param replicas what each replica said then
 */
public record Hang(String waitedFor, String after, long deadlineMillis, List<String> replicas) {
  public Hang {
    replicas = List.copyOf(replicas);
  }

  @Override
  public String toString() {
    return String.format(
        "after %s, within %d ms: %s; replicas %s",
        after, deadlineMillis, waitedFor, String.join("; ", replicas));
  }
}
