package io.lockstep.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.compare.PaperTables;
import io.lockstep.bench.compare.PaperTables.PaperOperation;
import io.lockstep.bench.compare.Workloads;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SizedOperationTest {
  /** A put with the shortest key and no value, in a table with a name of two characters. */
  private static final int SHORTEST_BYTES = 9;

  @Test
  void requestsOfThePaperHaveTheirSizesToTheByte() {
    for (String workload : PaperTables.workloads()) {
      for (String variant : Workloads.VARIANTS) {
        for (PaperOperation paper : PaperTables.operations(workload, variant)) {
          Message message = new Message(paper.isWrite(), paper.requestBytes(), paper.replyBytes());
          SizedOperation sized = SizedOperation.of(message, "m0", 77);
          assertThat(SizedOperation.bytes(sized.command()))
              .as("%s %s %s", workload, variant, message)
              .isEqualTo(message.requestBytes());
        }
      }
    }
  }

  @Test
  void repliesToReadsHaveTheirSizes() {
    for (int bytes : new int[] {6, 8, 77, 225, 324, 509, 1278, 1444}) {
      SizedOperation sized = SizedOperation.of(new Message(false, 36, bytes), "m0", 1);
      Command.Put stored = Objects.requireNonNull(sized.stored());
      Reply reply = new Reply.Found(stored.value(), 100_000);
      // A length of 128 or more takes one byte more, so one size cannot be made.
      assertThat(SizedOperation.bytes(reply)).isBetween(bytes - 1, bytes);
    }
  }

  @Test
  void readThatFoundNothingHasNothingStored() {
    SizedOperation sized = SizedOperation.of(new Message(false, 408, 0), "m0", 1);
    assertThat(sized.stored()).isNull();
    assertThat(sized.expected()).isEqualTo(Reply.Absent.class);
  }

  @Test
  void writeWithALongReplyIsACallOfBothSizes() {
    SizedOperation sized = SizedOperation.of(new Message(true, 49, 45), "m0", 1);
    assertThat(SizedOperation.bytes(sized.command())).isEqualTo(49);
    assertThat(sized.expected()).isEqualTo(Reply.Returned.class);
  }

  @Test
  void whatIsTooShortForACommandIsAsShortAsPossible() {
    SizedOperation sized = SizedOperation.of(new Message(true, 1, 1), "m0", 1);
    assertThat(SizedOperation.bytes(sized.command())).isEqualTo(SHORTEST_BYTES);
  }

  @Test
  void keysAreDistinct() {
    Set<Object> keys = new HashSet<>();
    for (int key = 0; key < MessageReplay.KEYS; key++) {
      keys.add(SizedOperation.of(new Message(false, 36, 8), "m0", key).command());
    }
    assertThat(keys).hasSize(MessageReplay.KEYS);
  }
}
