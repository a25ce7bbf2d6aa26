package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A lookup finds what was put last under the name, and never what has another. */
class NameIndexTest {
  private final NameIndex<Integer> things = new NameIndex<>();

  @Test
  void manyMoreNamesThanPlacesAreNeverTakenForEachOther() {
    for (int i = 0; i < 1000; i++) {
      assertThat(things.put("table-" + i, i)).isNull();
    }
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 1000; i++) {
        assertThat(things.find("table-" + i)).isEqualTo(i);
        assertThat(things.find("no-table-" + i)).isNull();
      }
    }
  }

  /** Strings of the same hash share a place. */
  @Test
  void namesOfOneHashAreToldApart() {
    assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
    things.put("Aa", 1);
    assertThat(things.find("Aa")).isEqualTo(1);
    assertThat(things.find("BB")).isNull();
    things.put("BB", 2);
    assertThat(things.find("BB")).isEqualTo(2);
    assertThat(things.find("Aa")).isEqualTo(1);
  }

  @Test
  void whatIsPutAnewIsFoundAndTheOldOneIsGiven() {
    things.put("hosts", 1);
    assertThat(things.find("hosts")).isEqualTo(1);
    assertThat(things.put("hosts", 2)).isEqualTo(1);
    assertThat(things.find("hosts")).isEqualTo(2);
  }

  @Test
  void whatWasNotThereIsFoundOnceItIs() {
    assertThat(things.find("hosts")).isNull();
    things.put("hosts", 1);
    assertThat(things.find("hosts")).isEqualTo(1);
  }
}
