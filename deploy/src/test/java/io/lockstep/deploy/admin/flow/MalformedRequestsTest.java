package io.lockstep.deploy.admin.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Requests that are wrong in some way, made from a seed: each is refused, with words. */
class MalformedRequestsTest {
  private static final int REQUESTS = 10_000;
  private static final long SEED = 20_261_126;
  private static final List<String> SOUND_FIELDS =
      List.of("\"switch\": \"1f\"", "\"match\": [\"in_port=1\"]", "\"actions\": [\"output:2\"]");
  private static final String SOUND = "{" + String.join(", ", SOUND_FIELDS) + "}";

  /** Fields and values that they may not have. */
  private static final List<String> WRONG_FIELDS =
      List.of(
          "\"switch\": \"xyz\"",
          "\"switch\": 7",
          "\"switch\": null",
          "\"table\": 255",
          "\"table\": \"0\"",
          "\"priority\": -1",
          "\"priority\": 65535",
          "\"priority\": 1.5",
          "\"priority\": 99999999999999999999",
          "\"match\": \"in_port=1\"",
          "\"match\": [\"in_port\"]",
          "\"match\": [\"in_port=-1\"]",
          "\"match\": [\"ipv4_dst=10.0.0.1\"]",
          "\"match\": [\"eth_dst=zz\"]",
          "\"match\": [[]]",
          "\"match\": [null]",
          "\"actions\": []",
          "\"actions\": [\"output:x\"]",
          "\"actions\": [\"drop\", \"output:1\"]",
          "\"actions\": {\"output\": 1}",
          "\"idleSeconds\": 65536",
          "\"hardSeconds\": true",
          "\"unknown\": 1");

  private static final List<String> WRONG_QUERIES =
      List.of(
          "flows?limit=0",
          "flows?limit=x",
          "flows?switch=%zz",
          "flows?switch=g",
          "flows?cursor=1",
          "flows?page=2",
          "flows?app=%20",
          "routes",
          "routes?from=1",
          "routes?from=1&to=%00",
          "routes?from=1&to=10.0.0.1",
          "routes?from=1&to=1&limit=17",
          "events?kinds=all",
          "events?since=1");

  private final ObjectMapper json = new ObjectMapper();
  private final Random random = new Random(SEED);

  private record Answer(int status, String body) {}

  /** One connection that is kept; a new one where the server closed it. */
  private static final class Wire implements AutoCloseable {
    private final int port;
    private Socket socket;
    private InputStream in;

    Wire(int port) throws IOException {
      this.port = port;
      open();
    }

    private void open() throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(60_000);
      in = new BufferedInputStream(socket.getInputStream());
    }

    Answer send(String method, String target, String headers, String body) throws IOException {
      byte[] content = body.getBytes(StandardCharsets.UTF_8);
      String head =
          method
              + " "
              + target
              + " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
              + headers
              + (content.length == 0 ? "" : "Content-Length: " + content.length + "\r\n")
              + "\r\n";
      byte[] begin = head.getBytes(StandardCharsets.ISO_8859_1);
      byte[] all = new byte[begin.length + content.length];
      System.arraycopy(begin, 0, all, 0, begin.length);
      System.arraycopy(content, 0, all, begin.length, content.length);
      socket.getOutputStream().write(all);
      return read(method);
    }

