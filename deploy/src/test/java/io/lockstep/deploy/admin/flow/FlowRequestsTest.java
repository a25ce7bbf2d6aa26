package io.lockstep.deploy.admin.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.admin.answer.ResourceResponse;
import io.lockstep.deploy.admin.flow.FlowListDoor.FlowPage;
import io.lockstep.deploy.admin.flow.FlowListDoor.FlowQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlowRequestsTest {
  private final List<FlowQuery> asked = new ArrayList<>();
  private final FlowRequests requests = new FlowRequests();

  private ResourceResponse get(String path, Map<String, String> query) {
    requests.offer(
        asking -> {
          asked.add(asking);
          return new FlowPage(List.of(), null);
        });
    return requests.answer(path, query);
  }

  @Test
  void onlyReadsOfTheListAndOfRulesAreAnsweredHere() {
    assertThat(requests.answers("GET", FlowRequests.PATH)).isTrue();
    assertThat(requests.answers("GET", FlowRequests.PATH + "/0x1f")).isTrue();
    assertThat(requests.answers("POST", FlowRequests.PATH)).isFalse();
    assertThat(requests.answers("GET", FlowRequests.PATH + "/web")).isFalse();
  }

  @Test
  void beforeTheNodeRunsThereAreNone() {
    assertThat(requests.answer(FlowRequests.PATH, Map.of()).status()).isEqualTo(503);
  }

  @Test
  void theQueryIsPassedOnInOneForm() {
    assertThat(get(FlowRequests.PATH, Map.of()).status()).isEqualTo(200);
    get(FlowRequests.PATH, Map.of("switch", "of:1F", "app", "static", "limit", "7"));
    assertThat(asked)
        .containsExactly(
            new FlowQuery("", "", "", "", 100),
            new FlowQuery("000000000000001f", "static", "", "", 7));
  }

  @ParameterizedTest
  @CsvSource({"switch,xyz", "limit,0", "limit,1001", "limit,x", "cursor,here", "dpid,1"})
  void aWrongFieldIsNamed(String field, String value) {
    ResourceResponse refused = get(FlowRequests.PATH, Map.of(field, value));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(((Map<?, ?>) refused.body()).get("field")).isEqualTo(field);
    assertThat(asked).isEmpty();
  }

  @Test
  void aRuleThatIsNowhereIsNotThere() {
    assertThat(get(FlowRequests.PATH + "/0x1f", Map.of()).status()).isEqualTo(404);
    assertThat(asked.get(0).rule()).isEqualTo("000000000000001f");
  }
}
