package io.lockstep.demo;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.lockstep.deploy.PlainNames;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What the demo imports, and how it names types: docs/adr/0020, checked on the byte code. */
class DemoRulesTest {
  private static final String DEMO = "io.lockstep.demo..";
  private static final String DEPLOY = "io.lockstep.deploy..";
  private static final String DATAPLANE = "io.lockstep.dataplane..";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.lockstep.demo");

  private static ArchRule onlyImports(String... others) {
    return noClasses()
        .that()
        .resideInAPackage(DEMO)
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.lockstep..")
                .and(not(resideInAPackage(DEMO)))
                .and(not(resideInAnyPackage(others))));
  }

  /** Of the types that have a name. */
  private static List<String> names(Predicate<JavaClass> among) {
    return CLASSES.stream()
        .filter(type -> !type.isAnonymousClass())
        .filter(among)
        .map(JavaClass::getSimpleName)
        .filter(name -> !name.equals("package-info"))
        .toList();
  }

  @Test
  void theDemoImportsTheDeploymentAndTheEmulatedNetwork() {
    assertThat(CLASSES).isNotEmpty();
    onlyImports(DEPLOY, DATAPLANE).check(CLASSES);
  }

  @Test
  void itKnowsNoLibraryThatBelongsToAnotherModule() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "bftsmart..",
            "com.fasterxml.jackson.dataformat..",
            "io.netty..",
            "org.onosproject..",
            "org.onlab..",
            "org.projectfloodlight..",
            "org.yaml..")
        .check(CLASSES);
  }

  @Test
  void packagesImportInOneDirection() {
    slices().matching("(io.lockstep.demo..)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void noNameOccursTwice() {
    assertThat(names(type -> !type.isNestedClass()))
        .contains("DemoCommand", "LiveScreen")
        .doesNotHaveDuplicates();
  }

  /** The one name is older than the rule. */
  @Test
  void noNewNameHidesWhatItsTypeDoes() {
    assertThat(names(type -> true)).filteredOn(PlainNames::isHiding).containsExactly("Look");
  }

  @Test
  void aForbiddenImportBreaksARule() {
    assertThat(onlyImports(DATAPLANE).evaluate(CLASSES).hasViolation()).isTrue();
  }
}
