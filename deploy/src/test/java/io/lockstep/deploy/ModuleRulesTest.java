package io.lockstep.deploy;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.lockstep.core.packet.CachedQuestions;
import io.lockstep.core.state.TableView;
import io.lockstep.store.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may import whom: the table of docs/adr/0020, checked on the byte code. */
class ModuleRulesTest {
  private static final String KEYS = "io.lockstep.keys..";
  private static final String AUTHORITY = "io.lockstep.keys.pki..";
  private static final String STORE = "io.lockstep.store..";
  private static final String CODEC = "io.lockstep.openflow.codec..";
  private static final String YAML = "io.lockstep.yaml..";
  private static final String PLACER = "io.lockstep.placer..";
  private static final String HEADER_FIELDS = "io.lockstep.placer.space..";
  private static final String CORE = "io.lockstep.core..";
  private static final String APPLICATION_MODEL = "io.lockstep.core.app..";
  private static final String PROBE = "io.lockstep.core.probe..";
  private static final String CHANNEL = "io.lockstep.openflow.channel..";
  private static final String APPS = "io.lockstep.apps..";
  private static final String DATAPLANE = "io.lockstep.dataplane..";
  private static final String DEPLOY = "io.lockstep.deploy..";
  private static final String LOGGING = "io.lockstep.store.logging..";
  private static final String BFT_SMART_ROOM = "io.lockstep.store.engine.bftsmart..";

  private static final String[] ONOS = {"org.onosproject..", "org.onlab.."};

  private static JavaClasses all;

  @BeforeAll
  static void importClasses() {
    all =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.lockstep");
  }

  private static void check(ArchRule rule) {
    rule.check(all);
  }

  /** Of our own packages, {@code room} imports itself and {@code others} only. */
  private static ArchRule onlyImports(String room, String... others) {
    DescribedPredicate<JavaClass> foreign =
        resideInAPackage("io.lockstep..")
            .and(not(resideInAPackage(room)))
            .and(not(resideInAnyPackage(others)));
    return noClasses()
        .that()
        .resideInAPackage(room)
        .should()
        .dependOnClassesThat(foreign)
        .as(room + " imports only " + String.join(", ", others));
  }

  private static ArchRule onlyKnownTo(String library, String... rooms) {
    return noClasses()
        .that(resideInAPackage("io.lockstep..").and(not(resideInAnyPackage(rooms))))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(library)
        .as("only " + String.join(", ", rooms) + " know " + library);
  }

  @ParameterizedTest
  @ValueSource(strings = {KEYS, STORE, CODEC, YAML, PLACER, CORE, CHANNEL, APPS, DATAPLANE, DEPLOY})
  void everyModuleWasLookedAt(String room) {
    assertThat(all.that(resideInAPackage(room))).isNotEmpty();
  }

  @Test
  void keysAreALeafAndOnlyTheAuthorityKnowsTheLibraryThatMakesThem() {
    check(onlyImports(KEYS));
    check(onlyKnownTo("org.bouncycastle..", AUTHORITY));
    check(
        noClasses()
            .that(resideInAPackage(KEYS).and(not(resideInAPackage(AUTHORITY))))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(AUTHORITY));
  }

  @Test
  void theStoreImportsKeys() {
    check(onlyImports(STORE, KEYS));
  }

