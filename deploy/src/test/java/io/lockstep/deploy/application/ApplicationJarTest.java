package io.lockstep.deploy.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.deploy.testbed.JarMaker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplicationJarTest {
  private static final String PASS = "return Decision.PASS;";

  @TempDir private Path directory;

  private JarMaker application(String more) throws IOException {
    return JarMaker.application(directory, "watcher", PASS, more);
  }

  private static String refused(Path... jars) {
    ApplicationJarException e =
        catchThrowableOfType(
            ApplicationJarException.class, () -> ApplicationCatalog.BUILT_IN.with(List.of(jars)));
    assertThat(e).hasMessageStartingWith(jars[jars.length - 1] + ": ");
    assertThat(e).hasMessageContaining("\n    remedy: ");
    return String.valueOf(e.getMessage());
  }

  @Test
  void aJarAddsItsApplicationWithAClassLoaderOfItsOwn() throws Exception {
    Path one = application("").write("one.jar");
    Path two = JarMaker.application(directory, "other", PASS, "").write("two.jar");
    ApplicationCatalog catalog = ApplicationCatalog.BUILT_IN.with(List.of(one, two));
    assertThat(catalog.names())
        .containsExactly("learning-switch", "load-balancer", "watcher", "other");
    assertThat(catalog.jars()).isEqualTo(Map.of("watcher", one, "other", two));
    ApplicationProvider watcher = catalog.providers().get(2);
    // Both call their class test.Provider.
    assertThat(watcher.getClass()).isNotEqualTo(catalog.providers().get(3).getClass());
    assertThat(watcher.create(ApplicationConfiguration.usual(watcher.configuration())).name())
        .isEqualTo("watcher");
  }

  @Test
  void whatIsNoJarIsRefused() throws Exception {
    assertThat(refused(directory.resolve("none.jar"))).contains("no such file");
    assertThat(refused(directory)).contains("not a file");
    assertThat(refused(Files.writeString(directory.resolve("text.jar"), "text")))
        .contains("cannot be read as a jar");
    Path cut = application("").write("cut.jar");
    byte[] bytes = Files.readAllBytes(cut);
    Files.write(cut, java.util.Arrays.copyOf(bytes, bytes.length / 2));
    assertThat(refused(cut)).contains("cannot be read as a jar");
    assertThat(refused(Files.write(directory.resolve("empty.jar"), new byte[0])))
        .contains("cannot be read as a jar");
    assertThat(refused(new JarMaker(directory).write("nothing.jar"))).contains("the jar is empty");
  }

  /**
   * Whichever byte is wrong: the jar is refused in words, or loads since the byte means nothing.
   */
  @Test
  void aJarWithAWrongByteNeverEscapesItsRefusal() throws Exception {
    byte[] good = Files.readAllBytes(application("").write("good.jar"));
    int refused = 0;
    for (int at = 0; at < good.length; at += 7) {
      byte[] bad = good.clone();
      bad[at] ^= 0x55;
      Path jar = Files.write(directory.resolve("bad-" + at + ".jar"), bad);
      try {
        ApplicationCatalog.BUILT_IN.with(jar);
      } catch (ApplicationJarException e) {
        refused++;
        assertThat(e.why()).startsWith(jar + ": ").hasLineCount(1);
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void aJarWithoutADeclarationIsRefused() throws Exception {
    JarMaker maker = new JarMaker(directory);
    maker.compile("Other", "package test; public class Other {}");
    assertThat(refused(maker.write("undeclared.jar")))
        .contains(
            "no application is declared in it",
            "META-INF/services/io.lockstep.core.app.ApplicationProvider");
    assertThat(refused(maker.declare("test.Missing").write("missing.jar")))
        .contains("test.Missing not found");
    assertThat(refused(maker.declare("test.Other").write("other.jar")))
        .contains("test.Other not a subtype");
    String ours = "io.lockstep.apps.learningswitch.LearningSwitchProvider";
    assertThat(refused(maker.declare(ours).write("ours.jar"))).contains("is in it");
  }

  @Test
  void aNameThatIsThereTwiceIsRefused() throws Exception {
    Path one = application("").write("one.jar");
    Path two = application("").write("two.jar");
    assertThat(refused(one, two)).contains("an application 'watcher' already, in " + one);
    ApplicationCatalog first = ApplicationCatalog.BUILT_IN.with(one);
    assertThat(catchThrowableOfType(ApplicationJarException.class, () -> first.with(two)))
        .as("also where they are added one after the other")
        .hasMessageContaining("already, in " + one);
    Path ours = JarMaker.application(directory, "learning-switch", PASS, "").write("ours.jar");
    assertThat(refused(ours)).contains("'learning-switch' already, of Lockstep itself");
    Path bad = JarMaker.application(directory, "No Name", PASS, "").write("bad.jar");
    assertThat(refused(bad)).contains("declares the name 'No Name'", "[a-z]");
  }

  @Test
  void theSameJarTwiceIsRefusedWithBothPaths() throws Exception {
    Path jar = application("").write("one.jar");
    assertThat(refused(jar, jar)).contains("the same jar is there already\n", "name each jar once");
    Path link = Files.createSymbolicLink(directory.resolve("link.jar"), jar);
    assertThat(refused(jar, link)).contains("is there already, as " + jar);
  }

  @Test
  void aProviderThatFailsIsRefusedWithItsError() throws Exception {
    String constructor = "public Provider() { throw new IllegalStateException(\"no luck\"); }";
    assertThat(refused(application(constructor).write("throws.jar")))
        .containsPattern("fails: java.lang.IllegalStateException: no luck \\(at test\\.Provider\\.")
        .hasLineCount(2);
    String initializer = "static final int WRONG = Integer.parseInt(\"x\");";
    assertThat(refused(application(initializer).write("static.jar")))
        .contains("its declaration fails: java.lang.NumberFormatException", "(at test.Provider.");
    String unspeakable =
        "public Provider() { throw new Error() {"
            + " public String toString() { throw new IllegalStateException(); } }; }";
    assertThat(refused(application(unspeakable).write("unspeakable.jar")))
        .contains("its declaration fails: test.Provider$");
    String keys =
        "public List<ConfigurationKey> configuration() { throw new AssertionError(\"keys\"); }";
    assertThat(refused(application(keys).write("keys.jar"))).contains("AssertionError: keys");
    String nothing = "public Map<String, TableSpec> tables() { return null; }";
    assertThat(refused(application(nothing).write("null.jar"))).contains("NullPointerException");
  }

  @Test
  void oneThatWasBuiltForANewerJavaIsRefused() throws Exception {
    assertThat(refused(application("").builtForJava(99).write("newer.jar")))
        .contains("built for Java 99, but this is Java " + Runtime.version().feature())
        .contains("--release " + Runtime.version().feature());
  }

  @Test
  void microComponentsFromOutsideAreRefusedWithTheReason() throws Exception {
    String components =
        """
        public List<MicroComponent> microComponents() {
          return List.of(
              new MicroComponent() {
                public String name() { return "watcher.count"; }
                public Bytes call(Transaction transaction, Bytes argument) { return argument; }
              });
        }
        """;
    assertThat(refused(application(components).write("component.jar")))
        .contains("a replica that lacks one would part from the others", "batch with guards");
  }

  @Test
  void nounsThatAreDeclaredWronglyAreRefused() throws Exception {
    String nouns =
        "public List<Noun> nouns() { return List.of(%s); } static Noun noun(String name) { return"
            + " Noun.ofNetwork(name, \"x\", input -> null); }";
    assertThat(refused(application(nouns.formatted("noun(\"a\"), noun(\"a\")")).write("twice.jar")))
        .contains("the noun 'a' is declared twice");
    assertThat(refused(application(nouns.formatted("noun(\"A\")")).write("name.jar")))
        .contains("'A' is no noun");
    assertThat(refused(application(nouns.formatted("(Noun) null")).write("null.jar")))
        .contains("its declaration fails: java.lang.NullPointerException");
  }

  @Test
  void aTableOfAnotherApplicationIsRefused() throws Exception {
    String table =
        "public Map<String, TableSpec> tables() {"
            + " return Map.of(\"apps.learned-addresses\", TableSpec.values()); }";
    Path jar = JarMaker.application(directory, "learned-addresses", PASS, table).write("same.jar");
    assertThat(refused(jar))
        .contains("'learning-switch' has the table 'apps.learned-addresses' already");
  }

  @Test
  void aTableThatTheStoreWouldNotDeclareIsRefused() throws Exception {
    String table =
        "public Map<String, TableSpec> tables() {"
            + " return Map.of(\"apps.watcher.\" + \"x\".repeat(1_000), TableSpec.values()); }";
    assertThat(refused(application(table).write("long.jar"))).contains("cannot be declared");
  }

  @Test
  void onlyTablesOfItsOwnNameAreAllowed() throws Exception {
    String tables =
        "public Map<String, TableSpec> tables() { return Map.of(\"%s\", TableSpec.values()); }";
    for (String allowed : List.of("apps.watcher", "apps.watcher.seen")) {
      Path jar = application(tables.formatted(allowed)).write("good.jar");
      assertThat(ApplicationCatalog.BUILT_IN.with(List.of(jar)).names()).contains("watcher");
    }
    for (String other : List.of("net.links", "apps.watchers", "apps.learned-addresses")) {
      assertThat(refused(application(tables.formatted(other)).write("bad.jar")))
          .contains("declares the table '" + other + "'", "apps.watcher.SOMETHING");
    }
  }
}
