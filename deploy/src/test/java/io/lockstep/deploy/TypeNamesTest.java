package io.lockstep.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Within one module, a name belongs to one type, so that a reader never asks which is meant. */
class TypeNamesTest {
  private static final List<String> MODULES =
      List.of(
          "io.lockstep.store",
          "io.lockstep.openflow.codec",
          "io.lockstep.placer",
          "io.lockstep.core",
          "io.lockstep.openflow.channel",
          "io.lockstep.apps",
          "io.lockstep.dataplane",
          "io.lockstep.deploy");

  @Test
  void noNameOccursTwiceInAModule() {
    List<JavaClass> types = types().stream().filter(type -> !type.isNestedClass()).toList();
    assertThat(types.stream().map(TypeNamesTest::module)).containsAll(MODULES);

    TreeMap<String, Set<String>> packages = new TreeMap<>();
    for (JavaClass type : types) {
      packages
          .computeIfAbsent(module(type) + ": " + type.getSimpleName(), name -> new TreeSet<>())
          .add(type.getPackageName());
    }
    Set<String> doubled =
        packages.entrySet().stream()
            .filter(name -> name.getValue().size() > 1)
            .map(name -> name.getKey())
            .collect(Collectors.toSet());
    assertThat(doubled).as("names of several types in a module").isEmpty();
  }

  /** The product's types that have a name, nested ones too. */
  static List<JavaClass> types() {
    return new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(MODULES)
            .stream()
            .filter(type -> !type.isAnonymousClass())
            .filter(type -> !type.getSimpleName().equals("package-info"))
            .toList();
  }

  private static String module(JavaClass type) {
    return MODULES.stream()
        .filter(module -> (type.getPackageName() + ".").startsWith(module + "."))
        .findFirst()
        .orElseThrow(() -> new AssertionError(type.getName() + " belongs to no module"));
  }
}
