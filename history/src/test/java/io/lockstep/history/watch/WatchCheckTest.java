package io.lockstep.history.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.history.check.Operation;
import io.lockstep.history.check.Operation.Kind;
import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.check.Operation.Result;
import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a watcher may be told, given what clients know: v1 at 5, v2 at 7, removed at 9. */
class WatchCheckTest {
  private static final List<Operation> KNOWN =
      List.of(
          write(Kind.PUT, "v1", new Result("v1", 5)),
          write(Kind.PUT, "v2", new Result("v2", 7)),
          write(Kind.REMOVE, null, new Result(null, 9)),
          write(Kind.PUT, "maybe", null));

  private final Watcher watcher = new Watcher("w");

  private static Operation write(Kind kind, @Nullable String value, @Nullable Result result) {
    Outcome outcome = result == null ? Outcome.UNKNOWN : Outcome.OK;
    return new Operation("1", kind, "t", "k", value, null, 0, 1, outcome, result);
  }

  private static Change change(long index, @Nullable String value) {
    Bytes bytes = value == null ? null : Bytes.utf8(value);
    return new Change(index, "t", Bytes.utf8("k"), bytes);
  }

  private void snapshot(long index) {
    watcher.snapshot(Map.of("t", List.of()), index);
  }

  private List<String> complaints(Map<String, Long> store) {
    return new WatchCheck(KNOWN).complaints(watcher, store);
  }

  @Test
  void everyChangeOnceAndInOrderIsRight() {
    snapshot(0);
    watcher.changes(List.of(change(5, "v1"), change(7, "v2")), 8);
    watcher.changes(List.of(change(9, null)), 12);
    assertThat(complaints(Map.of())).isEmpty();
  }

  @Test
  void aSnapshotStandsForWhatCameBefore() {
    watcher.snapshot(Map.of("t", List.of(new Entry(Bytes.utf8("k"), Bytes.utf8("v2"), 7))), 8);
    watcher.changes(List.of(change(9, null)), 9);
    assertThat(complaints(Map.of())).isEmpty();
  }

  @Test
  void anUnansweredWriteMayBeTold() {
    snapshot(0);
    watcher.changes(
        List.of(change(5, "v1"), change(7, "v2"), change(9, null), change(11, "maybe")), 11);
    assertThat(complaints(Map.of("t/k", 11L))).isEmpty();
  }

  @Test
  void aGapIsSeen() {
    snapshot(0);
    watcher.changes(List.of(change(5, "v1"), change(9, null)), 9);
    assertThat(complaints(Map.of())).singleElement().asString().contains("first is 7");
  }

  @Test
  void aDuplicateIsSeen() {
    snapshot(0);
    watcher.changes(List.of(change(5, "v1"), change(7, "v2")), 7);
    watcher.changes(List.of(change(7, "v2"), change(9, null)), 9);
    assertThat(complaints(Map.of())).singleElement().asString().contains("change 7", "after 7");
  }

  @Test
  void theWrongOrderIsSeen() {
    snapshot(0);
    watcher.changes(List.of(change(7, "v2"), change(5, "v1"), change(9, null)), 9);
    assertThat(complaints(Map.of())).isNotEmpty();
  }

  @Test
  void whatNobodyWroteIsSeen() {
    snapshot(0);
    watcher.changes(
        List.of(change(5, "v1"), change(7, "other"), change(8, "v2"), change(9, null)), 9);
    assertThat(complaints(Map.of()))
        .anyMatch(complaint -> complaint.contains("change 7 "))
        .anyMatch(complaint -> complaint.contains("change 8 "));
  }

  @Test
  void aLostChangeAtTheEndIsSeen() {
    snapshot(0);
    watcher.changes(List.of(change(5, "v1"), change(7, "v2")), 12);
    assertThat(complaints(Map.of()))
        .anyMatch(complaint -> complaint.contains("first is 9"))
        .anyMatch(complaint -> complaint.contains("what it has"));
  }

  @Test
  void anOldSnapshotIsSeen() {
    snapshot(0);
    watcher.changes(List.of(change(5, "v1"), change(7, "v2"), change(9, null)), 9);
    snapshot(6);
    assertThat(complaints(Map.of())).isNotEmpty();
  }
}
