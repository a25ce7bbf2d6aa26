package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecentEntriesTest {
  private final RecentEntries recent = new RecentEntries();

  @Test
  void findsOnlyWhatWasAddedLast() {
    Map<Bytes, Entry> model = new HashMap<>();
    Random random = new Random(1);
    int found = 0;
    for (int i = 0; i < 100_000; i++) {
      Bytes key = Counters.bytesOf(random.nextInt(500));
      Entry entry = recent.find(key);
      if (entry != null) {
        found++;
        assertThat(entry).isSameAs(model.get(key));
      }
      if (random.nextInt(4) == 0) {
        recent.remove(key);
        model.remove(key);
      } else {
        Entry added = new Entry(key, Bytes.empty(), i);
        model.put(key, added);
        recent.add(added, model.size());
      }
    }
    // Of three entries in four that are in the table, most have kept their place.
    assertThat(found).isGreaterThan(40_000);
  }

  @Test
  void keysThatShareAPlaceTakeItFromEachOther() {
    recent.add(entry(0), 1);
    Bytes rival = Counters.bytesOf(1);
    for (int i = 1; placeAmongFewest(rival) != placeAmongFewest(Counters.bytesOf(0)); i++) {
      rival = Counters.bytesOf(i);
    }
    recent.remove(rival);
    assertThat(recent.find(Counters.bytesOf(0))).isNotNull();
    recent.add(new Entry(rival, Bytes.empty(), 1), 2);
    assertThat(recent.find(rival)).isNotNull();
    assertThat(recent.find(Counters.bytesOf(0))).isNull();
  }

  @Test
  void keepsWhatItHasWhenItGrows() {
    recent.add(entry(7), 1);
    recent.add(entry(8), RecentEntries.MAX_PLACES);
    assertThat(recent.find(Counters.bytesOf(7))).isEqualTo(entry(7));
    recent.add(entry(9), Integer.MAX_VALUE);
    for (int i = 0; i < 2 * RecentEntries.MAX_PLACES; i++) {
      recent.add(entry(i), Integer.MAX_VALUE);
    }
    assertThat(recent.find(Counters.bytesOf(2 * RecentEntries.MAX_PLACES - 1))).isNotNull();
  }

  /** Keys of neighbouring numbers, of few bytes or many, would else fall together. */
  @Test
  void hashesOfSimilarKeysAreSpread() {
    for (int length = 1; length <= 24; length++) {
      for (int at = 0; at < length; at++) {
        Set<Integer> places = new HashSet<>();
        for (int value = 0; value < 256; value++) {
          byte[] octets = new byte[length];
          octets[at] = (byte) value;
          places.add(Bytes.wrap(octets).spreadHash() & (4_096 - 1));
        }
        assertThat(places).as("byte %d of %d", at, length).hasSizeGreaterThan(220);
      }
    }
  }

  private static int placeAmongFewest(Bytes key) {
    return key.spreadHash() & (RecentEntries.MIN_PLACES - 1);
  }

  private static Entry entry(int key) {
    return new Entry(Counters.bytesOf(key), Bytes.empty(), 1);
  }
}
