package io.lockstep.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeStateTest {
  private final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  private final ControlLoop loop = new ControlLoop("control-test", (where, e) -> fatal.add(e));
  private final NodeState state = new NodeState(loop);
  private final TableView<String, Integer> left = state.declare("test.left", new Numbers());
  private final TableView<String, Integer> right = state.declare("test.right", new Numbers());
  private final HeldFeed feed = new HeldFeed();
  private final List<String> heard = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() {
    left.addListener((key, old, now) -> heard.add(key + ":" + old + "->" + now));
    loop.start();
    state.start(feed);
  }

  @AfterEach
  void close() {
    state.close();
    loop.close();
    assertThat(fatal).isEmpty();
  }

  @Test
  void followsTheFeedAndTellsOldAndNew() throws Exception {
    assertThat(feed.tables).containsExactly("test.left", "test.right");
    assertThat(state.current()).isNotDone();
    feed.sink()
        .replace(Map.of("test.left", List.of(entry("a", "1", 5)), "test.right", List.of()), 7);
    feed.sink().changes(List.of(put(8, "test.left", "a", "2"), put(9, "test.left", "b", "3")), 9);
    feed.sink().changes(List.of(remove(10, "test.left", "a")), 12);
    settle();
    assertThat(state.current()).isDone();
    assertThat(heard).containsExactly("a:null->1", "a:1->2", "b:null->3", "a:2->null");
    assertThat(left.entries()).isEqualTo(Map.of("b", new TableView.Held<>(3, 9)));
    assertThat(left.known("a")).isNull();
    assertThat(right.size()).isZero();
    assertThat(state.index()).isEqualTo(12);
  }

  @Test
  void aReplacementTellsOnlyWhatDiffers() throws Exception {
    feed.sink()
        .replace(
            Map.of(
                "test.left", List.of(entry("a", "1", 1), entry("b", "2", 2), entry("c", "3", 3))),
            3);
    settle();
    heard.clear();
    feed.sink().replace(Map.of("test.left", List.of(entry("a", "1", 1), entry("b", "9", 8))), 10);
    settle();
    assertThat(heard).containsExactlyInAnyOrder("c:3->null", "b:2->9");
  }

  @Test
  void theChangesOfOneOperationAreVisibleTogether() throws Exception {
    CompletableFuture<String> seen = new CompletableFuture<>();
    left.addListener((key, old, now) -> seen.complete(now + "/" + right.known("r")));
    feed.sink().replace(Map.of(), 0);
    feed.sink()
        .changes(
            List.of(
                put(4, "test.left", "l", "4"),
                put(4, "test.right", "r", "4"),
                put(5, "test.right", "r", "5")),
            5);
    assertThat(seen.get(60, TimeUnit.SECONDS)).isEqualTo("4/4");
  }

  @Test
  void aRecordThatCannotBeReadIsSkipped() throws Exception {
    feed.sink().replace(Map.of("test.left", List.of(entry("a", "no number", 1))), 1);
    feed.sink().changes(List.of(put(2, "test.left", "b", "7"), put(3, "test.left", "b", "?")), 3);
    settle();
    assertThat(left.entries()).isEqualTo(Map.of("b", new TableView.Held<>(7, 2)));
    assertThat(heard).containsExactly("b:null->7");
  }

  @Test
  void waitersRunOnceTheirIndexIsVisible() throws Exception {
    CompletableFuture<Integer> seen = new CompletableFuture<>();
    state.whenVisible(2, () -> seen.complete(left.known("a")));
    settle();
    assertThat(seen).isNotDone();
    feed.sink().replace(Map.of("test.left", List.of(entry("a", "1", 1))), 1);
    settle();
    assertThat(seen).isNotDone();
    feed.sink().changes(List.of(put(2, "test.left", "a", "2")), 2);
    assertThat(seen.get(60, TimeUnit.SECONDS)).isEqualTo(2);
  }

  @Test
  void aTableHasOneOwnerAndIsDeclaredBeforeTheStart() {
    assertThatThrownBy(() -> state.declare("test.late", new Numbers()))
        .isInstanceOf(IllegalStateException.class);
    NodeState fresh = new NodeState(loop);
    fresh.declare("test.one", new Numbers());
    assertThatThrownBy(() -> fresh.declare("test.one", new Numbers()))
        .isInstanceOf(IllegalStateException.class);
  }

  private void settle() throws Exception {
    CompletableFuture<Void> done = new CompletableFuture<>();
    loop.execute(() -> done.complete(null));
    done.get(60, TimeUnit.SECONDS);
  }

  private static Entry entry(String key, String value, long version) {
    return new Entry(Bytes.utf8(key), Bytes.utf8(value), version);
  }

  private static Change put(long index, String table, String key, String value) {
    return new Change(index, table, Bytes.utf8(key), Bytes.utf8(value));
  }

  private static Change remove(long index, String table, String key) {
    return new Change(index, table, Bytes.utf8(key), null);
  }

  /** A feed that the test drives. */
  private static final class HeldFeed implements TableFeed {
    private List<String> tables = List.of();
    private @Nullable Sink sink;

    @Override
    public void start(List<String> wanted, Sink to) {
      tables = wanted;
      sink = to;
    }

    Sink sink() {
      return java.util.Objects.requireNonNull(sink);
    }

    @Override
    public void close() {}
  }

  private static final class Numbers implements RecordCodec<String, Integer> {
    @Override
    public Bytes encodeKey(String key) {
      return Bytes.utf8(key);
    }

    @Override
    public String decodeKey(Bytes bytes) {
      return bytes.toUtf8();
    }

    @Override
    public Bytes encodeValue(Integer value) {
      return Bytes.utf8(value.toString());
    }

    @Override
    public Integer decodeValue(Bytes bytes) {
      return Integer.valueOf(bytes.toUtf8());
    }
  }
}
