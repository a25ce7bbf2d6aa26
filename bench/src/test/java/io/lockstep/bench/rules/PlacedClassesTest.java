package io.lockstep.bench.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The classes of {@code core.flow.placed} use each other in one direction: {@code PlacedSwitch}
 * owns the state of a switch and uses its helpers, and no helper knows who uses it. So do the
 * classes of {@code core.flow.entry}. A nested class counts as a part of its outer one.
 */
class PlacedClassesTest {
  private static final String PLACED = "io.lockstep.core.flow.placed";
  private static final String ENTRY = "io.lockstep.core.flow.entry";
  private static final String AGENT = "PlacedSwitch";

  @ParameterizedTest
  @ValueSource(strings = {PLACED, ENTRY})
  void noClassLeadsBackToItself(String room) {
    Map<String, Set<String>> uses = CheckoutClasses.usesWithin(room);
    assertThat(uses).hasSizeGreaterThan(5);
    assertThat(Cycles.of(uses)).as("classes that use each other").isEmpty();
  }

  @Test
  void noHelperUsesTheAgentAndOnlyItHasTheListener() {
    Map<String, Set<String>> uses = CheckoutClasses.usesWithin(PLACED);
    assertThat(uses).extractingByKey(AGENT).asString().contains("PlacementListener");
    for (Map.Entry<String, Set<String>> one : uses.entrySet()) {
      assertThat(one.getValue()).as(one.getKey()).doesNotContain(AGENT);
      if (!one.getKey().equals(AGENT)) {
        assertThat(one.getValue()).as(one.getKey()).doesNotContain("PlacementListener");
      }
    }
  }
}
