package io.lockstep.deploy.admin.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.admin.answer.ResourceResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class LogLevelRequestsTest {
  private static final String NAME = "io.lockstep.deploy.admin.log.sample";
  private static final String ONE = LogLevelRequests.PATH + "/" + NAME;

  private final Logger logger = LoggerFactory.getLogger(NAME);
  private final LogLevelRequests requests = new LogLevelRequests();

  @AfterEach
  void restore() {
    set("inherit");
  }

  private ResourceResponse set(String level) {
    return requests.answer("PUT", ONE, Map.of("level", level));
  }

  @Test
  void aLevelIsShownSetAndGivenBack() {
    assertThat(set("trace").body())
        .isEqualTo(new LogLevelRequests.LevelReport(NAME, "trace", true));
    assertThat(logger.isTraceEnabled()).isTrue();
    assertThat(requests.answer("GET", LogLevelRequests.PATH, Map.of()).body().toString())
        .contains(NAME, "ROOT");
    assertThat(set("off").status()).isEqualTo(200);
    assertThat(logger.isErrorEnabled()).isFalse();
    assertThat(set("inherit").body().toString()).contains("own=false");
    assertThat(logger.isErrorEnabled()).isTrue();
  }

  @Test
  void whatIsNoLevelOrNoLoggerIsNamed() {
    ResourceResponse wrong = set("loud");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.body().toString()).contains("field=level", "give one of off, error");
    assertThat(requests.answer("PUT", ONE, Map.of()).status()).isEqualTo(400);
    assertThat(
            requests
                .answer("PUT", LogLevelRequests.PATH + "/ROOT", Map.of("level", "inherit"))
                .status())
        .isEqualTo(400);
    assertThat(requests.answer("GET", LogLevelRequests.PATH + "/no.such", Map.of()).status())
        .isEqualTo(404);
    assertThat(requests.answer("POST", ONE, Map.of()).status()).isEqualTo(405);
    assertThat(requests.answer("PUT", LogLevelRequests.PATH, Map.of()).status()).isEqualTo(405);
  }
}
