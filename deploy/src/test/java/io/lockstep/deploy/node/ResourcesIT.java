package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.ClusterProcesses;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.JarMaker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The resource of an application from a jar, at three real nodes: over HTTP and with the command
 * line, by operators who do not know of each other.
 */
class ResourcesIT {
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final int OPERATORS = 6;
  private static final int CHANGES = 10;

  /** The author's part: a table, and what the store's replies mean. */
  private static final String RESOURCE =
      """
      public Map<String, TableSpec> tables() {
        return Map.of("apps.limits", TableSpec.values());
      }

      public List<Resource> resources() {
        return List.of(new Limits());
      }

      static final class Limits implements Resource {
        public ResourceDescription description() {
          return new ResourceDescription(
              "limits", "limit", "limits of hosts",
              java.util.regex.Pattern.compile("[a-z0-9]+"), "a name in lower case",
              List.of(
                  ResourceField.whole("rate", 1, 1_000, "packets"),
                  ResourceField.flag("drops").usual(true)),
              EnumSet.allOf(ResourceDescription.Change.class));
        }

        public List<TableRange> reads(String id) {
          return List.of(TableRange.all("apps.limits"));
        }

        public List<ResourceItem> items(NounInput input) {
          String asked = input.arguments().get(Resource.ID);
          List<ResourceItem> items = new ArrayList<>();
          for (Entry entry : input.tables().get(0).entries()) {
            String id = entry.key().toUtf8();
            String[] value = entry.value().toUtf8().split(" ");
            if (asked == null || asked.equals(id)) {
              items.add(new ResourceItem(
                  id, entry.version(),
                  ResourceValues.builder()
                      .whole("rate", Long.parseLong(value[0]))
                      .flag("drops", Boolean.parseBoolean(value[1])).build(),
                  ResourceValues.builder().text("unit", "packets").build()));
            }
          }
          return items;
        }

        public Command command(ResourceChange change) {
          Bytes key = Bytes.utf8(change.id());
          if (change instanceof ResourceChange.Add add) {
            return new Command.PutIfAbsent("apps.limits", key, value(add.fields()));
          } else if (change instanceof ResourceChange.Set set) {
            return new Command.Replace("apps.limits", key, set.version(), value(set.fields()));
          }
          return new Command.RemoveVersion(
              "apps.limits", key, ((ResourceChange.Remove) change).version());
        }

        private static Bytes value(ResourceValues fields) {
          return Bytes.utf8(fields.whole("rate") + " " + fields.flag("drops"));
        }

        public ResourceResult result(ResourceChange change, Reply reply) {
          if (reply instanceof Reply.Applied applied) {
            return new ResourceResult.Done(applied.version());
          } else if (reply instanceof Reply.Conflict conflict) {
            return change instanceof ResourceChange.Add
                ? new ResourceResult.Exists(conflict.version())
                : new ResourceResult.Outdated(conflict.version());
          }
          return new ResourceResult.Missing();
        }
      }
      """;

  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();

  @TempDir private Path directory;

  private ClusterProcesses cluster;

