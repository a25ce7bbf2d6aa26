package io.lockstep.placer.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TernaryMatchTest {
  private static final TernaryMatch IP = TernaryMatch.any().with(HeaderField.ETH_TYPE, 0x800);
  private static final TernaryMatch TEN = IP.withPrefix(HeaderField.IPV4_DST, 0x0A00_0000, 8);
  private static final TernaryMatch TEN_ONE = IP.withPrefix(HeaderField.IPV4_DST, 0x0A01_0000, 16);

  @Test
  void prefixesOverlapAndCoverAsAddressesDo() {
    assertThat(TEN.overlaps(TEN_ONE)).isTrue();
    assertThat(TEN.covers(TEN_ONE)).isTrue();
    assertThat(TEN_ONE.covers(TEN)).isFalse();
    assertThat(TEN.overlaps(IP.withPrefix(HeaderField.IPV4_DST, 0x0B00_0000, 8))).isFalse();
  }

  @Test
  void matchesOnDifferentFieldsOverlap() {
    TernaryMatch port = TernaryMatch.any().with(HeaderField.IN_PORT, 3);
    assertThat(port.overlaps(TEN)).isTrue();
    assertThat(port.covers(TEN)).isFalse();
    TernaryMatch both = port.intersection(TEN);
    assertThat(both).isEqualTo(TEN.with(HeaderField.IN_PORT, 3));
    assertThat(port.bitsFixedBy(TEN)).isEqualTo(24);
  }

  @Test
  void whatIsDisjointHasNoIntersection() {
    assertThat(TEN.intersection(TEN.with(HeaderField.ETH_TYPE, 0x806))).isNull();
  }

  @Test
  void aFreedFieldIsGone() {
    assertThat(TEN.with(HeaderField.IPV4_DST, 0, 0)).isEqualTo(IP);
    assertThat(TEN.with(HeaderField.IPV4_DST, 0, 0).fields()).isEqualTo(IP.fields());
  }

  @Test
  void valuesOutsideTheMaskDoNotCount() {
    assertThat(IP.with(HeaderField.IPV4_DST, 0x0AFF_FFFF, 0xFF00_0000L)).isEqualTo(TEN);
  }

  @Test
  void whatIsNotUnderstoodOverlapsWhatItsFieldsOverlapAndCoversItselfOnly() {
    TernaryMatch strange = TEN.withOpaque("tunnel_id=7");
    assertThat(strange.overlaps(TEN_ONE)).isTrue();
    assertThat(strange.covers(TEN_ONE)).isFalse();
    assertThat(strange.covers(TEN_ONE.withOpaque("tunnel_id=7"))).isTrue();
    assertThat(TEN.covers(strange)).isTrue();
    assertThat(strange.overlaps(TEN.withOpaque("tunnel_id=8"))).isTrue();
    assertThat(strange.intersection(TEN.withOpaque("tunnel_id=8"))).isNull();
    assertThat(strange.overlaps(IP.with(HeaderField.ETH_TYPE, 0x806))).isFalse();
  }

  @Test
  void bitsOutsideAFieldAreRefused() {
    assertThatThrownBy(() -> IP.with(HeaderField.VLAN_PCP, 8, 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("vlan_pcp");
  }

  @Test
  void saysWhatItMatches() {
    assertThat(TEN).hasToString("eth_type=0x800,ipv4_dst=0xa000000/0xff000000");
    assertThat(TernaryMatch.any()).hasToString("any");
  }
}
