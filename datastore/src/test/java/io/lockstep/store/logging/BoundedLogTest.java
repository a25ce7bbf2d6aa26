package io.lockstep.store.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.event.Level;

class BoundedLogTest {
  private final List<String> lines = new ArrayList<>();
  private final List<Level> enabled = new ArrayList<>(List.of(Level.values()));
  private long nanos;
  private final BoundedLog log = new BoundedLog(recording(), new LogLimit(() -> nanos));

  /** Writes down which method was called with what. */
  private Logger recording() {
    return (Logger)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Logger.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("isEnabledForLevel")) {
                return enabled.contains(arguments[0]);
              }
              lines.add(method.getName() + " " + Arrays.deepToString(arguments));
              return null;
            });
  }

  @Test
  void eachPeerHasItsShareOfEachLine() {
    for (int i = 0; i < 50; i++) {
      log.warn("a", "{}: bad {}", "a", i);
      log.error("a", "{}: worse", "a");
      log.info("b", "{}: bad {}", "b", i);
    }
    assertThat(lines).hasSize(3 * LogLimit.LINES);
    assertThat(lines)
        .startsWith(
            "warn [{}: bad {}, [a, 0]]", "error [{}: worse, [a]]", "info [{}: bad {}, [b, 0]]");
    nanos += TimeUnit.MINUTES.toNanos(1);
    log.warn("a", "{}: bad {}", "a", 50);
    assertThat(lines)
        .last()
        .isEqualTo("warn [{}: bad {} (40 lines like this were left out), [a, 50]]");
  }

  @Test
  void lineOfALevelThatIsOffCountsForNothing() {
    enabled.remove(Level.INFO);
    for (int i = 0; i < 50; i++) {
      log.info("a", "{}", i);
    }
    assertThat(lines).isEmpty();
    enabled.add(Level.INFO);
    log.info("a", "{}", 51);
    assertThat(lines).containsExactly("info [{}, [51]]");
  }
}
