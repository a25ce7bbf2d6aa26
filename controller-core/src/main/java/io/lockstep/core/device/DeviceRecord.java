package io.lockstep.core.device;

import io.lockstep.core.southbound.SwitchFeatures;

/**
 * A switch as its master sees it.
 *
 * @param features what the switch said of itself to the master that wrote the record
 * @param available whether its master, or a node the master handed it to, reaches it
 * @param node the master that wrote the record
 * @param changedMillis when, by that node's clock, in milliseconds since 1970
 */
public record DeviceRecord(
    SwitchFeatures features, boolean available, String node, long changedMillis) {

  /** Whether the other record says the same of the switch, whoever wrote it whenever. */
  boolean sameAs(DeviceRecord other) {
    return available == other.available && features.equals(other.features);
  }

  DeviceRecord unavailable(String writer, long nowMillis) {
    return new DeviceRecord(features, false, writer, nowMillis);
  }
}
