package io.lockstep.deploy.metrics;

import io.lockstep.store.client.ClientMeasures;
import java.util.Locale;

/** What this process asks the store. */
final class ClientFamilies {
  private ClientFamilies() {}

  static void add(MetricFamilies families, ClientMeasures measures) {
    MetricFamilies.Samples operations =
        families.counter(
            "lockstep_store_client_operations_total",
            "Operations of this process on the store, by kind and how they ended.",
            "kind",
            "outcome");
    MetricFamilies.Distributions durations =
        families.durations(
            "lockstep_store_client_operation_duration_seconds",
            "From the submission of an operation to its reply.",
            "kind");
    for (ClientMeasures.Kind kind : ClientMeasures.Kind.values()) {
      for (ClientMeasures.Result result : ClientMeasures.Result.values()) {
        operations.add(measures.count(kind, result), lower(kind), lower(result));
      }
      durations.add(measures.durations(kind), lower(kind));
    }
    ClientMeasures.Load load = measures.load();
    families
        .gauge("lockstep_store_client_waiting_operations", "Operations that wait to be sent.")
        .add(load.waiting());
    families
        .gauge("lockstep_store_client_waiting_bytes", "Bytes of operations that wait to be sent.")
        .add(load.waitingBytes());
    families
        .gauge("lockstep_store_client_requests_in_flight", "Requests that have no answer yet.")
        .add(load.requestsInFlight());
    families
        .counter(
            "lockstep_store_client_retries_total",
            "Requests that were sent again because no answer came.")
        .add(load.retries());
  }

  static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
