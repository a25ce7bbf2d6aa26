package io.lockstep.deploy.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lockstep.core.node.SummaryRoom;
import io.lockstep.deploy.admin.SelfReport;
import io.lockstep.store.Bytes;
import io.lockstep.store.logging.BoundedLog;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The summaries that nodes have in the store, and their form: JSON in UTF-8. Thread-safe. */
final class PublishedSummaries {
  /** Where no node runs in this process. */
  static final PublishedSummaries NONE = new PublishedSummaries("", Map::of);

  private static final BoundedLog log = BoundedLog.of(PublishedSummaries.class);

  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private final String own;
  private final Supplier<Map<String, SummaryRoom.Known>> known;

  /** What was read of the newest summaries: reports ask far more often than nodes publish. */
  private volatile Map<String, Decoded> decoded = Map.of();

  private record Decoded(Bytes content, SelfReport self) {}

  /**
   * The summaries that a node knows.
   *
   * @param own id of this node
   */
  PublishedSummaries(String own, Supplier<Map<String, SummaryRoom.Known>> known) {
    this.own = own;
    this.known = known;
  }

  /** A node's summary, how long ago it came, and how far its node's clock was ahead then. */
  record Published(SelfReport self, long ageMillis, long clockAheadMillis) {}

  /** The summary as bytes. */
  static Bytes encode(SelfReport self) {
    try {
      return Bytes.wrap(JSON.writeValueAsBytes(self));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a summary that is no JSON", e);
    }
  }

  /** The newest summary of each node. One that cannot be read is left out. */
  Map<String, Published> known() {
    Map<String, Published> all = new TreeMap<>();
    Map<String, Decoded> before = decoded;
    Map<String, Decoded> now = new HashMap<>();
    known
        .get()
        .forEach(
            (node, one) -> {
              try {
                Decoded read = decode(one.summary().content(), before.get(node));
                now.put(node, read);
                all.put(node, new Published(read.self(), one.ageMillis(), one.aheadMillis()));
              } catch (IOException e) {
                log.warn(node, "the summary of node {} cannot be read: {}", node, e.getMessage());
              }
            });
    decoded = now;
    return all;
  }

  private static Decoded decode(Bytes content, @Nullable Decoded before) throws IOException {
    return before != null && before.content().equals(content)
        ? before
        : new Decoded(content, JSON.readValue(content.toArray(), SelfReport.class));
  }

  /** What other nodes say is wrong at switches, by datapath id. */
  Map<String, String> troubles() {
    Map<String, String> all = new TreeMap<>();
    known()
        .forEach(
            (node, one) -> {
              if (!node.equals(own)) {
                one.self()
                    .troubles()
                    .forEach((dpid, text) -> all.merge(dpid, node + ": " + text, (a, b) -> a));
              }
            });
    return all;
  }
}