  @BeforeEach
  void start() throws Exception {
    JarMaker.application(directory, "limits", "return Decision.PASS;", RESOURCE)
        .write("limits.jar");
    cluster =
        ClusterProcesses.prepare(
            directory,
            List.of(new DomainPlan("all", List.of(1L), 0)),
            "state: memory\napplicationJars: [limits.jar]\n");
    cluster.startAll();
    cluster.awaitReady();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private HttpRequest.Builder request(int node, String below) {
    return HttpRequest.newBuilder(
            URI.create("http://" + cluster.plan().adminEndpoint(node) + "/api/v1/" + below))
        .timeout(Duration.ofSeconds(60));
  }

  private HttpResponse<String> get(int node, String below) throws Exception {
    return client.send(request(node, below).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> put(int node, String id, String body, String... condition)
      throws Exception {
    HttpRequest.Builder request =
        request(node, "limits/" + id)
            .PUT(BodyPublishers.ofString(body))
            .header("Content-Type", "application/json");
    if (condition.length > 0) {
      request.headers(condition);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static String tag(HttpResponse<String> response) {
    return response.headers().firstValue("etag").orElseThrow();
  }

  private CommandRun limit(String... words) throws Exception {
    List<String> line = new ArrayList<>(List.of("resource", "limit"));
    line.addAll(List.of(words));
    line.addAll(List.of("-e", cluster.endpoints(), "--timeout", "30000"));
    return CommandRun.lockstep(DEADLINE, line.toArray(String[]::new));
  }

  @Test
  void whatOneNodeWritesEachNodeShowsAndChanges() throws Exception {
    HttpResponse<String> made = put(0, "a", "{\"rate\": 5}", "If-None-Match", "*");
    assertThat(made.statusCode()).as(made.body() + cluster.logs()).isEqualTo(201);
    for (int node = 0; node < 3; node++) {
      HttpResponse<String> read = get(node, "limits/a");
      assertThat(read.statusCode()).as(read.body()).isEqualTo(200);
      assertThat(tag(read)).isEqualTo(tag(made));
      JsonNode item = json.readTree(read.body());
      assertThat(item.path("rate").asInt()).isEqualTo(5);
      assertThat(item.path("drops").asBoolean()).isTrue();
      assertThat(item.path("state").path("unit").asText()).isEqualTo("packets");
    }
    HttpResponse<String> first = put(1, "a", "{\"rate\": 6}", "If-Match", tag(made));
    assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
    HttpResponse<String> second = put(2, "a", "{\"rate\": 7}", "If-Match", tag(made));
    assertThat(second.statusCode()).isEqualTo(412);
    assertThat("\"" + json.readTree(second.body()).path("version").asLong() + "\"")
        .isEqualTo(tag(first));
    assertThat(put(2, "a", "{\"rate\": 7}").statusCode()).isEqualTo(428);
    assertThat(put(2, "a", "{\"rate\": 0}", "If-Match", tag(first)).statusCode()).isEqualTo(422);
  }

  /** Each reads, adds one, and writes; whoever was overtaken reads again. Nothing is lost. */
  @Test
  void operatorsAtDifferentNodesOverwriteNothing() throws Exception {
    put(0, "sum", "{\"rate\": 1}", "If-None-Match", "*");
    List<CompletableFuture<Integer>> operators =
        IntStream.range(0, OPERATORS)
            .mapToObj(each -> CompletableFuture.supplyAsync(() -> addOnes(each % 3)))
            .toList();
    int overtaken = operators.stream().mapToInt(CompletableFuture::join).sum();
    assertThat(json.readTree(get(0, "limits/sum").body()).path("rate").asInt())
        .isEqualTo(1 + OPERATORS * CHANGES);
    assertThat(overtaken).as("the test had conflicts").isPositive();
  }

  /** Gives how often another change came first. */
  private int addOnes(int node) {
    int overtaken = 0;
    try {
      for (int done = 0; done < CHANGES; ) {
        HttpResponse<String> read = get(node, "limits/sum");
        assertThat(read.statusCode()).as(read.body()).isEqualTo(200);
        int rate = json.readTree(read.body()).path("rate").asInt();
        HttpResponse<String> answer =
            put(node, "sum", "{\"rate\": " + (rate + 1) + "}", "If-Match", tag(read));
        int status = answer.statusCode();
        // On a slow machine the store may refuse for a moment: surely nothing was changed then.
        boolean notNow = status == 503 && !answer.body().contains("is not known");
        assertThat(notNow || status == 200 || status == 412).as(answer.body()).isTrue();
        done += status == 200 ? 1 : 0;
        overtaken += status == 412 ? 1 : 0;
      }
      return overtaken;
    } catch (Exception e) {
      throw new AssertionError("node " + node, e);
    }
  }

  /** Added, set and removed; what was refused is no change. */
  private void assertTheTrailHasWhatWasDone() throws Exception {
    CommandRun audit =
        CommandRun.lockstep(
            DEADLINE, "audit", "-e", cluster.endpoints(), "-o", "json", "--timeout", "30000");
    JsonNode entries = json.readTree(audit.out());
    assertThat(entries).as(audit.out() + audit.err()).hasSize(3);
    for (JsonNode one : entries) {
      assertThat(one.path("path").asText()).isEqualTo("/api/v1/limits/web");
      assertThat(one.path("user").asText()).isEqualTo(System.getProperty("user.name"));
      assertThat(one.path("node").asText()).isIn("n1", "n2", "n3");
      assertThat(one.path("timeMillis").asLong()).isPositive();
    }
    assertThat(entries.get(0).path("status").asInt()).isEqualTo(201);
    assertThat(entries.get(0).path("oldVersion").asText()).isEmpty();
    assertThat(entries.get(1).path("method").asText()).isEqualTo("PUT");
    assertThat(entries.get(1).path("oldVersion").asText())
        .isNotEmpty()
        .isEqualTo(entries.get(0).path("newVersion").asText());
    assertThat(entries.get(2).path("method").asText()).isEqualTo("DELETE");
    CommandRun last =
        CommandRun.lockstep(
            DEADLINE, "audit", "--last", "1", "-e", cluster.endpoints(), "--timeout", "30000");
    assertThat(last.out().lines()).as(last.err()).hasSize(2);
    assertThat(last.out()).contains("DELETE /api/v1/limits/web");
  }

  @Test
  void theCommandLineDoesTheSame() throws Exception {
    CommandRun all =
        CommandRun.lockstep(DEADLINE, "resource", "-e", cluster.endpoints(), "--timeout", "30000");
    assertThat(all.out()).as(all.err()).contains("limit", "add,remove,set", "limits of hosts");
    assertThat(limit().out()).contains("rate: a whole number from 1 to 1000 (packets)");
    assertThat(limit("add", "web", "rate=10").exitCode()).isZero();
    CommandRun again = limit("add", "web", "rate=10");
    assertThat(again.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(again.err()).contains("there is a limit web already", "remedy: ");
    CommandRun set = limit("set", "web", "drops=false");
    assertThat(set.exitCode()).as(set.err()).isZero();
    CommandRun shown = limit("show", "web", "-o", "json");
    JsonNode item = json.readTree(shown.out());
    assertThat(item.path("rate").asInt()).as("it stays").isEqualTo(10);
    assertThat(item.path("drops").asBoolean()).isFalse();
    CommandRun late = limit("set", "web", "rate=11", "--version", "1");
    assertThat(late.exitCode()).isEqualTo(ExitCode.OUTDATED);
    assertThat(late.err()).contains("limit web was changed: it has version ");
    CommandRun wrong = limit("set", "web", "rate=x");
    assertThat(wrong.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("rate: 'x' is not allowed", "from 1 to 1000");
    assertThat(limit("set", "web", "rate").err()).contains("give FIELD=VALUE");
    CommandRun list = limit("list");
    assertThat(list.out().lines().map(line -> line.replaceAll(" +", " ")).toList())
        .as(list.err())
        .containsExactly(
            "ID VERSION RATE DROPS UNIT",
            "web " + item.path("version").asLong() + " 10 false packets");
    assertThat(limit("remove", "web").exitCode()).isZero();
    assertThat(limit("remove", "web").err()).contains("there is no limit web");
    assertTheTrailHasWhatWasDone();
  }

  @Test
  void manyRequestsAtOnceAreAllAnswered() {
    List<CompletableFuture<Integer>> statuses =
        IntStream.range(0, 40)
            .mapToObj(
                each ->
                    client
                        .sendAsync(request(0, "limits").build(), BodyHandlers.ofString())
                        .thenApply(HttpResponse::statusCode))
            .toList();
    assertThat(statuses.stream().map(CompletableFuture::join).collect(Collectors.toSet()))
        .contains(200)
        .isSubsetOf(200, 503);
  }
}
