package io.lockstep.bench.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * No package imports, directly or through others, a package that imports it: the directions of
 * docs/adr/0020, checked on the byte code of all modules.
 */
class PackageCyclesTest {
  @Test
  void packagesImportInOneDirection() {
    assertThat(Cycles.of(CheckoutClasses.usesOfPackages()))
        .as("sets of packages that import each other")
        .isEmpty();
  }

  @Test
  void aCycleIsFoundOnAllWaysRound() {
    Map<String, Set<String>> imports =
        Map.of(
            "a",
            Set.of("b"),
            "b",
            Set.of("c"),
            "c",
            Set.of("a", "d"),
            "d",
            Set.of("e"),
            "e",
            Set.of());
    assertThat(Cycles.of(imports)).isEqualTo(Set.of(Set.of("a", "b", "c")));
  }

  @Test
  void importsInOneDirectionAreNoCycle() {
    assertThat(Cycles.of(Map.of("a", Set.of("b", "c"), "b", Set.of("c"), "c", Set.of()))).isEmpty();
  }
}
