package io.lockstep.deploy.metrics;

import io.lockstep.keys.LinkKeys;

/** The keys of this process. */
final class KeyFamilies {
  private KeyFamilies() {}

  static void add(MetricFamilies families, LinkKeys keys) {
    families
        .gauge(
            "lockstep_certificate_expiry_timestamp_seconds",
            "When the certificate of this process ends, in seconds since 1970.")
        .add(keys.own().notAfter().getEpochSecond());
    MetricFamilies.Samples refused =
        families.counter(
            "lockstep_tls_connections_refused_total",
            "Connections that were refused for their certificate or their TLS, by the reason.",
            "reason");
    keys.refusals().forEach((reason, count) -> refused.add(count, reason));
  }
}
