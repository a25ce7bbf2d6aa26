package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.apps.learningswitch.LearnInVlan;
import io.lockstep.core.trace.TraceEvents;
import io.lockstep.core.trace.TraceReader;
import io.lockstep.core.trace.TracedEvent;
import io.lockstep.core.trace.TracedOperation;
import io.lockstep.deploy.launch.ClusterPlan;
import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.NodeWithApplications;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The traces of a real node with a network of two switches, its state on disk. */
class RecordingIT {
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  @TempDir private Path directory;

  private PortBlock ports;
  private ClusterPlan plan;
  private NodeWithApplications node;
  private Path traces;
  private AdminClient admin;

  /** What a trace has. */
  private static final class Contents implements TraceEvents.Sink {
    final List<TracedEvent> events = new ArrayList<>();
    final List<TracedOperation> core = new ArrayList<>();
    final TraceEvents.Reading reading;

    Contents(Path file) throws IOException {
      try (TraceReader reader = TraceReader.open(file)) {
        reading = TraceEvents.read(reader, this);
      }
    }

    @Override
    public void event(TracedEvent event) {
      events.add(event);
    }

    @Override
    public void core(TracedOperation operation) {
      core.add(operation);
    }

    /** The packets on which the learning switch decided at a switch. */
    List<TracedEvent> learned(long dpid) {
      return events.stream()
          .filter(one -> one.application().equals("learning-switch"))
          .filter(one -> one.kind().equals("packet-in") && one.dpid() == dpid)
          .toList();
    }
  }

  @BeforeEach
  void start() throws Exception {
    ports = PortBlock.take();
    plan =
        new ClusterPlan(
            directory,
            "traced",
            1,
            ports,
            List.of(new ClusterPlan.DomainPlan("all", List.of(1L, 2L), 0)),
            "");
    plan.writeConfigurations();
    traces = directory.resolve("data").resolve(plan.nodeId(0)).resolve("traces");
    admin = new AdminClient(plan.adminEndpoint(0), 30_000);
    node =
        NodeWithApplications.start(
            new ProcessBuilder(
                CommandRun.line("-Xmx256m", "node", "--config", plan.configFile(0).toString())),
            directory.resolve("n1.log"),
            plan.openflowPort(0));
    node.awaitPing(2, 3);
  }

  @AfterEach
  void stop() {
    node.close();
    ports.close();
  }

  private CommandRun record(String... words) throws Exception {
    List<String> line = new ArrayList<>(List.of("record"));
    line.addAll(List.of(words));
    if (!words[0].equals("show")) {
      line.addAll(List.of("-e", plan.adminEndpoint(0), "--timeout", "30000"));
    }
    return CommandRun.lockstep(DEADLINE, line.toArray(String[]::new));
  }

