package io.lockstep.store.client;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The last snapshot, and every change told since. */
final class FeedRecorder implements ChangeFeed.Listener {
  final Map<String, TreeMap<Bytes, Entry>> image = new TreeMap<>();
  final List<Change> sinceSnapshot = new ArrayList<>();
  long snapshotIndex = -1;
  long upToIndex = -1;
  int snapshots;
  int delivered;
  int wrong;
  boolean fail;

  @Override
  public void snapshot(Map<String, List<Entry>> entries, long index) {
    snapshots++;
    snapshotIndex = index;
    upToIndex = index;
    sinceSnapshot.clear();
    image.clear();
    entries.forEach(
        (table, list) -> {
          TreeMap<Bytes, Entry> map = new TreeMap<>();
          list.forEach(entry -> map.put(entry.key(), entry));
          image.put(table, map);
        });
  }

  @Override
  public void changes(List<Change> changes, long newIndex) {
    if (fail) {
      throw new IllegalStateException("asked to fail");
    }
    delivered += changes.size();
    for (Change change : changes) {
      wrong += change.index() > upToIndex && change.index() <= newIndex ? 0 : 1;
    }
    sinceSnapshot.addAll(changes);
    upToIndex = newIndex;
  }

  @Override
  public void caughtUp(long newIndex) {
    wrong += newIndex >= upToIndex ? 0 : 1;
    upToIndex = newIndex;
  }
}
