package io.lockstep.deploy.ovs;

import io.lockstep.openflow.channel.ovs.OpenVSwitch;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** What the tests with real switches need of the machine. */
final class Requirements {
  private static final List<String> TOOLS = List.of("ping", "iperf3", "curl", "ss", "sysctl");

  private static final String REMEDY = "as root, ./lockstep test --install gets all that is needed";

  private Requirements() {}

  /** Skips, with the reason, where something is missing. */
  static void orSkip() {
    String reason = OpenVSwitch.whyUnavailable();
    Assumptions.assumeTrue(reason == null, () -> reason + "; " + REMEDY);
    List<String> missing =
        Stream.concat(TOOLS.stream(), Capture.TOOLS.stream())
            .filter(tool -> !Shell.has(tool))
            .toList();
    Assumptions.assumeTrue(
        missing.isEmpty(), () -> "not installed: " + String.join(", ", missing) + "; " + REMEDY);
  }
}
