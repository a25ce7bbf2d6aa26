package io.lockstep.demo.screen;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a screen shows.
 *
 * @param elapsedMillis since the demo began
 * @param status what the demo does or waits for
 * @param events what happened, the newest last
 * @param flows shown in place of everything else; null where they are not
 */
record View(
    long elapsedMillis,
    String status,
    Picture picture,
    List<String> events,
    @Nullable FlowList flows) {
  View {
    events = List.copyOf(events);
  }
}
