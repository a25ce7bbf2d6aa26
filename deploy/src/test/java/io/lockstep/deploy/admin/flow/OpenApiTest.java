package io.lockstep.deploy.admin.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The description of the admin HTTP and what it answers. */
class OpenApiTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FLOW =
      "{\"id\": \"web\", \"switch\": \"1f\", \"match\": [\"in_port=1\"],"
          + " \"actions\": [\"output:2\"]}";

  /** What stands in the place of a parameter. */
  private static final Map<String, String> PARAMETERS =
      Map.of(
          "id", "web", "rule", "0x1f", "name", "one", "noun", "two", "mac", "x", "vlan", "y",
          "logger", "ROOT");

  /** Never ends by itself: EventStreamTest has it. */
  private static final String EVENTS = "/api/v1/events";

  private static ServedFlows served;
  private static HttpClient client;
  private static JsonNode document;

  @BeforeAll
  static void open() throws Exception {
    served = new ServedFlows();
    served.offerAll();
    client = HttpClient.newHttpClient();
    document = JSON.readTree(get("/api/v1/openapi.json").body());
  }

  @AfterAll
  static void close() {
    served.close();
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + served.port() + path));
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return send(request(path).GET());
  }

  private static String filled(String template) {
    String path = template;
    for (Map.Entry<String, String> one : PARAMETERS.entrySet()) {
      path = path.replace("{" + one.getKey() + "}", one.getValue());
    }
    return path;
  }

  /** Names of parameters do not matter. */
  private static String shape(String path) {
    return path.replaceAll("\\{[a-z]+}|0x[A-Z]+|(?<=/)[A-Z]+", "*");
  }

  private void check(String template, String method, HttpResponse<String> answer) throws Exception {
    JsonNode responses = document.path("paths").path(template).path(method).path("responses");
    JsonNode described =
        responses.has("" + answer.statusCode())
            ? responses.path("" + answer.statusCode())
            : responses.path("default");
    String type = answer.headers().firstValue("content-type").orElse("-");
    String what = method + " " + template + ": " + answer.statusCode() + " " + answer.body();
    assertThat(answer.statusCode()).as(what).isNotEqualTo(500);
    assertThat(described.path("content").has(type)).as(what + " of type " + type).isTrue();
    ObjectNode schema = JSON.createObjectNode();
    schema.set(
        "allOf", JSON.createArrayNode().add(described.at("/content").path(type).path("schema")));
    schema.set("components", document.path("components"));
    List<Error> errors =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(schema)
            .validate(JSON.readTree(answer.body()));
    assertThat(errors).as(what).isEmpty();
  }

  @Test
  void eachPathOfTheHandlerIsDescribedAndTheReverse() throws Exception {
    TreeSet<String> offered = new TreeSet<>();
    for (JsonNode path : JSON.readTree(get("/api/v1").body()).path("paths")) {
      if (path.asText().startsWith("/api/v1/")) {
        offered.add(shape(path.asText()));
      }
    }
    TreeSet<String> described = new TreeSet<>();
    document.path("paths").properties().forEach(one -> described.add(shape(one.getKey())));
    assertThat(described).isEqualTo(offered);
  }

  @Test
  void eachReadAnswersAsItIsDescribed() throws Exception {
    List<String> done = new ArrayList<>();
    Map<String, JsonNode> paths = new TreeMap<>();
    document.path("paths").properties().forEach(one -> paths.put(one.getKey(), one.getValue()));
    for (String template : paths.keySet()) {
      if (!template.equals(EVENTS)) {
        check(template, "get", get(filled(template)));
        done.add(template);
      }
    }
    assertThat(done).hasSizeGreaterThan(30);
  }

  @Test
  void aStaticFlowIsWrittenReadAndRemovedAsItIsDescribed() throws Exception {
    String item = "/api/v1/flows/{id}";
    HttpResponse<String> made =
        send(
            request("/api/v1/flows")
                .POST(BodyPublishers.ofString(FLOW))
                .header("Content-Type", "application/json"));
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    check("/api/v1/flows", "post", made);
    HttpResponse<String> read = get("/api/v1/flows/web");
    assertThat(read.statusCode()).isEqualTo(200);
    check(item, "get", read);
    String tag = read.headers().firstValue("etag").orElseThrow();
    HttpResponse<String> set =
        send(
            request("/api/v1/flows/web")
                .PUT(BodyPublishers.ofString(FLOW.replace("output:2", "drop")))
                .header("Content-Type", "application/json")
                .header("If-Match", tag));
    assertThat(set.statusCode()).as(set.body()).isEqualTo(200);
    check(item, "put", set);
    HttpResponse<String> late = send(request("/api/v1/flows/web").DELETE().header("If-Match", tag));
    assertThat(late.statusCode()).isEqualTo(412);
    check(item, "delete", late);
    HttpResponse<String> removed =
        send(
            request("/api/v1/flows/web")
                .DELETE()
                .header("If-Match", set.headers().firstValue("etag").orElseThrow()));
    assertThat(removed.statusCode()).as(removed.body()).isEqualTo(200);
    check(item, "delete", removed);
  }

  @Test
  void domainsAreChangedAsItIsDescribed() throws Exception {
    String path = "/api/v1/domain-map";
    String tag = get(path).headers().firstValue("etag").orElseThrow();
    Map<String, Integer> statuses = Map.of("", 428, "\"4\"", 412, tag, 202);
    for (Map.Entry<String, Integer> one : statuses.entrySet()) {
      HttpRequest.Builder request =
          request(path + "?switches=1f").POST(BodyPublishers.noBody()).header("X-Lockstep", "x");
      if (!one.getKey().isEmpty()) {
        request.header("If-Match", one.getKey());
      }
      HttpResponse<String> said = send(request);
      assertThat(said.statusCode()).as(one.getKey()).isEqualTo(one.getValue());
      check(path, "post", said);
    }
  }

  @Test
  void aWrongRequestIsAnsweredAsItIsDescribed() throws Exception {
    check("/api/v1/flows", "get", get("/api/v1/flows?limit=0"));
    check("/api/v1/routes", "get", get("/api/v1/routes?from=1&to=1"));
    HttpResponse<String> wrong =
        send(
            request("/api/v1/flows")
                .POST(BodyPublishers.ofString(FLOW.replace("1f", "zz")))
                .header("Content-Type", "application/json"));
    assertThat(JSON.readTree(wrong.body()).path("field").asText()).isEqualTo("switch");
    check("/api/v1/flows", "post", wrong);
  }
}
