package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table operations of the paper's section IV, with versions. */
class TableTest {
  private static final Bytes KEY = Bytes.utf8("mac-1");
  private static final Bytes ONE = Bytes.utf8("port-1");
  private static final Bytes TWO = Bytes.utf8("port-2");

  private final ChangeHistory history =
      new ChangeHistory(HistoryBounds.STANDARD, new ChangeHistory.Total(), 0);
  private final Table table =
      new Table(
          "hosts", TableSpec.values(), history, new Tables.ReplyDependency(), new EntryRoom());

  @Test
  void getTellsValueAndVersion() {
    assertThat(table.get(KEY)).isEqualTo(new Reply.Absent());
    table.put(KEY, ONE, 7);
    assertThat(table.get(KEY)).isEqualTo(new Reply.Found(ONE, 7));
  }

  @Test
  void equalPutMakesNewVersion() {
    table.put(KEY, ONE, 7);
    assertThat(table.put(KEY, ONE, 8)).isEqualTo(new Reply.Applied(8));
    assertThat(table.get(KEY)).isEqualTo(new Reply.Found(ONE, 8));
  }

  @Test
  void putIfAbsentLeavesEntryThatIsThere() {
    assertThat(table.putIfAbsent(KEY, ONE, 3)).isEqualTo(new Reply.Applied(3));
    assertThat(table.putIfAbsent(KEY, TWO, 4)).isEqualTo(new Reply.Conflict(ONE, 3));
    assertThat(table.get(KEY)).isEqualTo(new Reply.Found(ONE, 3));
  }

  @Test
  void replaceLeavesEntryWhenVersionDiffers() {
    table.put(KEY, ONE, 3);
    assertThat(table.replace(KEY, 2, TWO, 4)).isEqualTo(new Reply.Conflict(ONE, 3));
    assertThat(table.get(KEY)).isEqualTo(new Reply.Found(ONE, 3));
    assertThat(table.replace(KEY, 3, TWO, 5)).isEqualTo(new Reply.Applied(5));
    assertThat(table.get(KEY)).isEqualTo(new Reply.Found(TWO, 5));
  }

  @Test
  void replaceMakesNoEntry() {
    assertThat(table.replace(KEY, 0, TWO, 4)).isEqualTo(new Reply.Absent());
    assertThat(table.get(KEY)).isEqualTo(new Reply.Absent());
  }

  @Test
  void removeTellsItsOwnIndexAndIsAbsentTheSecondTime() {
    table.put(KEY, ONE, 3);
    assertThat(table.remove(KEY, 9)).isEqualTo(new Reply.Applied(9));
    assertThat(table.remove(KEY, 10)).isEqualTo(new Reply.Absent());
  }

  @Test
  void removeVersionLeavesEntryWhenVersionDiffers() {
    table.put(KEY, ONE, 3);
    assertThat(table.removeVersion(KEY, 2, 4)).isEqualTo(new Reply.Conflict(ONE, 3));
    assertThat(table.removeVersion(KEY, 3, 5)).isEqualTo(new Reply.Applied(5));
    assertThat(table.removeVersion(KEY, 3, 6)).isEqualTo(new Reply.Absent());
  }

  @Test
  void incrementCountsFromZeroAndRefusesWhatIsNoCounter() {
    assertThat(table.increment(KEY, 5, 1)).isEqualTo(new Reply.Counter(5, 1));
    assertThat(table.increment(KEY, -7, 2)).isEqualTo(new Reply.Counter(-2, 2));
    table.put(KEY, ONE, 3);
    assertThat(table.increment(KEY, 1, 4)).isInstanceOf(Reply.Rejected.class);
    assertThat(table.get(KEY)).isEqualTo(new Reply.Found(ONE, 3));
  }

  @Test
  void scanIsInUnsignedKeyOrderWithinItsRange() {
    for (int key : new int[] {0x80, 0x01, 0xff, 0x7f}) {
      table.put(Bytes.copyOf((byte) key), ONE, key);
    }
    assertThat(table.scan(Bytes.empty(), null, 10).entries())
        .extracting(Entry::version)
        .containsExactly(0x01L, 0x7fL, 0x80L, 0xffL);
    assertThat(table.scan(Bytes.copyOf((byte) 0x7f), Bytes.copyOf((byte) 0xff), 10).entries())
        .extracting(Entry::version)
        .containsExactly(0x7fL, 0x80L);
    assertThat(table.scan(Bytes.copyOf((byte) 2), Bytes.copyOf((byte) 1), 10).entries()).isEmpty();
  }

  @Test
  void scanTellsWhetherTheLimitCutIt() {
    table.put(Bytes.utf8("a"), ONE, 1);
    table.put(Bytes.utf8("b"), ONE, 2);
    assertThat(table.scan(Bytes.empty(), null, 2).more()).isFalse();
    assertThat(table.scan(Bytes.empty(), null, 1).more()).isTrue();
  }

  @Test
  void scanOfLargeValuesEndsEarly() {
    Bytes large = Bytes.wrap(new byte[Limits.VALUE_BYTES]);
    for (int key = 0; key < 5; key++) {
      table.put(Counters.bytesOf(key), large, key + 1);
    }
    Reply.Entries page = table.scan(Bytes.empty(), null, 100);
    assertThat(page.more()).isTrue();
    assertThat(page.entries()).hasSizeBetween(1, 2);
  }

  @Test
  void everyChangeIsInTheHistoryAndNothingElse() {
    table.put(KEY, ONE, 3);
    table.replace(KEY, 99, TWO, 4);
    table.putIfAbsent(KEY, TWO, 5);
    table.remove(KEY, 6);
    table.remove(KEY, 7);
    assertThat(List.of(history.get(0), history.get(1)))
        .containsExactly(new Change(3, "hosts", KEY, ONE), new Change(6, "hosts", KEY, null));
    assertThat(history.size()).isEqualTo(2);
  }
}
