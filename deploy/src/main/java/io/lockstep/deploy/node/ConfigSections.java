package io.lockstep.deploy.node;

import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.config.NodeSettings.ConfiguredApplication;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * Digests of the sections of a configuration file that are to be the same on every node, so that
 * nodes can be compared without their files. Members and domains have comparisons of their own.
 */
final class ConfigSections {
  private ConfigSections() {}

  /** The digests by the sections' keys. */
  static Map<String, String> digests(NodeSettings settings) {
    Map<String, String> digests = new TreeMap<>();
    digests.put("timeouts", digest(settings.timeouts().toString()));
    digests.put("limits", digest(settings.limits().toString()));
    digests.put("paths", digest(settings.paths().toString()));
    digests.put(
        "applications",
        digest(
            settings.applications().configured().stream()
                .map(ConfigSections::words)
                .sorted()
                .toList()
                .toString()));
    digests.put("store.stateMegabytes", digest("" + settings.store().stateMegabytes()));
    return digests;
  }

  private static String words(ConfiguredApplication one) {
    return one.asked().name() + " " + one.priority();
  }

  private static String digest(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    return Long.toHexString(crc.getValue());
  }
}
