package io.lockstep.deploy.admin;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceDescription.Change;
import io.lockstep.core.app.ResourceField;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.deploy.config.NodeSettings.Listener;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The door for resources over HTTP, before a resource in memory. */
class ResourceRequestsTest {
  private static final String JSON_TYPE = "application/json";

  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();
  private final Pools pools = new Pools();
  private AdminServer server;

  /** Keeps items in memory, with versions that count all changes. */
  private static final class Pools implements ResourceOffer {
    final TreeMap<String, ResourceItem> items = new TreeMap<>();
    final List<ResourceChange> asked = new CopyOnWriteArrayList<>();
    volatile @Nullable ResourceAnswer scripted;
    private long version;

    @Override
    public ResourceDescription description() {
      return new ResourceDescription(
          "pools",
          "pool",
          "pools of servers",
          Pattern.compile("[a-z][a-z0-9-]*"),
          "a name in lower case",
          List.of(
              ResourceField.whole("weight", 1, 100, ""),
              ResourceField.text("note", Pattern.compile(".*"), "one line").optional()),
          EnumSet.allOf(Change.class));
    }

    private synchronized ResourceAnswer read(List<ResourceItem> found) {
      return scripted == null ? new ResourceAnswer.Items(found, true) : scripted;
    }

    @Override
    public synchronized CompletableFuture<ResourceAnswer> list() {
      return later(read(List.copyOf(items.values())));
    }

    @Override
    public synchronized CompletableFuture<ResourceAnswer> show(String id) {
      return later(read(items.containsKey(id) ? List.of(items.get(id)) : List.of()));
    }

    @Override
    public synchronized CompletableFuture<ResourceAnswer> change(ResourceChange change) {
      asked.add(change);
      return later(scripted == null ? new ResourceAnswer.Changed(apply(change)) : scripted);
    }

    private ResourceResult apply(ResourceChange change) {
      ResourceItem before = items.get(change.id());
      if (change instanceof ResourceChange.Add add) {
        return before == null
            ? put(add.id(), add.fields())
            : new ResourceResult.Exists(before.version());
      }
      if (before == null) {
        return new ResourceResult.Missing();
      }
      if (change instanceof ResourceChange.Set set) {
        return set.version() == before.version()
            ? put(set.id(), set.fields())
            : new ResourceResult.Outdated(before.version());
      }
      if (((ResourceChange.Remove) change).version() != before.version()) {
        return new ResourceResult.Outdated(before.version());
      }
      items.remove(change.id());
      return new ResourceResult.Done(++version);
    }

    private ResourceResult put(String id, ResourceValues fields) {
      ResourceValues state = ResourceValues.builder().whole("open", 3).build();
      items.put(id, new ResourceItem(id, ++version, fields, state));
      return new ResourceResult.Done(version);
    }

    /** On another thread, as a node does it. */
    private static CompletableFuture<ResourceAnswer> later(ResourceAnswer answer) {
      return CompletableFuture.supplyAsync(() -> answer);
    }
  }

