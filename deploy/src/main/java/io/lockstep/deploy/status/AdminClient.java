package io.lockstep.deploy.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.RuleReport;
import io.lockstep.deploy.admin.ApplicationDoor;
import io.lockstep.deploy.admin.AuditDoor;
import io.lockstep.deploy.admin.DeviceDoor;
import io.lockstep.deploy.admin.DomainDoor;
import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.admin.ProbeDoor;
import io.lockstep.deploy.admin.RecordingDoor;
import io.lockstep.deploy.admin.event.EventRequests;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.HttpRetryException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Asks one node over its admin HTTP. Blocks the caller for a bounded time. Thread-safe. */
public final class AdminClient {
  /** An answer is at most this long. */
  static final int MAX_ANSWER_BYTES = 32 << 20;

  /** A node shows every 10 s that it lives. */
  private static final int SILENCE_MILLIS = 30_000;

  private static final ObjectMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private final AdminAddress address;
  private final String endpoint;
  private final int timeoutMillis;

  /**
   * A client.
   *
   * @param endpoint {@code host:port}
   * @param timeoutMillis for connecting, and again for each read
   */
  public AdminClient(String endpoint, int timeoutMillis) {
    this(AdminAddress.plain(endpoint), timeoutMillis);
  }

  /**
   * The same for a node on any machine.
   *
   * @param timeoutMillis for connecting, and again for each read
   */
  public AdminClient(AdminAddress address, int timeoutMillis) {
    this.address = address;
    this.endpoint = address.text();
    this.timeoutMillis = timeoutMillis;
  }

  /** As the caller wrote it. */
  public String endpoint() {
    return endpoint;
  }

  /**
   * The node's report.
   *
   * @throws IOException names the endpoint and what went wrong
   */
  public NodeReport report() throws IOException {
    try {
      return JSON.readValue(get("/api/v1/status", 200), NodeReport.class);
    } catch (JsonProcessingException e) {
      throw new IOException(endpoint + " answers, but is no node of Lockstep", e);
    }
  }

  /**
   * The tables of the switches that the node masters and that have bounded ones.
   *
   * @throws IOException names the endpoint and what went wrong
   */
  public Map<String, PlacementReport> tables() throws IOException {
    return read("/api/v1/tables", new TypeReference<>() {});
  }

  /**
   * Why the rules with an id are where they are, at switches that the node masters.
   *
   * @throws IOException names the endpoint and what went wrong
   */
  public Map<String, RuleReport> explain(long flowId) throws IOException {
    String path = "/api/v1/flows/0x" + Long.toHexString(flowId) + "/placement";
    byte[] found = find(path, 200);
    return found == null ? Map.of() : parse(found, new TypeReference<>() {});
  }

  private <T> T read(String path, TypeReference<T> type) throws IOException {
    return parse(get(path, 200), type);
  }

  private <T> T parse(byte[] body, TypeReference<T> type) throws IOException {
    try {
      return JSON.readValue(body, type);
    } catch (JsonProcessingException e) {
      throw new IOException(endpoint + " answers, but is no node of Lockstep", e);
    }
  }