    private Answer read(String method) throws IOException {
      String status = line();
      int length = 0;
      boolean closes = false;
      for (String header = line(); !header.isEmpty(); header = line()) {
        String lower = header.toLowerCase(Locale.ROOT);
        if (lower.startsWith("content-length:")) {
          length = Integer.parseInt(lower.substring("content-length:".length()).strip());
        }
        closes |= lower.equals("connection: close");
      }
      byte[] body = method.equals("HEAD") ? new byte[0] : in.readNBytes(length);
      if (closes) {
        socket.close();
        open();
      }
      return new Answer(
          Integer.parseInt(status.split(" ", 3)[1]), new String(body, StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int octet = in.read(); octet != '\n'; octet = in.read()) {
        if (octet < 0) {
          throw new IOException("the server closed the connection within an answer: " + line);
        }
        if (octet != '\r') {
          line.append((char) octet);
        }
      }
      return line.toString();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private String garbage() {
    StringBuilder text = new StringBuilder();
    int length = 1 + random.nextInt(40);
    for (int i = 0; i < length; i++) {
      text.append((char) (0x21 + random.nextInt(0x5e)));
    }
    return text.toString();
  }

  /** Sends one request that is wrong; gives what it was, for the message of a failure. */
  private String one(Wire wire, int number) throws IOException {
    String type = "Content-Type: application/json\r\n";
    String adds = type + "If-None-Match: *\r\n";
    String id = "flow-" + number;
    return switch (random.nextInt(8)) {
      case 0 ->
          refused(
              wire,
              "GET",
              "/api/v1/x" + garbage().replaceAll("[?#%\\\\^`{|}\"<>]", "x"),
              "",
              "",
              false);
      case 1 ->
          refused(
              wire,
              any(List.of("PATCH", "POST", "DELETE", "PUT", "FOO")),
              "/api/v1/" + any(List.of("nodes", "links", "hosts", "routes", "events")),
              adds,
              SOUND,
              false);
      case 2 -> refused(wire, "PUT", "/api/v1/flows/" + id, adds, garbage(), false);
      case 3 -> refused(wire, "PUT", "/api/v1/flows/" + id, adds, wrongField(), true);
      case 4 -> refused(wire, "POST", "/api/v1/flows", type, withId(id, wrongField()), true);
      case 5 -> refused(wire, "GET", "/api/v1/" + any(WRONG_QUERIES), "", "", false);
      case 6 ->
          refused(
              wire,
              any(List.of("PUT", "DELETE")),
              "/api/v1/flows/" + id,
              type
                  + any(
                      List.of(
                          "If-Match: 7\r\n",
                          "If-Match: \"x\"\r\n",
                          "If-Match: \"1\"\r\n",
                          "If-None-Match: \"1\"\r\n",
                          "")),
              SOUND,
              false);
      default ->
          refused(
              wire,
              "POST",
              "/api/v1/flows",
              any(List.of("", "Content-Type: text/plain\r\n")),
              SOUND,
              false);
    };
  }

  /** A flow of which one field is wrong, and the others are as they may be. */
  private String wrongField() {
    String wrong = any(WRONG_FIELDS);
    String name = wrong.substring(0, wrong.indexOf(':'));
    List<String> fields = new ArrayList<>(List.of(wrong));
    for (String field : SOUND_FIELDS) {
      if (!field.startsWith(name)) {
        fields.add(field);
      }
    }
    return "{" + String.join(", ", fields) + "}";
  }

  private static String withId(String id, String body) {
    return "{\"id\": \"" + id + "\", " + body.substring(1);
  }

  private String refused(
      Wire wire, String method, String target, String headers, String body, boolean hasField)
      throws IOException {
    String request = method + " " + target + "\n" + headers + body;
    Answer answer = wire.send(method, target, headers, body);
    assertThat(answer.status()).as(request + "\n" + answer.body()).isBetween(400, 499);
    assertThat(answer.body()).as(request).doesNotContain("Exception", "\tat ", "java.");
    JsonNode said = json.readTree(answer.body());
    assertThat(said.has("error") || said.has("detail")).as(request).isTrue();
    assertThat(said.path("remedy").asText()).as(request).isNotBlank();
    if (hasField) {
      assertThat(answer.status()).as(request).isEqualTo(422);
      assertThat(said.path("field").asText()).as(request).isNotBlank();
    }
    return request;
  }

  @Test
  void allAreRefusedAndNothingIsChanged() throws Exception {
    try (ServedFlows served = new ServedFlows();
        Wire wire = new Wire(served.port())) {
      String last = "";
      for (int i = 0; i < REQUESTS; i++) {
        last = one(wire, i);
      }
      assertThat(served.flows.ids()).as("after seed " + SEED + ", last " + last).isEmpty();
      Answer sound =
          wire.send(
              "POST", "/api/v1/flows", "Content-Type: application/json\r\n", withId("web", SOUND));
      assertThat(sound.status()).as(sound.body()).isEqualTo(201);
    }
  }
}
