package io.lockstep.store.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import io.lockstep.store.client.ChangeFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a feed told of one table: the last snapshot, and every change since. */
final class WatchRecorder implements ChangeFeed.Listener {
  private final Map<Bytes, Entry> image = new TreeMap<>();
  private final List<Change> since = new ArrayList<>();
  private long snapshotIndex = -1;
  private long upToIndex = -1;

  @Override
  public void snapshot(Map<String, List<Entry>> entries, long index) {
    assertThat(index).as("a later snapshot").isGreaterThanOrEqualTo(upToIndex);
    snapshotIndex = index;
    upToIndex = index;
    since.clear();
    image.clear();
    entries.values().forEach(list -> list.forEach(entry -> image.put(entry.key(), entry)));
  }

  @Override
  public void changes(List<Change> changes, long newIndex) {
    long before = upToIndex;
    for (Change change : changes) {
      assertThat(change.index()).as("the order of changes").isGreaterThan(before);
      assertThat(change.index()).isLessThanOrEqualTo(newIndex);
      before = change.index();
    }
    since.addAll(changes);
    upToIndex = newIndex;
  }

  long upToIndex() {
    return upToIndex;
  }

  int told() {
    return since.size();
  }

  /** Compares with all changes that there were. */
  void check(List<Change> whole) {
    Map<Bytes, Entry> then = new TreeMap<>();
    List<Change> later = new ArrayList<>();
    for (Change change : whole) {
      Bytes value = change.value();
      if (change.index() > snapshotIndex) {
        later.add(change);
      } else if (value == null) {
        then.remove(change.key());
      } else {
        then.put(change.key(), new Entry(change.key(), value, change.index()));
      }
    }
    assertThat(image).isEqualTo(then);
    assertThat(since).isEqualTo(later);
  }
}
