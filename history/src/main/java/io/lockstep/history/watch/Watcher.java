package io.lockstep.history.watch;

import io.lockstep.history.load.Recorder;
import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import io.lockstep.store.client.ChangeFeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Follows the tables and keeps what it was told: versions, and fingerprints of what was written.
 * Owned by the feed's loop; to be read after the feed has come to rest there.
 */
public final class Watcher implements ChangeFeed.Listener {
  private static final int MOST_COMPLAINTS = 20;

  /** Changes that came inside a snapshot: after the first index, up to the second. */
  record Jump(long after, long upTo) {}

  private final String name;
  private final List<String> complaints = new ArrayList<>();
  private final List<Jump> jumps = new ArrayList<>();
  private final Map<String, Long> image = new HashMap<>();
  private long[] versions = new long[1024];
  private long[] fingerprints = new long[1024];
  private long[] keyprints = new long[1024];
  private int size;
  private long upTo = -1;

  /** A watcher that has seen nothing. */
  public Watcher(String name) {
    this.name = name;
  }

  @Override
  public void snapshot(Map<String, List<Entry>> entries, long index) {
    if (index < upTo) {
      complain("a snapshot of index " + index + " after everything up to " + upTo);
    }
    jumps.add(new Jump(Math.max(0, upTo), index));
    image.clear();
    entries.forEach(
        (table, all) -> {
          for (Entry entry : all) {
            image.put(table + "/" + entry.key().toUtf8(), entry.version());
            if (entry.version() > index) {
              complain("version " + entry.version() + " in a snapshot of index " + index);
            }
          }
        });
    upTo = index;
  }

  @Override
  public void changes(List<Change> changes, long upToIndex) {
    long last = upTo;
    for (Change change : changes) {
      // Every operation of a run changes one key, so no two changes share an index.
      if (change.index() <= last) {
        complain("change " + change.index() + " of " + change.key().toUtf8() + " after " + last);
      }
      last = Math.max(last, change.index());
      add(change);
    }
    if (upToIndex < last) {
      complain("told everything up to " + upToIndex + ", with change " + last);
    }
    upTo = Math.max(last, upToIndex);
  }

  @Override
  public void caughtUp(long upToIndex) {
    upTo = Math.max(upTo, upToIndex);
  }

  private void add(Change change) {
    if (size == versions.length) {
      versions = Arrays.copyOf(versions, 2 * size);
      fingerprints = Arrays.copyOf(fingerprints, 2 * size);
      keyprints = Arrays.copyOf(keyprints, 2 * size);
    }
    String key = change.key().toUtf8();
    String value = change.value() == null ? null : Recorder.text(change.table(), change.value());
    versions[size] = change.index();
    fingerprints[size] = fingerprint(change.table(), key, value);
    keyprints[size] = keyprint(change.table(), key);
    size++;
    String entry = change.table() + "/" + key;
    if (value == null) {
      image.remove(entry);
    } else {
      image.put(entry, change.index());
    }
  }

  /** Tells writes apart, but for a chance of about 1 in 2^60. */
  static long fingerprint(String table, String key, @Nullable String value) {
    long print = mix(table.hashCode(), key);
    return value == null ? ~print : mix(print, value);
  }

  /** Stands for any number under this key. */
  static long keyprint(String table, String key) {
    return fingerprint(table, key, "any number");
  }

  private static long mix(long seed, String text) {
    long print = seed ^ 0x9e3779b97f4a7c15L;
    for (int i = 0; i < text.length(); i++) {
      print = (print ^ text.charAt(i)) * 0xff51afd7ed558ccdL;
      print ^= print >>> 32;
    }
    return print;
  }

  void complain(String what) {
    if (complaints.size() < MOST_COMPLAINTS) {
      complaints.add("watcher " + name + ": " + what);
    }
  }

  List<String> complaints() {
    return complaints;
  }

  /** How many snapshots it was given. */
  public int snapshots() {
    return jumps.size();
  }

  List<Jump> jumps() {
    return jumps;
  }

  Map<String, Long> image() {
    return image;
  }

  /** How many changes it was told. */
  public int size() {
    return size;
  }

  long version(int place) {
    return versions[place];
  }

  long fingerprint(int place) {
    return fingerprints[place];
  }

  long keyprint(int place) {
    return keyprints[place];
  }
}
