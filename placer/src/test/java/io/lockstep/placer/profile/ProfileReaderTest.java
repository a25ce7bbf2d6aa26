package io.lockstep.placer.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import io.lockstep.yaml.Problem;
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
          rewrites: [vlan_vid, ipv6_dst]
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
    assertThat(first.whyNot(mac, 0)).isEmpty();
    assertThat(first.whyNot(TernaryMatch.any(), 0)).hasValue("needs a match on eth_dst");
    assertThat(first.whyNot(mac.with(HeaderField.ETH_SRC, 2), 0)).hasValue("cannot match eth_src");
    assertThat(first.whyNot(TernaryMatch.any().with(HeaderField.ETH_DST, 1, 1), 0))
        .hasValue("matches eth_dst only exactly");
    assertThat(first.holds(mac.withPrefix(HeaderField.IPV4_DST, 0x0A00_0000, 8), 0)).isTrue();
    assertThat(first.whyNot(mac.with(HeaderField.IPV4_DST, 1, 1), 0))
        .hasValue("matches ipv4_dst only by prefix");
    assertThat(first.whyNot(mac.withOpaque("x"), 0)).hasValue("cannot match opaque");
    assertThat(first.capacity().entriesOf(mac.fields())).isEqualTo(50);
    int vlan = HeaderField.VLAN_VID.bit();
    int station = HeaderField.ETH_DST.bit();
    assertThat(first.holds(mac, vlan)).isTrue();
    assertThat(first.holds(mac, vlan | station)).isFalse();
    assertThat(first.whyNot(mac, vlan | station)).hasValue("cannot rewrite eth_dst");
    assertThat(profile.layers().get(1).rewrites())
        .as("every field where it does not say")
        .isEqualTo(HeaderField.REWRITABLE);
    assertThat(profile.rewrites(vlan | station)).isTrue();
    assertThat(profile.layers().get(1).capacity().bounded()).isFalse();
    assertThat(profile.maxFlowModsPerChange()).isEqualTo(32);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "name: mine|nickname: mine|1:1: nickname: unknown key; known keys here: layers, name",
        "name: mine|nane: mine|1:1: nane: unknown key; did you mean 'name'?",
        "kind: hardware|kind: tcam|8:11: layers[0].kind: 'tcam' is not allowed; write 'hardware' or",
        "units: 100|units: many|14:14: layers[0].capacity.units: 'many' is not a whole number; give a",
        "[eth_src]|[eth_source]|9:17: layers[0].forbidden: 'eth_source' is no field; fields: in_port",
        "[eth_dst]|[eth_src]|10:15: layers[0].required: eth_src is required and not allowed; allow it",
        "reserve: 5|reserve: 100|layers[0].reserve: 100 of 100 units; leave something",
        "id: second|id: first|layers[1].id: 'first' is taken; give each layer its own name",
        "table: 1|table: 0|layers[1].table: table 0 after table 0; packets go through tables upwards",
        "locations: visible|locations: hidden|layers[0].cover: 'goto' where there is no later table",
        "cover: controller|cover: goto|layers[1].cover: 'goto' where there is no later table",
        "cover: goto|cover: controller|layers[0].cover: 'controller' before other layers",
        "{units: 1}|{only: [in_port], units: 1}|layers[0].capacity.costs: none for all other entries",
        "{only: [in_port, eth_dst], units: 2}|{units: 2}|costs[1].units: comes after the cost of",
        "units: 2}|units: 200}|layers[0].capacity.costs[0].units: 200 of 100 for entries that use only",
        "maxFlowModsPerChange: 32|maxFlowModsPerChange: 1|maxFlowModsPerChange: 1 is out of bounds",
        "id: second|table: 1|22:5: layers[1].table: given twice; keep one of the two",
        "capacity: {units: unbounded}|reserve: 0|layers[1].capacity: missing; known keys in it: units",
        "ipv4_dst: prefix|ipv4: prefix|layers[0].exactness.ipv4: 'ipv4' is no field; fields: in_port",
        "ipv4_dst: prefix|eth_src: prefix|layers[0].exactness.eth_src: the field is not allowed",
        "[vlan_vid, ipv6|[vlan_vid, eth_type, ipv6|12:15: layers[0].rewrites: eth_type cannot be",
        "[vlan_vid, ipv6|[vlan, ipv6|12:16: layers[0].rewrites: 'vlan' is no field; fields: in_port",
        "rewrites: [|rewrite: [|12:5: layers[0].rewrite: unknown key; did you mean 'rewrites'?",
        "unbounded}|unbounded, planAtMost: 5}|layers[1].capacity.planAtMost: given for unbounded",
        "locations: visible|locations: [|this is not YAML",
      })
  void saysWhatIsWrongWhereAndWhatToDo(String right, String wrong, String message) {
    assertThat(GOOD).contains(right);
    assertThatThrownBy(() -> ProfileReader.read("mine.yaml", GOOD.replace(right, wrong)))
        .isInstanceOf(ProfileException.class)
        .hasMessageStartingWith("mine.yaml:")
        .satisfies(
            refused ->
                assertThat(String.valueOf(refused.getMessage()).replace("\n    remedy:", ";"))
                    .contains(message));
  }

  @Test
  void aTableThatALaterOneDecidesOverTakesNoRule() throws ProfileException {
    TernaryMatch mac = TernaryMatch.any().with(HeaderField.ETH_DST, 1);
    String text = GOOD.replace("kind: hardware", "kind: hardware\n    terminal: false");
    SwitchProfile profile = ProfileReader.read("mine.yaml", text);
    assertThat(profile.layers().get(0).terminal()).isFalse();
    assertThat(profile.holds(0, mac, 0)).isFalse();
    assertThat(profile.holds(1, mac, 0)).isTrue();
    assertThat(profile.layers().get(1).terminal()).as("where it does not say").isTrue();
    String last = GOOD.replace("kind: software", "kind: software\n    terminal: false");
    assertThatThrownBy(() -> ProfileReader.read("mine.yaml", last))
        .isInstanceOf(ProfileException.class)
        .hasMessageContaining("layers[1].terminal: 'false' where no later table decides");
  }

  @Test
  void namesAllProblemsAtOnce() {
    String text = GOOD.replace("mine", "[]").replace("hardware", "tcam").replace("goto", "jump");
    ProfileException refused =
        catchThrowableOfType(ProfileException.class, () -> ProfileReader.read("mine.yaml", text));
    assertThat(refused.problems())
        .extracting(Problem::path)
        .containsExactly("name", "layers[0].kind", "layers[0].cover");
  }

  @Test
  void whatIsWrongAroundAFixedPipelineIsNamed() {
    String fixed =
        """
        fixed:
          portEntries:
            - {table: 10, priority: 3, frames: tagged, assigns: true, goto: 4}
          output: l2Interface
          apartTypes: [ipv6]
        """;
    String problems =
        assertThrows(ProfileException.class, () -> ProfileReader.read("mine.yaml", GOOD + fixed))
            .problems()
            .toString();
    assertThat(problems)
        .contains("packets go upwards")
        .contains("a VLAN that is not named")
        .contains("a tag for frames that may have one")
        .contains("groups for a VLAN, and no VLAN")
        .contains("write EtherTypes as 0x86dd")
        .contains("beside 2 layers");
  }
}
