package io.lockstep.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.JarMaker;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as one of the commands of the distribution. */
class DemoCommandIT {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @Test
  void itIsBehindTheCommandsForNodesAndBeforeThoseOfApplications() throws Exception {
    CommandRun run = CommandRun.lockstep(DEADLINE);
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.lastLine())
        .endsWith(
            "; its commands are node, replica, status, nodes, switches, links, "
                + "hosts, flows, path, apps, doctor, top, config, events, log, store, "
                + "pki, switch, domain, devices, explain, app, resource, masters, drain, "
                + "undrain, rebalance, record, completion, audit, user, upgrade, demo, "
                + "emulate, vip, pool, member");
  }

  @Test
  void anUnknownOptionIsAnsweredAsThatOfAnyCommand() throws Exception {
    CommandRun run = CommandRun.lockstep(DEADLINE, "demo", "--ic");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err().lines())
        .containsExactly(
            "lockstep: Unknown option: '--ic'",
            "lockstep: './lockstep demo --help' shows its options");
  }

  @Test
  void aJarThatCannotBeUsedIsWrongUsageAndNothingStarts() throws Exception {
    Path jar =
        JarMaker.application(directory, "watcher", "return null;", "").builtForJava(99).write("x");
    CommandRun demo = CommandRun.lockstep(DEADLINE, "demo", "--ci", "--app", jar.toString());
    assertThat(demo.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(demo.err()).contains("lockstep demo: " + jar + ": built for Java 99");
    assertThat(demo.out()).isEmpty();
    CommandRun config = CommandRun.lockstep(DEADLINE, "demo", "--ci", "--app-config", "x.quota=3");
    assertThat(config.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(config.err()).contains("--app-config 'x.quota=3': there is no application 'x'");
  }
}
