package io.lockstep.deploy.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class DevicesTextTest {
  private static JsonNode devices() throws IOException {
    return new ObjectMapper()
        .readTree(
            """
            [{"id": "02:00:00:00:00:01/None", "mac": "02:00:00:00:00:01", "vlan": -1,
              "ips": ["10.0.0.1", "fe80::1"], "atSwitch": "000000000000001f", "atPort": 3,
              "sinceMillis": 2000, "firstSeenMillis": 1000, "lastSeenMillis": 61999,
              "former": [{"atSwitch": "000000000000001e", "atPort": 4, "sinceMillis": 1000,
                          "untilMillis": 2000}]},
             {"id": "02:00:00:00:00:02/7", "mac": "02:00:00:00:00:02", "vlan": 7, "ips": [],
              "atSwitch": "000000000000001f", "atPort": 4, "sinceMillis": 0,
              "firstSeenMillis": 0, "lastSeenMillis": 0, "former": []}]
            """);
  }

  @Test
  void eachDeviceIsALine() throws IOException {
    assertThat(DevicesText.lines(devices()))
        .containsExactly(
            "DEVICE             VLAN  SWITCH            PORT  SINCE                 LAST SEEN"
                + "             IP ADDRESSES",
            "02:00:00:00:00:01  -     000000000000001f  3     1970-01-01T00:00:02Z"
                + "  1970-01-01T00:01:01Z  10.0.0.1 fe80::1",
            "02:00:00:00:00:02  7     000000000000001f  4     1970-01-01T00:00:00Z"
                + "  1970-01-01T00:00:00Z  -");
  }

  @Test
  void detailsSayWhereItWas() throws IOException {
    assertThat(DevicesText.details(devices()))
        .contains(
            "02:00:00:00:00:01/None: first seen 1970-01-01T00:00:01Z, was at",
            "  000000000000001e/4 from 1970-01-01T00:00:01Z until 1970-01-01T00:00:02Z",
            "02:00:00:00:00:02/7: first seen 1970-01-01T00:00:00Z");
  }
}
