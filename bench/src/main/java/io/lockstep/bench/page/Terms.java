package io.lockstep.bench.page;

import java.util.LinkedHashMap;
import java.util.Map;

/** The words of the tables and figures, explained for readers of the page. */
final class Terms {
  private Terms() {}

  /** Each term with what it means, in the order of the page. */
  static Map<String, String> all() {
    Map<String, String> terms = new LinkedHashMap<>();
    terms.put(
        "messages",
        "The paper's method: a flow sends the recorded number of operations with the recorded sizes,"
            + " one after the other. Nothing is retried. Keys come from a stated set.");
    terms.put(
        "live",
        "The operations with their real conditions. Where another flow was first, the flow tries"
            + " again, and that time counts.");
    terms.put("state in memory", "The replicas acknowledge before anything is on a disk.");
    terms.put("state on disk", "A majority has the write on its disk before it is acknowledged.");
    terms.put(
        "flow",
        "One data-plane event and all its operations in the store. Flows at a time: so many are"
            + " under way together.");
    terms.put(
        "init, cref, vers, cols, micro, cache",
        "The paper's variants: no optimization; cross references; versions; columns; micro"
            + " components; the client's cache. A variant that the paper leaves blank is that before"
            + " it.");
    terms.put("own", "What Lockstep's own application asks of the store for the same event.");
    terms.put("p50, p90", "Half of the flows, or 90 % of them, take at most so long.");
    terms.put("[a, b]", "95 % confidence interval of the mean over the forks; none with one fork.");
    terms.put("ratio", "Ours over the paper's.");
    return terms;
  }
}
