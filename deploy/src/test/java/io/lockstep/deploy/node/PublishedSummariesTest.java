package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.cluster.NodeSummary;
import io.lockstep.core.node.SummaryRoom;
import io.lockstep.deploy.admin.SelfReport;
import io.lockstep.store.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Summaries are read again when a node publishes another one, and only then. */
class PublishedSummariesTest {
  private final Map<String, SummaryRoom.Known> stored = new TreeMap<>();
  private final PublishedSummaries summaries = new PublishedSummaries("n1", () -> stored);

  private void publish(String node, Bytes content, long age) {
    stored.put(node, new SummaryRoom.Known(new NodeSummary(1, 0, content), age, 0));
  }

  private PublishedSummaries.Published shown(String node) {
    return Objects.requireNonNull(summaries.known().get(node));
  }

  private static Bytes about(String version) {
    return PublishedSummaries.encode(
        new SelfReport(
            version,
            0,
            true,
            null,
            null,
            0,
            0,
            null,
            Map.of(),
            Map.of(),
            Map.of("0000000000000001", "trouble of " + version),
            0,
            null));
  }

  @Test
  void theNewestSummaryIsShownWithItsAge() {
    publish("n2", about("1"), 5);
    SelfReport first = shown("n2").self();
    publish("n2", about("1"), 7);
    assertThat(shown("n2").self()).isSameAs(first);
    assertThat(shown("n2").ageMillis()).isEqualTo(7);
    publish("n2", about("2"), 1);
    assertThat(shown("n2").self().version()).isEqualTo("2");
    assertThat(summaries.troubles())
        .containsExactly(Map.entry("0000000000000001", "n2: trouble of 2"));
    stored.clear();
    assertThat(summaries.known()).isEmpty();
  }

  @Test
  void oneThatCannotBeReadIsLeftOut() {
    publish("n2", Bytes.wrap("{".getBytes(StandardCharsets.UTF_8)), 0);
    publish("n3", about("3"), 0);
    assertThat(summaries.known()).containsOnlyKeys("n3");
  }
}
