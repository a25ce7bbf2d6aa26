package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.engine.Rules;
import io.lockstep.store.engine.SnapshotBytes;
import io.lockstep.store.engine.UnknownRulesException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The number of the rules and the limit are state, and an unknown number is refused. */
class RulesTest {
  private static final Rules TWO = new Rules(2, 1);

  private final Replica replica = new Replica().declare("t");

  @Test
  void emptyStateBeginsWithRulesOne() {
    assertThat(replica.machine.rules()).isEqualTo(Rules.FIRST);
    assertThat(replica.machine.offered().number()).isEqualTo(2);
  }

  @Test
  void snapshotCarriesWhatIsInForce() {
    replica.machine.adopt(TWO);
    byte[] snapshot = SnapshotBytes.of(replica.machine);
    assertThat(HexFormat.of().formatHex(snapshot, 0, 7)).isEqualTo("4c4b5353" + "02" + "0201");
    Replica other = new Replica();
    SnapshotBytes.restore(other.machine, snapshot);
    assertThat(other.machine.rules()).isEqualTo(TWO);
    assertThat(SnapshotBytes.of(other.machine)).isEqualTo(snapshot);
  }

  /** So that what is fetched from a peer, or kept, looks as it did before rules had numbers. */
  @Test
  void snapshotUnderRulesOneIsOfVersionOne() {
    assertThat(SnapshotBytes.of(replica.machine)[4]).isEqualTo((byte) 1);
  }

  @Test
  void limitCanChangeButTheNumberNeverGoesBack() {
    replica.machine.adopt(TWO);
    replica.machine.adopt(new Rules(2, 3));
    assertThat(replica.machine.rules()).isEqualTo(new Rules(2, 3));
    replica.machine.adopt(Rules.FIRST);
    assertThat(replica.machine.rules()).isEqualTo(new Rules(2, 3));
  }

  @Test
  void unknownRulesAreNotAdopted() {
    assertThatThrownBy(() -> replica.machine.adopt(new Rules(3, 1)))
        .isInstanceOf(UnknownRulesException.class)
        .hasMessage(
            "the cluster is at version 3, this release of Lockstep knows versions up to 2: run the"
                + " release that the other nodes run, or a newer one");
    assertThat(replica.machine.rules()).isEqualTo(Rules.FIRST);
  }

  @Test
  void snapshotUnderUnknownRulesIsNotRestored() {
    replica.machine.adopt(TWO);
    byte[] snapshot = SnapshotBytes.of(replica.machine);
    snapshot[5] = 3;
    Replica other = new Replica();
    assertThatThrownBy(() -> SnapshotBytes.restore(other.machine, snapshot))
        .isInstanceOf(UnknownRulesException.class)
        .hasMessageContaining("version 3");
    assertThat(other.machine.rules()).isEqualTo(Rules.FIRST);
  }

  /** What one session may leave to be recorded is a difference between the rules. */
  @Test
  void rulesTakeEffectFromTheirPlaceInTheOrderOn() {
    long session = replica.open(600_000);
    Bytes large = Bytes.wrap(new byte[400_000]);
    replica.machine.adopt(new Rules(2, 4));
    Reply before = replica.run(session, new Command.Put("t", Bytes.utf8("a"), large));
    replica.machine.adopt(TWO);
    Reply after = replica.run(session, new Command.Put("t", Bytes.utf8("b"), large));
    assertThat(List.of(before, after))
        .hasExactlyElementsOfTypes(Reply.Applied.class, Reply.Rejected.class);
  }
}
