package io.lockstep.deploy.ovs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.admin.AdminServer;
import io.lockstep.deploy.config.NodeSettings.Listener;
import io.lockstep.deploy.node.ServedOnos;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.Distribution;
import io.lockstep.deploy.testbed.OneNode;
import io.lockstep.openflow.channel.ovs.OpenVSwitch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mininet with its RemoteController, and requests to ONOS's REST API as its documentation shows
 * them: a script of them, and a flow that cuts two hosts off.
 */
class MininetIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String DEVICE = "of:0000000000000001";

  /** The interpreter that finds Debian's modules. */
  private static final Path PYTHON = Path.of("/usr/bin/python3");

  private static final String DROP =
      """
      {"priority": 50000, "timeout": 0, "isPermanent": true, "deviceId": "of:0000000000000001",
       "selector": {"criteria": [{"type": "ETH_TYPE", "ethType": "0x800"},
                                 {"type": "IPV4_DST", "ip": "10.0.0.2/32"}]}}
      """;

  private final HttpClient http = HttpClient.newHttpClient();

  @TempDir private Path directory;

  private static void orSkip() {
    OpenVSwitch.assumeAvailable();
    Assumptions.assumeTrue(
        Shell.has("mn") && Shell.has("mnexec") && Files.isExecutable(PYTHON),
        "Mininet is not installed; on Debian or Ubuntu: apt-get install mininet");
    Assumptions.assumeTrue(Shell.has("curl"), "curl is not installed");
  }

  /** Mininet's process, which is told what to do line by line. */
  private static final class Mininet implements AutoCloseable {
    private final Process process;
    private final BufferedReader said;
    private final Writer told;

    Mininet(Path runDirectory, int port) throws IOException {
      ProcessBuilder builder =
          new ProcessBuilder(
                  PYTHON.toString(),
                  Distribution.root()
                      .resolve("deploy/src/test/resources/mininet-network.py")
                      .toString(),
                  Integer.toString(port))
              .redirectError(ProcessBuilder.Redirect.INHERIT);
      builder.environment().put("OVS_RUNDIR", runDirectory.toString());
      builder.environment().merge("PATH", "/usr/sbin:/sbin", (path, more) -> path + ":" + more);
      process = builder.start();
      said = process.inputReader(StandardCharsets.UTF_8);
      told = process.outputWriter(StandardCharsets.UTF_8);
    }

    String line() throws IOException {
      String line = said.readLine();
      return line == null ? "ended" : line;
    }

    boolean pings() throws IOException {
      told.write("ping h1 h2\n");
      told.flush();
      String answer = line();
      assertThat(answer).isIn("reached", "lost");
      return answer.equals("reached");
    }

    @Override
    public void close() throws IOException {
      told.close();
      try {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
          process.destroyForcibly();
          throw new IOException("Mininet does not end");
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }

  private HttpResponse<String> send(String method, String uri, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(uri))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  @Test
  void mininetAndScriptsForOnosWorkTogether() throws Exception {
    orSkip();
    try (OneNode node = OneNode.start();
        AdminServer admin = ServedOnos.over(node, new Listener("127.0.0.1", 0));
        OpenVSwitch daemons = OpenVSwitch.start(directory);
        Mininet mininet = new Mininet(directory, node.address().getPort())) {
      String url = "http://127.0.0.1:" + admin.port();
      assertThat(mininet.line()).as(daemons.connectionLog().toString()).isEqualTo("started");
      Await.until("h1 reaches h2", PATIENCE, mininet::pings, () -> String.valueOf(node.status()));
      CommandRun script =
          CommandRun.of(
              PATIENCE,
              Map.of(),
              Path.of("/bin/sh"),
              Distribution.root().resolve("examples/onos-rest.sh").toString(),
              url,
              DEVICE);
      assertThat(script.exitCode()).as(script.out() + script.err()).isZero();

      HttpResponse<String> posted =
          send("POST", url + "/onos/v1/flows/" + DEVICE + "?appId=org.onosproject.cli", DROP);
      assertThat(posted.statusCode()).as(posted.body()).isEqualTo(201);
      String flow = url + posted.headers().firstValue("Location").orElseThrow();
      Await.until(
          "the switch has the flow",
          PATIENCE,
          () -> send("GET", flow, "").body().contains("\"state\":\"ADDED\""),
          () -> flow);
      assertThat(mininet.pings()).as("the flow drops the pings").isFalse();
      assertThat(send("DELETE", flow, "").statusCode()).isEqualTo(204);
      Await.until("h1 reaches h2 again", PATIENCE, mininet::pings, () -> flow);
    }
  }
}
