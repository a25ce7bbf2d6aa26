package io.lockstep.placer.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.space.Residual.Proof;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ResidualTest {
  private static TernaryMatch random(Random random) {
    TernaryMatch match = TernaryMatch.any();
    for (HeaderField field : List.of(HeaderField.VLAN_PCP, HeaderField.IP_ECN)) {
      long mask = random.nextLong() & field.full();
      match = match.with(field, random.nextLong() & mask, mask);
    }
    return match;
  }

  /** All 32 packets over the two small fields. */
  private static List<TernaryMatch> packets() {
    List<TernaryMatch> all = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      all.add(
          TernaryMatch.any().with(HeaderField.VLAN_PCP, i >> 2).with(HeaderField.IP_ECN, i & 3));
    }
    return all;
  }

  @Test
  void piecesAreDisjointAndAreWhatRemains() {
    Random random = new Random(1);
    for (int i = 0; i < 500; i++) {
      TernaryMatch whole = random(random);
      List<TernaryMatch> cuts = List.of(random(random), random(random), random(random));
      List<TernaryMatch> pieces = Residual.difference(whole, cuts, 1000).orElseThrow();
      for (TernaryMatch packet : packets()) {
        boolean remains =
            whole.covers(packet) && cuts.stream().noneMatch(cut -> cut.covers(packet));
        long within = pieces.stream().filter(piece -> piece.covers(packet)).count();
        assertThat(within).isEqualTo(remains ? 1 : 0);
      }
      assertThat(Residual.covered(whole, cuts, 1000))
          .isEqualTo(pieces.isEmpty() ? Proof.YES : Proof.NO);
    }
  }

  @Test
  void behindTheBoundNothingIsProven() {
    TernaryMatch any = TernaryMatch.any();
    List<TernaryMatch> cuts = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      cuts.add(any.with(HeaderField.IPV4_DST, 1L << i, 1L << i));
      cuts.add(any.with(HeaderField.IPV4_SRC, 1L << i, 1L << i));
    }
    assertThat(Residual.difference(any, cuts, 4)).isNotEmpty();
    cuts.add(0, any.with(HeaderField.IPV4_DST, 5));
    assertThat(Residual.difference(any, cuts, 4)).isEmpty();
    assertThat(Residual.covered(any, cuts, 2)).isEqualTo(Proof.NOT_PROVEN);
  }

  @Test
  void whatIsNotUnderstoodTakesNothingAway() {
    TernaryMatch any = TernaryMatch.any();
    assertThat(Residual.covered(any, List.of(any.withOpaque("x")), 100)).isEqualTo(Proof.NO);
    assertThat(Residual.covered(any.withOpaque("x"), List.of(any), 100)).isEqualTo(Proof.YES);
  }
}
