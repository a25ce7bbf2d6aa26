package io.lockstep.deploy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceDescription.Change;
import io.lockstep.core.app.ResourceResult;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a page of another site makes a browser send changes nothing, on any path. */
class CrossSiteRequestsTest {
  private static final String[] OF_A_VERSION = {"If-Match", "\"1\""};
  private static final String[] NEW = {"If-None-Match", "*"};

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<String> changes = new CopyOnWriteArrayList<>();
  private AdminServer server;

  /** Carries out each change of a resource without fields. */
  private record Recorded(String name, List<String> changes) implements ResourceOffer {
    @Override
    public ResourceDescription description() {
      return new ResourceDescription(
          name,
          name.substring(0, name.length() - 1),
          "things",
          Pattern.compile("[a-z0-9]+"),
          "a name",
          List.of(),
          EnumSet.allOf(Change.class));
    }

    @Override
    public CompletableFuture<ResourceAnswer> list() {
      return CompletableFuture.completedFuture(new ResourceAnswer.Items(List.of(), true));
    }

    @Override
    public CompletableFuture<ResourceAnswer> show(String id) {
      return list();
    }

    @Override
    public CompletableFuture<ResourceAnswer> change(ResourceChange change) {
      changes.add(name + "/" + change.id());
      return CompletableFuture.completedFuture(
          new ResourceAnswer.Changed(new ResourceResult.Done(2)));
    }
  }

  @BeforeEach
  void open() throws IOException {
    server = AdminServer.open(new Listener("127.0.0.1", 0), () -> SampleReport.ready("n1"));
    server.offer(
        Stream.of("vips", "pools", "members", "drains")
            .<ResourceOffer>map(name -> new Recorded(name, changes))
            .toList());
    server.offer(
        new DomainDoor() {
          @Override
          public ProbeDoor.Answer show() {
            return new ProbeDoor.Answer(200, Map.of());
          }

          @Override
          public ProbeDoor.Answer change(long decidedOn, Map<String, String> query, String file) {
            changes.add("domain-map");
            return new ProbeDoor.Answer(202, new Accepted(2));
          }
        });
  }

  @AfterEach
  void close() {
    server.close();
  }

  private HttpResponse<String> send(
      String method, String below, String[] condition, String header, String value)
      throws Exception {
    boolean posts = method.equals("POST");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/api/v1/" + below))
            .method(method, BodyPublishers.ofString(posts ? "{\"id\": \"a\"}" : "{}"))
            .header("Content-Type", "application/json")
            .header(ProbeDoor.HEADER, "x")
            .header(header, value);
    if (!posts || below.startsWith("domain")) {
      request.headers(condition);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  /**
   * The last column is what the same request does that comes from no other site: 405 where the path
   * does not have the method.
   */
  @ParameterizedTest
  @CsvSource({
    "POST, vips, 201",
    "PUT, vips/a, 201",
    "DELETE, vips/a, 200",
    "POST, pools, 201",
    "PUT, pools/a, 201",
    "DELETE, pools/a, 200",
    "POST, members, 201",
    "PUT, members/a, 201",
    "DELETE, members/a, 200",
    "POST, domain-map, 202",
    "PUT, domain-map, 405",
    "DELETE, domain-map, 405",
    "POST, nodes/n1/drain, 405",
    "PUT, nodes/n1/drain, 201",
    "DELETE, nodes/n1/drain, 200"
  })
  void aPageOfAnotherSiteChangesNothing(String method, String below, int ownStatus)
      throws Exception {
    String[] condition = method.equals("PUT") ? NEW : OF_A_VERSION;
    for (String site : List.of("cross-site", "same-site", "x")) {
      assertThat(send(method, below, condition, "Sec-Fetch-Site", site).statusCode())
          .as(site)
          .isEqualTo(403);
    }
    for (String origin : List.of("http://evil.example", "null")) {
      assertThat(send(method, below, condition, "Origin", origin).statusCode())
          .as(origin)
          .isEqualTo(403);
    }
    assertThat(changes).isEmpty();
    HttpResponse<String> own = send(method, below, condition, "Sec-Fetch-Site", "same-origin");
    assertThat(own.statusCode()).as(own.body()).isEqualTo(ownStatus);
    assertThat(changes).hasSize(ownStatus == 405 ? 0 : 1);
  }

  @Test
  void readingAndAskingWhatIsAllowedChangeNothing() throws Exception {
    assertThat(send("GET", "pools", NEW, "Sec-Fetch-Site", "cross-site").statusCode())
        .isEqualTo(200);
    HttpResponse<String> preflight =
        client.send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + server.port() + "/api/v1/pools/web"))
                .method("OPTIONS", BodyPublishers.noBody())
                .header("Origin", "http://127.0.0.1:" + server.port())
                .header("Access-Control-Request-Method", "PUT")
                .build(),
            BodyHandlers.ofString());
    assertThat(preflight.statusCode()).isEqualTo(405);
    assertThat(preflight.headers().map().keySet())
        .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control"));
    assertThat(changes).isEmpty();
  }
}
