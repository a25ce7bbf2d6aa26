package io.lockstep.bench.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RestRequestTest {
  @Test
  void oneInElevenIsAWrite() {
    long writes = LongStream.range(0, 2200).filter(RestRequest::isWrite).count();
    assertThat(writes).isEqualTo(200);
    assertThat(LongStream.range(0, 2200))
        .allMatch(
            number ->
                RestRequest.isWrite(number) != RestRequest.of(number, 16).method().equals("GET"));
  }

  @Test
  void whatIsAddedIsRemovedByTheNextTurnOfWrites() throws Exception {
    Set<String> there = new HashSet<>();
    for (long number = 0; number < 200 * RestRequest.TURN; number++) {
      RestRequest request = RestRequest.of(number, 16);
      if (request.method().equals("PUT")) {
        assertThat(there.add(request.path())).isTrue();
        JsonNode body = new ObjectMapper().readTree(request.body());
        assertThat(Integer.parseInt(body.path("switch").asText(), 16)).isBetween(1, 16);
      } else if (request.method().equals("DELETE")) {
        assertThat(there.remove(request.path())).isTrue();
      }
    }
    assertThat(there).isEmpty();
  }
}