  private int request(String method, String query, Map<String, String> headers) throws Exception {
    String address = "http://" + plan.adminEndpoint(0) + "/api/v1/recording" + query;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address)).method(method, BodyPublishers.noBody());
    headers.forEach(request::header);
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString()).statusCode();
  }

  @Test
  void aTraceHasEachPacketWithItsOperationAndTheCoresBesideThem() throws Exception {
    CommandRun started = record("start", "--file", "pings.trace", "--megabytes", "2");
    assertThat(started.exitCode()).as(started.err()).isEqualTo(ExitCode.DONE);
    Path file = traces.resolve("pings.trace");
    assertThat(started.out()).containsPattern("n1 +recording +0 +0 +0 +[0-9]+ +2 +" + file);
    assertThat(node.reaches(0, 1)).isTrue();
    assertThat(node.reaches(1, 2)).isTrue();
    CommandRun stopped = record("stop");
    assertThat(stopped.out()).as(stopped.err()).containsPattern("n1 +stopped +[1-9]");

    Contents found = new Contents(file);
    assertThat(found.reading.isComplete()).isTrue();
    assertThat(found.learned(1)).hasSizeGreaterThanOrEqualTo(2);
    assertThat(found.learned(2)).isNotEmpty();
    assertThat(found.events).extracting(TracedEvent::number).doesNotHaveDuplicates();
    for (TracedEvent event : found.learned(1)) {
      assertThat(event.operations()).as(event.toString()).hasSize(1);
      TracedOperation learn = event.operations().get(0);
      assertThat(learn.target()).isEqualTo(LearnInVlan.NAME);
      assertThat(learn.type()).isEqualTo("call");
      assertThat(learn.isRead()).isFalse();
      assertThat(learn.replyType()).isEqualTo("returned");
      assertThat(learn.askedMicros()).isBetween(event.begunMicros(), learn.answeredMicros());
      assertThat(learn.answeredMicros()).isLessThanOrEqualTo(event.endedMicros());
      assertThat(event.outcome()).isEqualTo("decided");
    }
    assertThat(found.core)
        .isNotEmpty()
        .noneMatch(operation -> operation.target().startsWith("learning-switch"))
        .anyMatch(operation -> operation.cause().equals("feed"));
    shown(file, found);
  }

  private void shown(Path file, Contents found) throws Exception {
    CommandRun text = record("show", file.toString(), "--events", "1");
    assertThat(text.exitCode()).as(text.err()).isEqualTo(ExitCode.DONE);
    assertThat(text.out())
        .contains("node n1 of cluster traced", "; the trace is whole", "event ")
        .containsPattern("learning-switch +packet-in +[1-9][0-9]* +decided +1 in all")
        .containsPattern("1 +write +call +" + LearnInVlan.NAME)
        .containsPattern("feed +[1-9][0-9]* +read +read-changes");
    CommandRun json = record("show", file.toString(), "--json");
    JsonNode summary = new ObjectMapper().readTree(json.out());
    assertThat(summary.path("events").asInt()).isEqualTo(found.events.size());
    assertThat(summary.path("ended").asText()).isEqualTo("stopped");
    Path noTrace = Files.writeString(directory.resolve("no.trace"), "something else");
    CommandRun wrong = record("show", noTrace.toString());
    assertThat(wrong.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(wrong.err()).contains(noTrace + ": at byte 0: this is no trace", "remedy: ");
  }

  @Test
  void aNodeThatIsKilledLeavesATraceThatCanBeRead() throws Exception {
    assertThat(request("POST", "", Map.of())).isEqualTo(405);
    assertThat(request("PUT", "", Map.of("Origin", "http://evil.example"))).isEqualTo(403);
    assertThat(request("DELETE", "", Map.of("Sec-Fetch-Site", "cross-site"))).isEqualTo(403);
    assertThat(request("DELETE", "", Map.of())).as("none is on").isEqualTo(409);
    for (String name : List.of("..%2Fx", "%2Ftmp%2Fx", "..", "X", "a%00", ".hidden", "")) {
      assertThat(request("PUT", "?file=" + name, Map.of())).as(name).isEqualTo(400);
    }
    for (String limit : List.of("0", "4097", "-1", "1e3", "")) {
      assertThat(request("PUT", "?megabytes=" + limit, Map.of())).as(limit).isEqualTo(400);
    }
    assertThat(request("PUT", "?path=x", Map.of())).isEqualTo(400);
    assertThat(traces).doesNotExist();
    assertThat(admin.recording("PUT", "?file=killed").status()).isEqualTo(201);
    assertThat(admin.recording("PUT", "?file=another").status()).isEqualTo(409);
    assertThat(admin.recording("GET", "").body().path("state").asText()).isEqualTo("recording");
    assertThat(node.reaches(0, 1)).isTrue();
    Path file = traces.resolve("killed");
    Await.until(
        "the events are in the file",
        DEADLINE,
        () -> new Contents(file).learned(1).size() >= 2,
        node::log);
    node.close();
    Contents found = new Contents(file);
    assertThat(found.reading.end()).isNull();
    assertThat(found.reading.damage()).isNull();
    assertThat(found.learned(1))
        .hasSizeGreaterThanOrEqualTo(2)
        .allSatisfy(event -> assertThat(event.operations()).hasSize(1));
    CommandRun text = record("show", file.toString());
    assertThat(text.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(text.out()).contains("the trace is cut");
  }
}
