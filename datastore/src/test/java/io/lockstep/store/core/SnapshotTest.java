package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.CodecException;
import io.lockstep.store.engine.Rules;
import io.lockstep.store.engine.SnapshotBytes;
import io.lockstep.store.engine.StateSnapshot;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A snapshot is the whole state, as bytes that are the same everywhere. */
class SnapshotTest {
  private final Replica replica = new Replica().declare("t", "u");
  private final long session = replica.open(3_000);

  @Test
  void versionOneLooksLikeThis() {
    Replica small = new Replica();
    long only = small.open(3_000);
    small.send(only, 4, 4, new Command.CreateTable("t", TableSpec.values()));
    small.send(only, 5, 5, new Command.Put("t", Bytes.utf8("k"), Bytes.utf8("v")));
    String entry = "08" + "0000000000010001" + "056f776e6572";
    assertThat(HexFormat.of().formatHex(SnapshotBytes.of(small.machine)))
        .isEqualTo(
            ("4c4b5353" + "01") // magic, version
                + "03" // index
                + ("01" + "00000000000f4240" + "00000000000f4240") // clock
                + "03" // tables
                + ("0c" + "7379732e73657373696f6e73" + "0101" + "00") // sys.sessions, values, whole
                + ("01" + entry + "01") // one entry of version 1
                + ("01" + "01" + "08" + "0000000000010001" + "01" + "056f776e6572") // one change
                + ("0a" + "7379732e7461626c6573" + "0101" + "00") // sys.tables, values, whole
                + ("01" + "0174" + "0101" + "02") // t is a table of values
                + ("01" + "02" + "0174" + "01" + "0101")
                + ("01" + "74" + "0101" + "00" + "01" + "016b" + "0176" + "03") // t
                + ("01" + "03" + "016b" + "01" + "0176")
                + "01" // open sessions
                + ("818004" + "0000000000000001" + "056f776e6572") // id, nonce, owner
                + ("b817" + "00000000000f4240" + "05") // time to live, last sign, acknowledged
                + ("01" + "05" + "02" + "0303") // operation 5: applied with version 3
                + "00"); // ended sessions
  }

  @Test
  void restoredReplicaKnowsWhatWasDone() {
    Command increment = new Command.Increment("t", Bytes.utf8("k"), 1);
    Reply done = replica.send(session, 0, 5, increment).replies().get(0);
    Replica other = new Replica();
    SnapshotBytes.restore(other.machine, SnapshotBytes.of(replica.machine));
    assertThat(other.send(session, 0, 5, increment).replies()).containsExactly(done);
    assertThat(other.machine.index()).isEqualTo(replica.machine.index());
    other.nowMillis = replica.nowMillis;
    other.pass(3_100);
    assertThat(other.machine.sessionAlive(session)).isFalse();
  }

  @Test
  void resetLeavesTheStateOfANewStore() {
    byte[] whole = wholeOfEverything();
    try (StateSnapshot open = replica.machine.snapshot()) {
      replica.machine.reset();
      assertThat(SnapshotBytes.rest(open, 100)).as("an open snapshot").isEqualTo(whole);
    }
    assertThat(SnapshotBytes.of(replica.machine))
        .isEqualTo(SnapshotBytes.of(new StoreStateMachine(List.of())));
    assertThat(replica.machine.rules()).isEqualTo(Rules.FIRST);
    assertThat(replica.machine.index()).isZero();
  }

  @Test
  void everyTruncationIsRefused() {
    byte[] whole = wholeOfEverything();
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> SnapshotBytes.restore(replica.machine, cut))
          .as("cut to " + length)
          .isInstanceOf(CodecException.class);
    }
    SnapshotBytes.restore(replica.machine, whole);
    assertThat(SnapshotBytes.of(replica.machine)).isEqualTo(whole);
  }

  @Test
  void flippedBytesAreRefusedOrGiveSomeState() {
    byte[] whole = wholeOfEverything();
    Random random = new Random(1);
    int refused = 0;
    for (int i = 0; i < 5_000; i++) {
      byte[] flipped = whole.clone();
      flipped[random.nextInt(flipped.length)] = (byte) random.nextInt();
      try {
        SnapshotBytes.restore(replica.machine, flipped);
        assertThat(SnapshotBytes.of(replica.machine)).isNotEmpty();
      } catch (CodecException expected) {
        refused++;
      }
    }
    assertThat(refused).isBetween(1, 4_999);
  }

  @Test
  void refusalNamesThePlaceAndWhatWasExpected() {
    byte[] whole = wholeOfEverything();
    byte[] magic = whole.clone();
    magic[0] = 0;
    assertRefused(magic, "at byte 0: expected the first bytes of a snapshot");
    byte[] version = whole.clone();
    version[4] = 9;
    assertRefused(version, "at byte 4: expected a snapshot of version 1 to 2, found version 9");
    byte[] longer = Arrays.copyOf(whole, whole.length + 1);
    assertRefused(longer, "at byte " + whole.length + ": expected the end");
  }

  @Test
  void hostileCountsTakeNoMemory() {
    String head = "4c4b5353" + "01" + "02" + "00" + "0".repeat(32);
    String most = "ffffffff07";
    assertRefused(
        HexFormat.of().parseHex(head + "01" + "0174" + "0101" + "00" + most), "found the end");
    assertRefused(
        HexFormat.of().parseHex(head + "01" + "0174" + "0101" + "00" + "01" + "808040"),
        "found 1048576");
    assertRefused(HexFormat.of().parseHex(head + "00" + "00" + most), "found the end");
  }

  @Test
  void keysThatDoNotAscendAreRefused() {
    String head = "4c4b5353" + "01" + "02" + "00" + "0".repeat(32);
    String entries = "0162" + "00" + "01" + "0161" + "00" + "02";
    assertRefused(
        HexFormat.of().parseHex(head + "01" + "0174" + "0101" + "00" + "02" + entries),
        "at byte 34: expected a key of t above the one before");
  }

  private void assertRefused(byte[] snapshot, String reason) {
    byte[] before = SnapshotBytes.of(replica.machine);
    assertThatThrownBy(() -> SnapshotBytes.restore(replica.machine, snapshot))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining(reason);
    assertThat(SnapshotBytes.of(replica.machine)).isEqualTo(before);
  }

  private byte[] wholeOfEverything() {
    long second = replica.open(3_000);
    replica.put(session, "t", "k", "v");
    replica.put(second, "t", "k", "w");
    replica.run(second, new Command.Remove("t", Bytes.utf8("k")));
    replica.put(second, "u", "k", "w");
    replica.run(session, new Command.CloseSession(second));
    return SnapshotBytes.of(replica.machine);
  }
}
