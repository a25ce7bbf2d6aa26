package io.lockstep.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplyWordsTest {
  private static final Reply CONFLICT = new Reply.Conflict(Bytes.copyOf((byte) 1), 7);

  @Test
  void aRejectionSaysTheStoresReason() {
    assertThat(ReplyWords.of(new Reply.Rejected(Reply.Reason.NO_ROOM, "the state is full")))
        .isEqualTo("the store rejects it: the state is full (NO_ROOM)");
  }

  @Test
  void anUnknownOutcomeIsCalledSo() {
    assertThat(ReplyWords.of(new Reply.Unknown("no answer in 5000 ms")))
        .isEqualTo("it may or may not have taken effect: no answer in 5000 ms");
  }

  @Test
  void aBatchNamesWhatDoesNotHold() {
    assertThat(ReplyWords.of(new Reply.BatchRefused(2, CONFLICT)))
        .isEqualTo(
            "part 2 of the batch does not hold: the entry has changed, it now has version 7");
  }

  @Test
  void noRecordOfTheStoreIsPrinted() {
    List<Reply> replies =
        List.of(
            new Reply.Absent(),
            new Reply.Applied(3330),
            CONFLICT,
            new Reply.Compacted(9),
            new Reply.Returned(Bytes.copyOf((byte) 1)),
            new Reply.SessionOpened(4));
    for (Reply reply : replies) {
      assertThat(ReplyWords.of(reply)).doesNotContain("[", "]", "=").isNotBlank();
    }
  }
}
