package io.lockstep.deploy.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class ListingTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Listing LISTING =
      Listing.of("lockstep.things/1", "No things.")
          .column("NAME", "id")
          .column("AT", "places")
          .wide("SIZE", "size");

  private static JsonNode json(String text) throws Exception {
    return JSON.readTree(text.replace('\'', '"'));
  }

  @Test
  void wideHasAllColumnsAndTableThoseThatFit() throws Exception {
    JsonNode rows = json("[{'id':'a','places':['x','y'],'size':7},{'id':'','places':[]}]");
    assertThat(LISTING.lines(rows, false)).containsExactly("NAME  AT", "a     x y", "-     -");
    assertThat(LISTING.lines(rows, true))
        .containsExactly("NAME  AT   SIZE", "a     x y  7", "-     -    -");
    assertThat(LISTING.lines(json("[]"), true)).containsExactly("No things.");
  }

  @Test
  void yamlIsReadAsTheJsonThatItCameFrom() throws Exception {
    JsonNode node =
        json(
            "{'schema':'lockstep.things/1','items':[{'id':'a','n':1,'on':true,'none':null,"
                + "'list':[1,[2,3],{'x':'yes'}],'empty':[],'text':'a: b #c','digits':'007'}]}");
    assertThat(YamlText.lines(node))
        .containsExactly(
            "schema: lockstep.things/1",
            "items:",
            "  - id: a",
            "    \"n\": 1",
            "    \"on\": true",
            "    none: null",
            "    list:",
            "      - 1",
            "      - - 2",
            "        - 3",
            "      - x: \"yes\"",
            "    empty: []",
            "    text: \"a: b #c\"",
            "    digits: \"007\"");
    assertThat(YamlText.lines(json("'x'"))).containsExactly("x");
  }

  @Test
  void amountsHaveUnits() {
    assertThat(Units.bytes(-1)).isEqualTo("-");
    assertThat(Units.bytes(10_239)).isEqualTo("10239 B");
    assertThat(Units.bytes(92L << 20)).isEqualTo("92 MiB");
    assertThat(Units.seconds(1_234)).isEqualTo("1.2 s");
    assertThat(Units.uptime(7_200_000)).isEqualTo("2 h");
  }
}
