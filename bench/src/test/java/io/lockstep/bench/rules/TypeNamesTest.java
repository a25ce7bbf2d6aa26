package io.lockstep.bench.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.rules.CheckoutClasses.CheckoutClass;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Within one module, a name belongs to one type, so that a reader never asks which is meant. */
class TypeNamesTest {
  @Test
  void noNameOccursTwiceInAModule() {
    Map<String, Set<String>> packages = new TreeMap<>();
    for (CheckoutClass type : CheckoutClasses.all()) {
      if (!type.isNested()) {
        packages
            .computeIfAbsent(type.module() + ": " + type.simpleName(), name -> new TreeSet<>())
            .add(type.packageName());
      }
    }
    packages.values().removeIf(owners -> owners.size() == 1);
    assertThat(packages).as("names of several types in a module").isEmpty();
  }
}
