package io.lockstep.placer.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileReaderTest {
  private static final String GOOD =
      """
      name: mine
      openflow: "1.3"
      locations: visible
      maxFlowModsPerChange: 32
      layers:
        - id: first
          table: 0
          kind: hardware
          forbidden: [eth_src]
          required: [eth_dst]
          exactness: {ipv4_dst: prefix, eth_dst: exact}
          capacity:
            units: 100
            costs:
              - {only: [in_port, eth_dst], units: 2}
              - {units: 1}
          overflow: reject
          cover: goto
          reserve: 5
        - id: second
          table: 1
          kind: software
          capacity: {units: unbounded}
          overflow: reject
          cover: controller
      """;

  @Test
  void readsWhatIsWritten() throws ProfileException {
    SwitchProfile profile = ProfileReader.read("mine.yaml", GOOD);
    LayerProfile first = profile.layers().get(0);
    TernaryMatch mac = TernaryMatch.any().with(HeaderField.ETH_DST, 1);
    assertThat(first.whyNot(mac)).isEmpty();
    assertThat(first.whyNot(TernaryMatch.any())).hasValue("needs a match on eth_dst");
    assertThat(first.whyNot(mac.with(HeaderField.ETH_SRC, 2))).hasValue("cannot match eth_src");
    assertThat(first.whyNot(TernaryMatch.any().with(HeaderField.ETH_DST, 1, 1)))
        .hasValue("matches eth_dst only exactly");
    assertThat(first.holds(mac.withPrefix(HeaderField.IPV4_DST, 0x0A00_0000, 8))).isTrue();
    assertThat(first.whyNot(mac.with(HeaderField.IPV4_DST, 1, 1)))
        .hasValue("matches ipv4_dst only by prefix");
    assertThat(first.whyNot(mac.withOpaque("x"))).hasValue("cannot match opaque");
    assertThat(first.capacity().entriesOf(mac.fields())).isEqualTo(50);
    assertThat(profile.layers().get(1).capacity().bounded()).isFalse();
    assertThat(profile.maxFlowModsPerChange()).isEqualTo(32);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "name: mine|nickname: mine|nickname: unknown key",
        "kind: hardware|kind: tcam|layers[0].kind: 'tcam'; give one of hardware, software",
        "units: 100|units: many|layers[0].capacity.units: '\"many\"'; give a whole number from 1 to",
        "[eth_src]|[eth_source]|layers[0].forbidden: 'eth_source' is no field; fields: in_port",
        "[eth_dst]|[eth_src]|layers[0].required: eth_src is required and not allowed; allow it",
        "reserve: 5|reserve: 100|layers[0].reserve: 100 of 100 units; leave something",
        "id: second|id: first|layers[1].id: 'first' is taken; give each layer its own name",
        "table: 1|table: 0|layers[1].table: table 0 after table 0; packets go through tables upwards",
        "locations: visible|locations: hidden|layers[0].cover: 'goto' where there is no later table",
        "cover: controller|cover: goto|layers[1].cover: 'goto' where there is no later table",
        "cover: goto|cover: controller|layers[0].cover: 'controller' before other layers",
        "{units: 1}|{only: [in_port], units: 1}|layers[0].capacity.costs: none for all other entries",
        "units: 2}|units: 200}|layers[0].capacity.costs[0].units: 200 of 100 for entries that use only",
        "maxFlowModsPerChange: 32|maxFlowModsPerChange: 1|maxFlowModsPerChange: '1'; give a whole number",
        "id: second|table: 1|line 21: not YAML: Duplicate field 'table'",
        "locations: visible|locations: [|not YAML",
      })
  void saysWhatIsWrongWhereAndWhatToDo(String right, String wrong, String message) {
    assertThat(GOOD).contains(right);
    assertThatThrownBy(() -> ProfileReader.read("mine.yaml", GOOD.replace(right, wrong)))
        .isInstanceOf(ProfileException.class)
        .hasMessageStartingWith("mine.yaml: ")
        .hasMessageContaining(message);
  }
}
