package io.lockstep.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * No package imports, by whatever way round, a package that imports it: the directions of
 * docs/adr/0020, checked on the byte code of all modules of the product.
 */
class PackageCyclesTest {
  private static final String OURS = "io.lockstep.";

  @Test
  void packagesImportInOneDirection() {
    JavaClasses all =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.lockstep");
    Map<String, Set<String>> imports = imports(all);

    assertThat(imports)
        .as("modules that were looked at")
        .containsKeys(
            "io.lockstep.store.client",
            "io.lockstep.openflow.codec",
            "io.lockstep.placer",
            "io.lockstep.core.node",
            "io.lockstep.openflow.channel",
            "io.lockstep.apps.learningswitch",
            "io.lockstep.dataplane.flowtable",
            "io.lockstep.deploy.node");
    assertThat(Cycles.of(imports)).as("sets of packages that import each other").isEmpty();
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

  /** For each of our packages, those of our other packages that its classes use. */
  private static Map<String, Set<String>> imports(JavaClasses all) {
    Map<String, Set<String>> imports = new TreeMap<>();
    for (JavaClass type : all) {
      Set<String> used = imports.computeIfAbsent(type.getPackageName(), name -> new TreeSet<>());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String target = dependency.getTargetClass().getBaseComponentType().getPackageName();
        if (target.startsWith(OURS) && !target.equals(type.getPackageName())) {
          used.add(target);
        }
      }
    }
    return imports;
  }
}
