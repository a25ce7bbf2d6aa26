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
 * The classes of {@code core.flow.placed} use each other in one direction: {@code PlacedSwitch}
 * owns the state of a switch and uses its helpers, and no helper knows who uses it. A nested class
 * counts as a part of its outer one.
 */
class PlacedClassesTest {
  private static final String ROOM = "io.lockstep.core.flow.placed";
  private static final String AGENT = "PlacedSwitch";

  private final Map<String, Set<String>> uses = uses();

  @Test
  void noClassLeadsBackToItself() {
    assertThat(uses).containsKeys(AGENT, "ChangeSelection", "PlanRun");
    assertThat(Cycles.of(uses)).as("classes that use each other").isEmpty();
  }

  @Test
  void noHelperUsesTheAgentAndOnlyItHasTheListener() {
    for (Map.Entry<String, Set<String>> one : uses.entrySet()) {
      assertThat(one.getValue()).as(one.getKey()).doesNotContain(AGENT);
      if (!one.getKey().equals(AGENT)) {
        assertThat(one.getValue()).as(one.getKey()).doesNotContain("PlacementListener");
      }
    }
  }

  private static Map<String, Set<String>> uses() {
    JavaClasses room =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOM);
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass type : room) {
      String name = outermost(type);
      Set<String> used = uses.computeIfAbsent(name, any -> new TreeSet<>());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (target.getPackageName().equals(ROOM) && !outermost(target).equals(name)) {
          used.add(outermost(target));
        }
      }
    }
    return uses;
  }

  private static String outermost(JavaClass type) {
    String name = type.getName().substring(type.getPackageName().length() + 1);
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }
}
