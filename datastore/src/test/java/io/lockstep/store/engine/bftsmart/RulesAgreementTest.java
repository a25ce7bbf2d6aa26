package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.Rules;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RulesAgreementTest {
  private final List<String> sent = new ArrayList<>();
  private Rules inForce = Rules.FIRST;
  private boolean begun;
  private int permitted;
  private List<Integer> known = List.of();
  private final RulesAgreement agreement = agreement(1, 3, new Rules(3, 96));

  private RulesAgreement agreement(int self, int members, Rules own) {
    RulesAgreement.Follower follower =
        new RulesAgreement.Follower() {
          @Override
          public Rules offered() {
            return own;
          }

          @Override
          public Rules rules() {
            return inForce;
          }

          @Override
          public boolean begun() {
            return begun;
          }

          @Override
          public int permitted() {
            return permitted;
          }

          @Override
          public void known(List<Integer> newest) {
            known = newest;
          }
        };
    return new RulesAgreement(self, members, follower, (peer, note) -> sent.add(peer + " " + note));
  }

  private void said(int peer, int number, int stateMegabytes) {
    PeerNote offer = new PeerNote.Offer(new Rules(number, stateMegabytes));
    assertThat(agreement.handle(peer, offer)).isTrue();
  }

  @Test
  void nothingIsDueUntilAllHaveSaidWhatTheyKnow() {
    assertThat(agreement.get()).isNull();
    said(0, 3, 96);
    assertThat(agreement.get()).isNull();
    said(2, 3, 96);
    assertThat(agreement.get()).isEqualTo(new Rules(3, 96));
  }

  @Test
  void saysWhatItKnowsOnEachNewLink() {
    assertThat(agreement.handle(2, new PeerNote.LinkUp())).isFalse();
    assertThat(sent).containsExactly("2 " + new PeerNote.Offer(new Rules(3, 96)));
  }

  @Test
  void whoLeavesMayComeBackAsAnotherProgram() {
    said(0, 3, 96);
    said(2, 3, 96);
    assertThat(agreement.handle(2, new PeerNote.LinkDown())).isFalse();
    assertThat(agreement.get()).isNull();
    said(2, 2, 96);
    assertThat(agreement.get()).isEqualTo(new Rules(2, 96));
    agreement.handle(0, new PeerNote.LinkUp());
    assertThat(agreement.get()).isNull();
  }

  @Test
  void leastOfAllCountsWhateverTheOthersCould() {
    said(0, 2, 200);
    said(2, 4, 64);
    assertThat(agreement.get()).isEqualTo(new Rules(2, 64));
    inForce = new Rules(2, 64);
    assertThat(agreement.get()).isNull();
    inForce = new Rules(2, 32);
    assertThat(agreement.get()).isEqualTo(new Rules(2, 64));
  }

  @Test
  void rulesNeverGoBack() {
    said(0, 2, 64);
    said(2, 2, 64);
    inForce = new Rules(3, 96);
    assertThat(agreement.get()).isNull();
  }

  @Test
  void newVersionNeedsPermissionInAClusterThatHasBegun() {
    said(0, 4, 96);
    said(2, 3, 96);
    begun = true;
    assertThat(agreement.get()).isEqualTo(new Rules(2, 96));
    inForce = new Rules(2, 96);
    assertThat(agreement.get()).isNull();
    permitted = 4;
    assertThat(agreement.get()).isEqualTo(new Rules(3, 96));
    inForce = new Rules(3, 96);
    assertThat(agreement.get()).isNull();
  }

  @Test
  void permissionWaitsForTheLastReplica() {
    begun = true;
    inForce = new Rules(2, 96);
    permitted = 3;
    said(0, 3, 96);
    said(2, 2, 96);
    assertThat(agreement.get()).isNull();
    agreement.handle(2, new PeerNote.LinkDown());
    assertThat(agreement.get()).isNull();
    said(2, 3, 96);
    assertThat(agreement.get()).isEqualTo(new Rules(3, 96));
  }

  @Test
  void permissionThatIsTakenBackChangesNothingInForce() {
    begun = true;
    inForce = new Rules(3, 96);
    said(0, 3, 64);
    said(2, 3, 96);
    assertThat(agreement.get()).isEqualTo(new Rules(3, 64));
  }

  @Test
  void reportsWhatEachReplicaKnows() {
    assertThat(known).containsExactly(0, 3, 0);
    said(0, 4, 96);
    said(2, 2, 96);
    assertThat(known).containsExactly(4, 3, 2);
    agreement.handle(0, new PeerNote.LinkDown());
    assertThat(known).containsExactly(0, 3, 2);
  }

  @Test
  void servicesWithoutRulesPutNoneInForce() {
    assertThat(agreement(0, 1, Rules.FIRST).get()).isNull();
  }

  @Test
  void oneAloneAgreesWithItself() {
    assertThat(agreement(0, 1, new Rules(2, 64)).get()).isEqualTo(new Rules(2, 64));
  }
}
