package io.lockstep.deploy.admin.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.deploy.admin.event.EventLog;
import io.lockstep.deploy.status.AdminClient;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that follow events over HTTP. */
class EventStreamTest {
  private ServedFlows served;

  @BeforeEach
  void open() throws IOException {
    served = new ServedFlows();
  }

  @AfterEach
  void close() {
    served.close();
  }

  private void add(String kind, String subject) {
    served.events.add(kind, kind + "_added", subject, "");
  }

  /** The lines with data until one is wanted no more. */
  private List<String> data(String query, String lastId, Predicate<String> isLast)
      throws IOException {
    List<String> data = new ArrayList<>();
    new AdminClient("127.0.0.1:" + served.port(), 30_000)
        .follow(
            query,
            lastId,
            line -> {
              if (line.startsWith("data: ")) {
                data.add(line);
              }
              return !line.startsWith("data: ") || !isLast.test(line);
            });
    return data;
  }

  @Test
  void whoComesBackGoesOnBehindTheLastEvent() throws IOException {
    add("link", "one");
    add("link", "two");
    add("link", "three");
    assertThat(data("", "7-1", line -> line.contains("three")))
        .hasSize(2)
        .first()
        .asString()
        .contains("\"id\":\"7-2\"", "\"subject\":\"two\"", "\"type\":\"link_added\"");
  }

  @Test
  void onlyTheKindsThatWereAskedForAreSent() throws IOException {
    add("link", "one");
    add("host", "two");
    add("device", "three");
    add("host", "four");
    assertThat(data("?kinds=host,device", "7-1", line -> line.contains("four"))).hasSize(3);
  }

  @Test
  void whoMayHaveMissedEventsIsTold() throws IOException {
    assertThat(data("", "6-1", line -> true).get(0)).contains("some may be missed");
    for (int i = 0; i < EventLog.CAPACITY + 3; i++) {
      add("link", "" + i);
    }
    List<String> late = data("", "7-1", line -> false);
    assertThat(late).as("the stream ended").hasSize(1);
    assertThat(late.get(0)).contains("2 events were overwritten");
  }

  @Test
  void moreThanEightAreRefused() throws Exception {
    List<HttpURLConnection> open = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      HttpURLConnection connection =
          (HttpURLConnection)
              URI.create("http://127.0.0.1:" + served.port() + "/api/v1/events")
                  .toURL()
                  .openConnection();
      assertThat(connection.getResponseCode()).isEqualTo(200);
      open.add(connection);
    }
    assertThatThrownBy(() -> data("", "", line -> true)).hasMessageContaining("HTTP status 503");
    for (HttpURLConnection connection : open) {
      assertThat(connection.getInputStream().read()).isEqualTo(':');
      connection.disconnect();
    }
  }
}
