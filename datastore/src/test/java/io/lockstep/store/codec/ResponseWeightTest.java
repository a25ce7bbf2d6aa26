package io.lockstep.store.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The weight is never less than what is written, and not much more. */
class ResponseWeightTest {
  private static final long MAX = Long.MAX_VALUE;

  static List<Reply> replies() {
    Bytes some = Bytes.wrap(new byte[70_000]);
    Bytes key = Bytes.utf8("key");
    List<Reply> replies = new ArrayList<>();
    replies.add(new Reply.Absent());
    replies.add(new Reply.Applied(MAX));
    replies.add(new Reply.Found(some, MAX));
    replies.add(new Reply.Conflict(some, MAX));
    replies.add(new Reply.Counter(Long.MIN_VALUE, MAX));
    replies.add(new Reply.Returned(some));
    replies.add(new Reply.Compacted(MAX));
    replies.add(new Reply.SessionOpened(MAX));
    replies.add(new Reply.Rejected(Reply.Reason.OUT_OF_BOUNDS, "zu groß: \u4e2d\u6587"));
    replies.add(new Reply.Unknown("x".repeat(1000)));
    replies.add(
        new Reply.Entries(List.of(new Entry(key, some, MAX), new Entry(key, key, 1)), true));
    replies.add(new Reply.Resolved(List.of(new Entry(key, some, MAX))));
    replies.add(new Reply.Columns(Row.of(Map.of("größe", some, "b", key)), MAX));
    replies.add(
        new Reply.Changes(
            List.of(new Change(MAX, "t".repeat(64), key, some), new Change(1, "t", key, null)),
            MAX));
    replies.add(new Reply.Batched(List.of(new Reply.Found(some, 1), new Reply.Absent()), MAX));
    replies.add(new Reply.BatchRefused(1023, new Reply.Conflict(some, MAX)));
    return replies;
  }

  @ParameterizedTest
  @MethodSource("replies")
  void weightCoversWhatIsWritten(Reply reply) {
    Response response = new Response(Response.Status.OK, "", List.of(reply, reply));
    int length = ResponseEncoder.encode(response).length;
    assertThat(ResponseWeight.of(response)).isBetween((long) length, 3L * length + 300);
    assertThat(ResponseWeight.of(reply)).isLessThan(ResponseWeight.of(response));
  }
}
