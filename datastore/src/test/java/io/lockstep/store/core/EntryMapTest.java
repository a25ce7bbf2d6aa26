package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The blocks behave like one sorted map. */
class EntryMapTest {
  private final EntryMap map = new EntryMap();
  private final TreeMap<Bytes, Entry> model = new TreeMap<>();

  @Test
  void randomChangesAreTheModels() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int keys = 1 + random.nextInt(1_000);
      int puts = random.nextInt(11);
      for (int i = 0; i < 300; i++) {
        Bytes key = Counters.bytesOf(random.nextInt(keys));
        if (random.nextInt(10) < puts) {
          Entry entry = new Entry(key, Bytes.empty(), i);
          assertThat(map.put(entry)).as("seed %d", seed).isEqualTo(model.put(key, entry));
        } else {
          assertThat(map.remove(key)).as("seed %d", seed).isEqualTo(model.remove(key));
        }
        assertThat(map.get(key)).isEqualTo(model.get(key));
      }
      assertThat(map.size()).isEqualTo(model.size());
      Bytes from = Counters.bytesOf(random.nextInt(keys));
      Bytes to = Counters.bytesOf(random.nextInt(keys));
      assertThat(walk(Bytes.empty(), null)).as("seed %d", seed).isEqualTo(all());
      assertThat(walk(from, null)).isEqualTo(List.copyOf(model.tailMap(from).values()));
      if (from.compareTo(to) <= 0) {
        assertThat(walk(from, to)).isEqualTo(List.copyOf(model.subMap(from, to).values()));
      } else {
        assertThat(walk(from, to)).isEmpty();
      }
    }
  }

  /**
   * What keys begin with, their lengths, and bytes over 127: of few letters, so they share much.
   */
  @Test
  void keysThatBeginAlikeAndOfAllLengthsAreTheModels() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      int most = 1 + random.nextInt(14);
      int letters = 1 + random.nextInt(4);
      byte[] beginning = new byte[random.nextInt(12)];
      random.nextBytes(beginning);
      int puts = 3 + random.nextInt(7);
      for (int i = 0; i < (seed % 10 == 0 ? 5_000 : 600); i++) {
        byte[] octets = Arrays.copyOf(beginning, random.nextInt(beginning.length + most));
        for (int at = beginning.length; at < octets.length; at++) {
          octets[at] = (byte) (random.nextInt(letters) * 85);
        }
        Bytes key = Bytes.wrap(octets);
        if (random.nextInt(10) < puts) {
          Entry entry = new Entry(key, Bytes.empty(), i);
          assertThat(map.put(entry)).as("seed %d", seed).isEqualTo(model.put(key, entry));
        } else {
          assertThat(map.remove(key)).as("seed %d", seed).isEqualTo(model.remove(key));
        }
        Bytes near = Bytes.wrap(Arrays.copyOf(octets, random.nextInt(octets.length + 3)));
        assertThat(map.get(near)).as("seed %d", seed).isEqualTo(model.get(near));
      }
      assertThat(walk(Bytes.empty(), null)).as("seed %d", seed).isEqualTo(all());
      model.keySet().removeIf(key -> random.nextBoolean() && map.remove(key) != null);
      assertThat(map.size()).isEqualTo(model.size());
    }
  }

  @Test
  void ascendingDescendingAndEmptiedAgain() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(map.append(entry(i))).isTrue();
    }
    assertThat(map.append(entry(999))).isFalse();
    assertThat(map.append(entry(5))).isFalse();
    for (int i = 999; i >= 500; i--) {
      assertThat(map.remove(Counters.bytesOf(i))).isNotNull();
    }
    for (int i = 0; i < 500; i++) {
      assertThat(map.remove(Counters.bytesOf(i))).isNotNull();
    }
    assertThat(map.size()).isZero();
    for (int i = 300; i > 0; i--) {
      map.put(entry(i));
      model.put(Counters.bytesOf(i), entry(i));
    }
    assertThat(walk(Bytes.empty(), null)).isEqualTo(all());
  }

  private static Entry entry(int key) {
    return new Entry(Counters.bytesOf(key), Bytes.empty(), 1);
  }

  private List<Entry> all() {
    return List.copyOf(model.values());
  }

  private List<Entry> walk(Bytes from, @Nullable Bytes to) {
    List<Entry> entries = new ArrayList<>();
    map.range(from, to).forEach(entries::add);
    return entries;
  }
}