  /**
   * So a read that may be old is named where it is called: {@code staleByAtMost}, {@code known},
   * and for questions of applications {@code Freshness}, which one class alone leads to the cache.
   */
  @Test
  void nobodyReadsTheStoresCacheUnnamedAndACopyOfATableHasNoGet() {
    check(
        noClasses()
            .that(
                resideInAPackage("io.lockstep..")
                    .and(not(resideInAPackage(STORE)))
                    .and(not(JavaClass.Predicates.equivalentTo(CachedQuestions.class))))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.lockstep.store.client.cache.."));
    check(noMethods().that().areDeclaredIn(TableView.class).should().haveName("get"));
  }

  @Test
  void theCodecIsALeaf() {
    check(onlyImports(CODEC));
  }

  @Test
  void thePlacerImportsTheReaderOfYamlAndOneValueOfTheStore() {
    check(onlyImports(PLACER, STORE, YAML));
    check(
        noClasses()
            .that()
            .resideInAPackage(PLACER)
            .should()
            .dependOnClassesThat(
                resideInAPackage(STORE).and(not(JavaClass.Predicates.equivalentTo(Bytes.class)))));
  }

  @Test
  void theNodeImportsTheStoreThePlacerAndKeys() {
    check(onlyImports(CORE, STORE, PLACER, KEYS));
  }

  @Test
  void nothingElseInTheNodeImportsTheProbe() {
    assertThat(all.that(resideInAPackage(PROBE))).isNotEmpty();
    check(
        noClasses()
            .that(resideInAPackage(CORE).and(not(resideInAPackage(PROBE))))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(PROBE));
  }

  @Test
  void theChannelImportsCodecNodeHeaderFieldsKeysAndTheBoundOfTheLog() {
    check(onlyImports(CHANNEL, CODEC, CORE, HEADER_FIELDS, KEYS, LOGGING));
  }

  @Test
  void applicationsImportTheApplicationModelAndTheStore() {
    check(onlyImports(APPS, APPLICATION_MODEL, STORE));
  }

  @Test
  void theEmulatedNetworkImportsTheCodecAndTheReaderOfYaml() {
    check(onlyImports(DATAPLANE, CODEC, YAML));
  }

  /** It drives nodes; the demo and tests put the emulated network before them. */
  @Test
  void theDeploymentImportsAllButTheEmulatedNetwork() {
    check(onlyImports(DEPLOY, KEYS, STORE, YAML, PLACER, CORE, CHANNEL, APPS));
  }

  @Test
  void theReaderOfYamlIsALeafAndTheOnlyOneOfItsKind() {
    check(onlyImports(YAML));
    check(onlyKnownTo("com.fasterxml.jackson.dataformat.yaml..", YAML));
    check(onlyKnownTo("org.yaml.snakeyaml..", YAML));
  }

  @Test
  void nobodyImportsTheDeployment() {
    check(
        noClasses()
            .that(
                resideInAPackage("io.lockstep..")
                    .and(not(resideInAnyPackage(DEPLOY, "io.lockstep.bench.."))))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(DEPLOY));
  }

  @Test
  void onlyOneRoomKnowsBftSmart() {
    check(onlyKnownTo("bftsmart..", BFT_SMART_ROOM));
    check(onlyKnownTo("org.objectweb.asm..", BFT_SMART_ROOM));
  }

  @Test
  void onlySouthboundAndEmulatorKnowOpenflowj() {
    check(onlyKnownTo("org.projectfloodlight..", CODEC, CHANNEL, DATAPLANE));
  }

  @Test
  void onlyTheEdgesKnowNetty() {
    check(onlyKnownTo("io.netty..", KEYS, BFT_SMART_ROOM, CODEC, CHANNEL, DATAPLANE));
  }

  @Test
  void storeCodecPlacerAndEmulatorDoNotKnowOnos() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(STORE, CODEC, PLACER, DATAPLANE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ONOS));
  }

  @Test
  void applicationsHaveNoSocketThreadClockOrService() {
    DescribedPredicate<JavaClass> service =
        DescribedPredicate.describe(
            "a service of onos-api",
            type ->
                type.getPackageName().startsWith("org.onosproject")
                    && type.getSimpleName().endsWith("Service"));
    check(
        noClasses()
            .that()
            .resideInAnyPackage(APPS, APPLICATION_MODEL)
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(
                        "java.net..",
                        "java.nio.channels..",
                        "java.util.concurrent..",
                        "java.time..",
                        "io.netty..",
                        "org.slf4j..")
                    .or(service)
                    .or(JavaClass.Predicates.assignableTo(Thread.class)))
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Math.class, "random"));
  }

  @Test
  void theStoresPureCoreHasNoSocketThreadOrClock() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage("io.lockstep.store.core..", "io.lockstep.store.codec..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.net..", "java.nio.channels..", "io.netty..", "java.time..")
            .orShould()
            .dependOnClassesThat(JavaClass.Predicates.assignableTo(Thread.class))
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis"));
  }

  @Test
  void namesSayWhatAThingIs() {
    check(
        classes()
            .that()
            .resideInAPackage("io.lockstep..")
            .should()
            .haveNameNotMatching(".*(Manager|Util|Utils|Helper|Impl)")
            .andShould()
            .haveNameNotMatching(".*[.$](Default|Abstract)[A-Z].*"));
  }

  @Test
  void aRuleIsBrokenByAForbiddenImport() {
    ArchRule wrong = onlyImports(CORE, PLACER);
    assertThat(wrong.evaluate(all).hasViolation()).isTrue();
  }
}
