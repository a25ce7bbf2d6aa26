package io.lockstep.deploy.status;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.lockstep.deploy.admin.NodeReport;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * What all asked nodes say. Names of the components are the JSON keys.
 *
 * @param quorum whether at least one of them reaches a majority of the store's replicas
 * @param answers the reports, in the order of the endpoints
 * @param unreachable the endpoints that did not answer, and why
 * @param usualSilent whether the operator named no endpoint and a usual one did not answer
 */
@JsonPropertyOrder("schema")
public record ClusterStatus(
    boolean quorum,
    List<Answer> answers,
    List<Unreachable> unreachable,
    @JsonIgnore boolean usualSilent) {

  /** Number of the JSON's form: it rises when a key leaves or changes its meaning. */
  public static final int SCHEMA = 1;

  /** The status where an operator named the endpoints. */
  ClusterStatus(boolean quorum, List<Answer> answers, List<Unreachable> unreachable) {
    this(quorum, answers, unreachable, false);
  }

  /** {@link #SCHEMA}, first in the JSON. */
  @JsonProperty("schema")
  public int schema() {
    return SCHEMA;
  }

  /**
   * The same where the operator named no endpoints and the usual ones were asked. A node need not
   * run at each of them, so those that did not answer are not named.
   */
  public ClusterStatus ofUsualEndpoints() {
    return new ClusterStatus(quorum, answers, List.of(), !unreachable.isEmpty());
  }

  /** One node's report. */
  public record Answer(String endpoint, NodeReport report) {}

  /**
   * An endpoint that did not answer.
   *
   * @param timedOut whether it was waited for in vain, not refused: the node may be busy
   */
  public record Unreachable(String endpoint, String reason, @JsonIgnore boolean timedOut) {}

  /** Asks all endpoints at once. */
  public static ClusterStatus ask(List<String> endpoints, int timeoutMillis) {
    return askAt(endpoints.stream().map(AdminAddress::plain).toList(), timeoutMillis);
  }

  /** The same of nodes on any machines. */
  public static ClusterStatus askAt(List<AdminAddress> endpoints, int timeoutMillis) {
    List<CompletableFuture<NodeReport>> asked =
        endpoints.stream()
            .map(endpoint -> CompletableFuture.supplyAsync(() -> report(endpoint, timeoutMillis)))
            .toList();
    List<Answer> answers = new ArrayList<>();
    List<Unreachable> unreachable = new ArrayList<>();
    for (int i = 0; i < endpoints.size(); i++) {
      try {
        answers.add(new Answer(endpoints.get(i).text(), asked.get(i).join()));
      } catch (CompletionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        unreachable.add(
            new Unreachable(
                endpoints.get(i).text(), String.valueOf(cause.getMessage()), isTimeout(cause)));
      }
    }
    boolean quorum = answers.stream().anyMatch(answer -> answer.report().quorum());
    return new ClusterStatus(quorum, answers, unreachable);
  }

  private static boolean isTimeout(Throwable failure) {
    return failure instanceof SocketTimeoutException
        || (failure.getCause() != null && isTimeout(failure.getCause()));
  }

  private static NodeReport report(AdminAddress endpoint, int timeoutMillis) {
    try {
      return new AdminClient(endpoint, timeoutMillis).report();
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  /** The report to believe about the network: of a ready node if there is one. */
  @JsonIgnore
  public Optional<NodeReport> best() {
    return answers.stream()
        .map(Answer::report)
        .max(
            Comparator.comparing(NodeReport::ready)
                .thenComparing(NodeReport::quorum)
                .thenComparing(NodeReport::node, Comparator.reverseOrder()));
  }

  /** Every switch once, with all nodes that say they are connected to it. */
  List<NodeReport.SwitchReport> switches() {
    List<NodeReport.SwitchReport> merged = new ArrayList<>();
    TreeSet<String> seen = new TreeSet<>();
    List<NodeReport> reports = new ArrayList<>();
    best().ifPresent(reports::add);
    answers.forEach(answer -> reports.add(answer.report()));
    for (NodeReport report : reports) {
      for (NodeReport.SwitchReport one : report.switches()) {
        if (seen.add(one.dpid())) {
          merged.add(one);
        }
      }
    }
    merged.sort(Comparator.comparing(NodeReport.SwitchReport::dpid));
    return merged;
  }

  /** The nodes that are connected to a switch, as any answer says. */
  TreeSet<String> connectedTo(String dpid) {
    TreeSet<String> nodes = new TreeSet<>();
    for (Answer answer : answers) {
      for (NodeReport.SwitchReport one : answer.report().switches()) {
        if (one.dpid().equals(dpid)) {
          nodes.addAll(one.connectedTo());
        }
      }
    }
    return nodes;
  }
}
