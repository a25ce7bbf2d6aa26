package io.lockstep.deploy;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.lockstep.store.logging.BoundedLog;
import io.lockstep.store.logging.LogLimit;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** Who writes lines to the log without a bound of their number, checked on the byte code. */
class LogRulesTest {
  private static final Set<String> LEVELS = Set.of("info", "warn", "error");

  /** Each of them writes a line once, or before the replica halts, or when it has written much. */
  private static final Set<String> WITHOUT_BOUND =
      Set.of(
          "io.lockstep.store.client.BatchingStoreClient",
          "io.lockstep.store.engine.bftsmart.BackgroundJobs",
          "io.lockstep.store.engine.bftsmart.OrderedState",
          "io.lockstep.store.engine.bftsmart.ReplicaCore",
          "io.lockstep.store.engine.bftsmart.ReplicaMemory",
          "io.lockstep.store.engine.bftsmart.SnapshotMaker",
          "io.lockstep.store.engine.local.LocalEngine");

  /** What peers, switches, hosts, clients and pages can cause goes through a limit. */
  @Test
  void linesThatOthersCanCauseAreBounded() {
    Set<String> writing = new TreeSet<>();
    Set<String> limited = new TreeSet<>();
    for (JavaClass one :
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.lockstep")
            // Its own disk, the start and end of a process, and programs that are no node.
            .that(
                resideInAnyPackage("io.lockstep.store..", "io.lockstep.core..")
                    .or(resideInAnyPackage("io.lockstep.openflow..", "io.lockstep.apps.."))
                    .or(resideInAnyPackage("io.lockstep.deploy.admin.."))
                    .and(
                        not(
                            resideInAnyPackage(
                                "io.lockstep.store.log..", "io.lockstep.store.logging.."))))) {
      String name = outermost(one);
      if (one.getMethodCallsFromSelf().stream()
          .anyMatch(
              call ->
                  call.getTargetOwner().isEquivalentTo(Logger.class)
                      && LEVELS.contains(call.getName()))) {
        writing.add(name);
      }
      if (one.getMethodCallsFromSelf().stream()
          .anyMatch(
              call ->
                  call.getTargetOwner().isEquivalentTo(LogLimit.class)
                      || call.getTargetOwner().isEquivalentTo(BoundedLog.class))) {
        limited.add(name);
      }
    }
    assertThat(writing).as("looked at the byte code").isNotEmpty();
    writing.removeAll(limited);
    assertThat(writing).containsExactlyInAnyOrderElementsOf(WITHOUT_BOUND);
  }

  private static String outermost(JavaClass one) {
    int nested = one.getName().indexOf('$');
    return nested < 0 ? one.getName() : one.getName().substring(0, nested);
  }
}
