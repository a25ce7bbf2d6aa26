package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.ProfileFile;
import io.lockstep.dataplane.topology.TopologyBuilder;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.ClusterProcesses;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.placer.profile.LayerKind;
import io.lockstep.placer.profile.ProfileReader;
import io.lockstep.placer.profile.SwitchProfile;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code switch probe} on a model of a real switch, through three real node processes. */
class SwitchProbeCommandIT {
  private static final Duration DEADLINE = Duration.ofMinutes(20);
  private static final DomainPlan ONE = new DomainPlan("one", List.of(1L), 1);

  /** Fewer than the switch has: it takes 20 into its hardware in a second. */
  private static final int ENTRIES = 60;

  @TempDir private Path directory;

  private static HardwareProfile smaller() throws IOException {
    String file = "/io/lockstep/dataplane/profile/2920.yaml";
    try (InputStream in = Objects.requireNonNull(ProfileFile.class.getResourceAsStream(file))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(text).contains("units: 460");
      return ProfileFile.parse("2920", text.replace("units: 460", "units: " + ENTRIES));
    }
  }

  @Test
  void theMasterProbesItsSwitchAndTheProfileIsWritten() throws Exception {
    try (ClusterProcesses cluster = ClusterProcesses.start(directory, List.of(ONE));
        EmulatedNetwork network =
            EmulatedNetwork.start(
                new TopologyBuilder("one").addSwitch("s1", 1, "one", smaller()).host("s1").build(),
                IntStream.range(0, cluster.plan().nodes())
                    .mapToObj(cluster.plan()::openflowPort)
                    .map(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                    .toList())) {
      cluster.awaitPreferred(ONE);
      String endpoints = cluster.endpoints();

      CommandRun asked =
          CommandRun.lockstep(
              DEADLINE, "switch", "probe", "1", "-e", endpoints, "--timeout", "30000");
      assertThat(asked.exitCode()).as(asked.err()).isEqualTo(ExitCode.FAILED);
      assertThat(asked.out()).contains("fills the switch's tables", "0 are of others");
      assertThat(asked.err()).contains("nothing was done", "give --yes");

      Path file = directory.resolve("probed.yaml");
      CommandRun done =
          CommandRun.lockstep(
              DEADLINE,
              "switch",
              "probe",
              "of:0000000000000001",
              "-e",
              endpoints,
              "--timeout",
              "30000",
              "--yes",
              "--out",
              file.toString());
      assertThat(done.exitCode())
          .as("%s\n%s\n%s", done.err(), done.out(), cluster.logs())
          .isEqualTo(ExitCode.DONE);
      assertThat(done.out()).contains("OpenFlow 1.0", "tcp_dst", String.valueOf(ENTRIES));
      SwitchProfile profile = ProfileReader.read("probed.yaml", Files.readString(file));
      assertThat(profile.locationsVisible()).isFalse();
      assertThat(profile.layers().get(0).capacity().units()).isEqualTo(ENTRIES);
      assertThat(profile.layers().get(1).kind()).isEqualTo(LayerKind.SOFTWARE);
      assertThat(network.switchNamed("s1").counters().flowMods()).isGreaterThan(ENTRIES);
    }
  }

  @Test
  void aSwitchThatNobodyMastersIsNamed() throws Exception {
    CommandRun run = CommandRun.lockstep(DEADLINE, "switch", "probe", "9", "-e", "127.0.0.1:1");
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("masters switch 0000000000000009", "remedy:");
  }

  @Test
  void whatIsNoDatapathIdIsRefused() throws Exception {
    CommandRun run = CommandRun.lockstep(DEADLINE, "switch", "probe", "xyz");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("xyz is no datapath id");
  }
}