  @BeforeEach
  void open() throws IOException {
    server = AdminServer.open(new Listener("127.0.0.1", 0), () -> SampleReport.ready("n1"));
    server.offer(List.<ResourceOffer>of(pools));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private HttpResponse<String> send(String method, String below, String body, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/api/v1/" + below))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!body.isEmpty() && !List.of(headers).contains("Content-Type")) {
      request.header("Content-Type", JSON_TYPE);
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> add(String id, String body) throws Exception {
    return send("PUT", "pools/" + id, body, "If-None-Match", "*");
  }

  private HttpResponse<String> set(String id, String tag, String body) throws Exception {
    return send("PUT", "pools/" + id, body, "If-Match", tag);
  }

  private JsonNode problem(HttpResponse<String> response, int status) throws Exception {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
    JsonNode body = json.readTree(response.body());
    assertThat(body.path("status").asInt()).isEqualTo(status);
    assertThat(body.path("title").asText()).isNotBlank();
    assertThat(body.path("detail").asText()).isNotBlank();
    assertThat(body.path("remedy").asText()).isNotBlank();
    return body;
  }

  private static String tag(HttpResponse<String> response) {
    return response.headers().firstValue("etag").orElseThrow();
  }

  /** Takes the changes, and says at once that they are stored. */
  private static final class Trail implements AuditDoor {
    final BlockingQueue<AuditDoor.Change> changes = new LinkedBlockingQueue<>();

    @Override
    public CompletableFuture<?> changed(AuditDoor.Change change) {
      changes.add(change);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<ProbeDoor.Answer> page(Map<String, String> query) {
      return CompletableFuture.completedFuture(new ProbeDoor.Answer(200, query));
    }
  }

  @Test
  void changeGoesIntoTheTrailWhileItsAnswerWaitsUntilTheNodeShowsIt() throws Exception {
    Trail trail = new Trail();
    server.offer(trail);
    CompletableFuture<Void> shown = new CompletableFuture<>();
    pools.scripted = new ResourceAnswer.Changed(new ResourceResult.Done(7), shown);
    CompletableFuture<HttpResponse<String>> answer =
        client.sendAsync(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + server.port() + "/api/v1/pools/a"))
                .header("Content-Type", JSON_TYPE)
                .header("If-None-Match", "*")
                .PUT(BodyPublishers.ofString("{\"weight\": 1}"))
                .build(),
            BodyHandlers.ofString());
    AuditDoor.Change change = trail.changes.poll(30, TimeUnit.SECONDS);
    assertThat(change).extracting(AuditDoor.Change::status).isEqualTo(201);
    assertThat(answer).isNotDone();
    shown.complete(null);
    assertThat(answer.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
  }

  @Test
  void anItemIsMadeReadChangedAndRemoved() throws Exception {
    HttpResponse<String> made = add("web", "{\"weight\": 5}");
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    assertThat(made.headers().firstValue("location")).contains("/api/v1/pools/web");
    HttpResponse<String> read = send("GET", "pools/web", "");
    assertThat(read.body())
        .isEqualTo("{\"id\":\"web\",\"version\":1,\"weight\":5,\"state\":{\"open\":3}}");
    assertThat(tag(read)).isEqualTo("\"1\"").isEqualTo(tag(made));
    HttpResponse<String> set = set("web", tag(read), read.body().replace(":5", ":7"));
    assertThat(set.statusCode()).as(set.body()).isEqualTo(200);
    assertThat(set.body()).isEqualTo("{\"id\":\"web\",\"version\":2}");
    assertThat(send("GET", "pools", "").body())
        .isEqualTo(
            "{\"items\":[{\"id\":\"web\",\"version\":2,\"weight\":7,\"state\":{\"open\":3}}],"
                + "\"complete\":true}");
    HttpResponse<String> removed = send("DELETE", "pools/web", "", "If-Match", tag(set));
    assertThat(removed.statusCode()).as(removed.body()).isEqualTo(200);
    assertThat(problem(send("GET", "pools/web", ""), 404).path("detail").asText())
        .isEqualTo("there is no pool web");
  }

  @Test
  void anItemThatIsNoNodesHasNoPathBelowANode() throws Exception {
    add("web", "{\"weight\": 5}");
    assertThat(send("GET", "nodes/web/pool", "").statusCode()).isEqualTo(404);
    assertThat(send("PUT", "nodes/b/pool", "{\"weight\": 5}", "If-None-Match", "*").statusCode())
        .isBetween(400, 499);
    assertThat(pools.items).containsOnlyKeys("web");
  }

  @Test
  void anItemWithItsIdInTheBodyIsMade() throws Exception {
    HttpResponse<String> made = send("POST", "pools", "{\"id\": \"web\", \"weight\": 5}", "x", "y");
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    assertThat(made.headers().firstValue("location")).contains("/api/v1/pools/web");
    for (String body : List.of("{\"weight\": 5}", "{\"id\": \"\"}", "{\"id\": 7}")) {
      assertThat(problem(send("POST", "pools", body, "x", "y"), 422).path("field").asText())
          .isEqualTo("id");
    }
    problem(send("POST", "pools", "[", "x", "y"), 400);
    assertThat(pools.asked).hasSize(1);
  }

  @Test
  void ofTwoWhoChangeOneVersionTheSecondHearsOfTheFirst() throws Exception {
    String tag = tag(add("web", "{\"weight\": 5}"));
    assertThat(set("web", tag, "{\"weight\": 6}").statusCode()).isEqualTo(200);
    JsonNode late = problem(set("web", tag, "{\"weight\": 7}"), 412);
    assertThat(late.path("version").asLong()).isEqualTo(2);
    assertThat(late.path("detail").asText()).isEqualTo("pool web was changed: it has version 2");
    problem(send("DELETE", "pools/web", "", "If-Match", tag), 412);
    assertThat(problem(add("web", "{\"weight\": 8}"), 412).path("version").asLong()).isEqualTo(2);
    assertThat(requireNonNull(pools.items.get("web")).fields().whole("weight")).isEqualTo(6);
    problem(set("none", tag, "{\"weight\": 7}"), 404);
  }

  @Test
  void aChangeWithoutAVersionIsRefused() throws Exception {
    add("web", "{\"weight\": 5}");
    pools.asked.clear();
    for (String id : List.of("web", "none")) {
      assertThat(
              problem(send("PUT", "pools/" + id, "{\"weight\": 6}"), 428).path("remedy").asText())
          .contains("If-Match", "If-None-Match: *");
      problem(send("DELETE", "pools/" + id, ""), 428);
      problem(send("PUT", "pools/" + id, "{\"weight\": 6}", "If-Match", "*"), 428);
      problem(send("DELETE", "pools/" + id, "", "If-None-Match", "*"), 428);
    }
    for (String wrong : List.of("1", "W/\"1\"", "\"1\", \"2\"", "\"-1\"", "\"" + "9".repeat(30))) {
      problem(set("web", wrong, "{\"weight\": 6}"), 400);
    }
    problem(send("PUT", "pools/web", "{}", "If-Match", "\"1\"", "If-None-Match", "*"), 400);
    problem(send("PUT", "pools/web", "{}", "If-None-Match", "\"1\""), 400);
    assertThat(pools.asked).isEmpty();
  }

  @Test
  void aWrongFieldIsNamed() throws Exception {
    JsonNode wrong = problem(add("web", "{\"weight\": 101}"), 422);
    assertThat(wrong.path("field").asText()).isEqualTo("weight");
    assertThat(wrong.path("detail").asText()).isEqualTo("weight: 101 is not allowed");
    assertThat(wrong.path("remedy").asText()).isEqualTo("give a whole number from 1 to 100");
    assertThat(problem(add("web", "{\"wieght\": 1}"), 422).path("field").asText())
        .isEqualTo("wieght");
    assertThat(problem(add("web", "{\"weight\": 1, \"id\": \"wub\"}"), 422).path("field").asText())
        .isEqualTo("id");
    assertThat(
            problem(set("web", "\"1\"", "{\"weight\": 1, \"version\": 2}"), 422)
                .path("field")
                .asText())
        .isEqualTo("version");
    assertThat(problem(add("Web", "{\"weight\": 1}"), 422).path("field").asText()).isEqualTo("id");
    problem(send("GET", "pools/Web", ""), 404);
    assertThat(pools.asked).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "[]",
        "7",
        "null",
        "{\"weight\": 1} {}",
        "{\"weight\": 1, \"weight\": 2}",
        "{'a': 1}"
      })
  void aBodyThatIsNoObjectIsRefused(String body) throws Exception {
    problem(add("web", body), 400);
    assertThat(pools.asked).isEmpty();
  }

  @Test
  void aBodyThatIsDeepLongOrOfAnotherTypeIsRefused() throws Exception {
    problem(add("web", "{\"weight\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}"), 400);
    problem(add("web", "\"" + "x".repeat(DomainDoor.MAX_FILE_BYTES) + "\""), 413);
    for (String type : List.of("text/plain", "application/x-www-form-urlencoded")) {
      HttpResponse<String> response =
          send("PUT", "pools/web", "{\"weight\": 1}", "If-None-Match", "*", "Content-Type", type);
      problem(response, 415);
    }
    assertThat(pools.asked).isEmpty();
    assertThat(
            send(
                    "PUT",
                    "pools/web",
                    "{\"weight\": 1}",
                    "If-None-Match",
                    "*",
                    "Content-Type",
                    "Application/JSON; charset=utf-8")
                .statusCode())
        .isEqualTo(201);
  }

  @Test
  void eachResultHasItsStatus() throws Exception {
    pools.scripted =
        new ResourceAnswer.Changed(
            new ResourceResult.Conflict("pool", "vip web uses it", "remove the vip first"));
    assertThat(
            problem(send("DELETE", "pools/web", "", "If-Match", "\"1\""), 409)
                .path("field")
                .asText())
        .isEqualTo("pool");
    pools.scripted =
        new ResourceAnswer.Changed(new ResourceResult.Invalid("", "no such thing", "look"));
    assertThat(problem(add("web", "{\"weight\": 1}"), 422).has("field")).isFalse();
    pools.scripted = new ResourceAnswer.Changed(new ResourceResult.Accepted(9));
    HttpResponse<String> accepted = add("web", "{\"weight\": 1}");
    assertThat(accepted.statusCode()).isEqualTo(202);
    assertThat(tag(accepted)).isEqualTo("\"9\"");
    List<Integer> statuses = new ArrayList<>();
    for (ResourceAnswer.Reason reason : ResourceAnswer.Reason.values()) {
      pools.scripted = new ResourceAnswer.Refused(reason, "not now", "later");
      statuses.add(send("GET", "pools", "").statusCode());
      statuses.add(add("web", "{\"weight\": 1}").statusCode());
    }
    assertThat(statuses).containsExactly(503, 503, 500, 500, 504, 504);
  }

  @Test
  void methodsAndPathsThatAreNotThereAreRefused() throws Exception {
    HttpResponse<String> all = send("DELETE", "pools", "");
    problem(all, 405);
    assertThat(all.headers().firstValue("allow")).contains("GET, HEAD, POST");
    HttpResponse<String> patch = send("PATCH", "pools/web", "{\"weight\": 1}");
    problem(patch, 405);
    assertThat(patch.headers().firstValue("allow")).contains("GET, HEAD, PUT, DELETE");
    problem(send("PUT", "resources", "{}"), 405);
    assertThat(send("GET", "pools/web/more", "").statusCode()).isEqualTo(404);
    assertThat(send("GET", "pols", "").body()).contains("no such path", "/api/v1/pools");
    assertThat(send("HEAD", "pools", "").statusCode()).isEqualTo(200);
  }

  @Test
  void resourcesAreDescribed() throws Exception {
    JsonNode one = json.readTree(send("GET", "resources", "").body()).path(0);
    assertThat(one.path("name").asText()).isEqualTo("pools");
    assertThat(one.path("changes").toString()).isEqualTo("[\"add\",\"remove\",\"set\"]");
    assertThat(one.path("fields").path(0).toString())
        .isEqualTo(
            "{\"name\":\"weight\",\"kind\":\"whole\",\"allowed\":\"a whole number from 1 to 100\","
                + "\"required\":true,\"usual\":null}");
  }
}
