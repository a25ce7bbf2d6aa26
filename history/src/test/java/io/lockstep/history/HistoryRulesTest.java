package io.lockstep.history;

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

/**
 * What the fault runs import: their lines in the table of docs/adr/0020, checked on the byte code.
 */
class HistoryRulesTest {
  private static final String HISTORY = "io.lockstep.history..";
  private static final String RUNS = "io.lockstep.bench.runs..";
  private static final String STORE = "io.lockstep.store..";
  private static final String LAUNCH = "io.lockstep.deploy.launch..";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.lockstep.history", "io.lockstep.bench.runs");

  private static ArchRule onlyImports(String room, String... others) {
    return noClasses()
        .that()
        .resideInAPackage(room)
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.lockstep..")
                .and(not(resideInAPackage(room)))
                .and(not(resideInAnyPackage(others))));
  }

  @Test
  void faultRunsImportTheStoreTheLauncherAndWhatRunsHaveInCommon() {
    assertThat(CLASSES.that(resideInAPackage(HISTORY))).isNotEmpty();
    onlyImports(HISTORY, STORE, LAUNCH, RUNS).check(CLASSES);
  }

  @Test
  void whatRunsHaveInCommonImportsTheLauncher() {
    assertThat(CLASSES.that(resideInAPackage(RUNS))).isNotEmpty();
    onlyImports(RUNS, LAUNCH).check(CLASSES);
  }

  @Test
  void aForbiddenImportBreaksARule() {
    assertThat(onlyImports(HISTORY, STORE, RUNS).evaluate(CLASSES).hasViolation()).isTrue();
  }
}
