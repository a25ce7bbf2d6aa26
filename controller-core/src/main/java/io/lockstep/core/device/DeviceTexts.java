package io.lockstep.core.device;

import io.lockstep.core.southbound.SwitchFeatures;

/** Keeps what switches say of themselves within the bounds of a record. Pure. */
final class DeviceTexts {
  private DeviceTexts() {}

  static String bounded(String text, int maxChars) {
    return text.length() <= maxChars ? text : text.substring(0, maxChars);
  }

  static SwitchFeatures bounded(SwitchFeatures features, int maxChars) {
    return new SwitchFeatures(
        bounded(features.protocol(), maxChars),
        bounded(features.remoteAddress(), maxChars),
        bounded(features.manufacturer(), maxChars),
        bounded(features.hardware(), maxChars),
        bounded(features.software(), maxChars),
        bounded(features.serialNumber(), maxChars),
        bounded(features.datapath(), maxChars),
        features.buffers(),
        features.tables());
  }
}
