package io.lockstep.demo;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** What the demo imports: docs/adr/0020, checked on the byte code. */
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
  void aForbiddenImportBreaksARule() {
    assertThat(onlyImports(DATAPLANE).evaluate(CLASSES).hasViolation()).isTrue();
  }
}