  /** Whether the node says it is ready; false too where it does not answer. */
  public boolean ready() {
    try {
      get("/health/ready", 200);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * The node's last probe of a switch.
   *
   * @throws IOException names the endpoint and what went wrong
   */
  public JsonNode probe() throws IOException {
    return JSON.readTree(get(ProbeDoor.PATH, 200));
  }

  /**
   * Asks the node for a probe of a switch; what it refuses is in the answer's {@code error}.
   *
   * @param query from its question mark on
   * @throws IOException names the endpoint and what went wrong
   */
  public JsonNode postProbe(String query) throws IOException {
    try {
      HttpURLConnection connection = connect(ProbeDoor.PATH + query);
      connection.setRequestMethod("POST");
      connection.setRequestProperty(ProbeDoor.HEADER, "probe");
      boolean refused = connection.getResponseCode() >= 400;
      try (InputStream in = refused ? connection.getErrorStream() : connection.getInputStream()) {
        return JSON.readTree(in.readNBytes(MAX_ANSWER_BYTES));
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** A node's answer: a status of HTTP and JSON ({@link DomainDoor}, {@link ApplicationDoor}). */
  public record JsonAnswer(int status, JsonNode body) {}

  /**
   * The domains as the node knows them.
   *
   * @throws IOException names the endpoint and what went wrong
   */
  public JsonAnswer domains() throws IOException {
    return get(DomainDoor.PATH);
  }

  /**
   * Asks the node to change the domains.
   *
   * @param query from its question mark on
   * @param decidedOn the version that the change was decided on
   * @param file what is sent; may be empty
   * @throws IOException names the endpoint and what went wrong
   */
  public JsonAnswer changeDomains(String query, long decidedOn, byte[] file) throws IOException {
    return exchange(
        "POST",
        DomainDoor.PATH + query,
        Map.of(ProbeDoor.HEADER, "domains", "If-Match", "\"" + decidedOn + "\""),
        file);
  }

  /**
   * Asks the node for its applications, or a noun of one.
   *
   * @param below what follows {@link ApplicationDoor#PATH}; empty, or from its slash on
   * @throws IOException names the endpoint and what went wrong
   */
  public JsonAnswer applications(String below) throws IOException {
    return get(ApplicationDoor.PATH + below);
  }

  /**
   * Reads a resource, an item of one, or the list of all resources.
   *
   * @param below what follows {@code /api/v1/}
   * @throws IOException names the endpoint and what went wrong
   */
  public JsonAnswer resource(String below) throws IOException {
    return get("/api/v1/" + below);
  }

  /**
   * Sends a request below {@code /api/v1/}.
   *
   * @param below what follows, with its query
   * @param body becomes JSON; null for none
   * @throws IOException names the endpoint and what went wrong
   */
  public JsonAnswer request(
      String method, String below, Map<String, String> headers, @Nullable Object body)
      throws IOException {
    Map<String, String> all = new TreeMap<>(headers);
    if (body != null) {
      all.put("Content-Type", "application/json");
    }
    return exchange(
        method, "/api/v1/" + below, all, body == null ? null : JSON.writeValueAsBytes(body));
  }

  /**
   * Writes or removes an item of a resource.
   *
   * @param below what follows {@code /api/v1/}
   * @param condition a header and its value
   * @param fields null to remove it
   * @throws IOException names the endpoint and what went wrong
   */
  public JsonAnswer changeResource(
      String below, Map.Entry<String, String> condition, @Nullable Object fields)
      throws IOException {
    Map<String, String> headers = new TreeMap<>(Map.of(condition.getKey(), condition.getValue()));
    if (fields == null) {
      return exchange("DELETE", "/api/v1/" + below, headers, null);
    }
    headers.put("Content-Type", "application/json");
    return exchange("PUT", "/api/v1/" + below, headers, JSON.writeValueAsBytes(fields));
  }

  /**
   * Asks the node for devices.
   *
   * @param query from its question mark on; empty for all
   * @throws IOException names the endpoint and what went wrong
   */
  public JsonAnswer devices(String query) throws IOException {
    return get(DeviceDoor.PATH + query);
  }

  /**
   * Shows, begins or ends the node's recording.
   *
   * @param method {@code GET}, {@code PUT} or {@code DELETE}
   * @param query from its question mark on; empty but for {@code PUT}
   * @throws IOException names the endpoint and what went wrong
   */
  public JsonAnswer recording(String method, String query) throws IOException {
    return exchange(method, RecordingDoor.PATH + query, Map.of(), null);
  }

  /**
   * Follows events until the stream ends or {@code lines} wants no more.
   *
   * @param query from its question mark on; empty for all
   * @param lastId of the last event that was read; empty for none
   * @param lines is given each line, and says whether to go on
   * @throws IOException names the endpoint and what went wrong, also where nothing came in time
   */
  public void follow(String query, String lastId, Predicate<String> lines) throws IOException {
    try {
      HttpURLConnection connection = connect(EventRequests.PATH + query);
      connection.setReadTimeout(SILENCE_MILLIS);
      if (!lastId.isEmpty()) {
        connection.setRequestProperty("Last-Event-ID", lastId);
      }
      if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
        throw refused(connection, EventRequests.PATH);
      }
      try (BufferedReader in =
          new BufferedReader(
              new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
        String line = in.readLine();
        while (line != null && lines.test(line)) {
          line = in.readLine();
        }
      }
      connection.disconnect();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private JsonAnswer get(String path) throws IOException {
    return exchange("GET", path, Map.of(), null);
  }

  private JsonAnswer exchange(
      String method, String path, Map<String, String> headers, byte @Nullable [] file)
      throws IOException {
    try {
      HttpURLConnection connection = connect(path);
      connection.setRequestMethod(method);
      headers.forEach(connection::setRequestProperty);
      if (file != null) {
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(file.length);
        try (OutputStream out = connection.getOutputStream()) {
          out.write(file);
        }
      }
      int status = connection.getResponseCode();
      try (InputStream in =
          status >= 400 ? connection.getErrorStream() : connection.getInputStream()) {
        return new JsonAnswer(status, JSON.readTree(in.readNBytes(MAX_ANSWER_BYTES)));
      }
    } catch (HttpRetryException e) {
      return unknownCaller();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private IOException failed(IOException e) {
    return new IOException(endpoint + ": " + address.explain(e), e);
  }

  /** With what the node says, which names the remedy. */
  private static IOException refused(HttpURLConnection connection, String path) throws IOException {
    String text = "it answers " + path + " with HTTP status " + connection.getResponseCode();
    try (InputStream in = connection.getErrorStream()) {
      if (in == null) {
        return new IOException(text);
      }
      JsonNode body = JSON.readTree(in.readNBytes(MAX_ANSWER_BYTES));
      String error = body.path("error").asText(body.path("detail").asText(""));
      String remedy = body.path("remedy").asText("");
      return new IOException(
          text
              + (error.isEmpty() ? "" : ": " + error)
              + (remedy.isEmpty() ? "" : "; remedy: " + remedy));
    } catch (JsonProcessingException e) {
      return new IOException(text, e);
    }
  }

  /** What the JDK does not read where it would have to send the body again. */
  private static JsonAnswer unknownCaller() {
    return new JsonAnswer(
        HttpURLConnection.HTTP_UNAUTHORIZED,
        JSON.createObjectNode()
            .put("error", "the node does not know who asks")
            .put(
                "remedy",
                "use the keys of ./lockstep pki issue (--keys), or a token of ./lockstep user add"
                    + " (LOCKSTEP_TOKEN)"));
  }

  private HttpURLConnection connect(String path) throws IOException {
    HttpURLConnection connection = address.connection(path);
    connection.setConnectTimeout(timeoutMillis);
    connection.setReadTimeout(timeoutMillis);
    connection.setRequestProperty(AuditDoor.USER_HEADER, System.getProperty("user.name", ""));
    return connection;
  }

  private byte[] get(String path, int wanted) throws IOException {
    byte[] body = find(path, wanted);
    if (body == null) {
      throw new IOException(endpoint + ": it answers " + path + " with HTTP status 404");
    }
    return body;
  }

  /** Null where the node answers that there is no such thing. */
  private byte @Nullable [] find(String path, int wanted) throws IOException {
    try {
      HttpURLConnection connection = connect(path);
      int status = connection.getResponseCode();
      if (status == HttpURLConnection.HTTP_NOT_FOUND) {
        return null;
      }
      if (status != wanted) {
        throw refused(connection, path);
      }
      try (InputStream in = connection.getInputStream()) {
        return in.readNBytes(MAX_ANSWER_BYTES);
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
