package io.lockstep.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.core.app.ConfigurationKey;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.app.PacketView;
import io.lockstep.core.app.RankedApplication;
import io.lockstep.deploy.application.ApplicationCatalog;
import io.lockstep.deploy.config.SettingsReader.Role;
import io.lockstep.deploy.testbed.JarMaker;
import io.lockstep.store.TableSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplicationSectionsTest {
  private static final String ONE =
      """
      cluster: demo
      node: n1
      members: [{id: n1, host: 127.0.0.1}]
      """;

  private record Named(String name) implements PacketApplication {
    @Override
    public Decision packetIn(PacketView packet, NetworkView network) {
      return Decision.PASS;
    }
  }

  /** Keeps what it was given, and refuses two words that are the same. */
  private static final class Guard implements ApplicationProvider {
    final List<ApplicationConfiguration> given = new ArrayList<>();
    String makes = "guard";

    @Override
    public String name() {
      return "guard";
    }

    @Override
    public int priority() {
      return 7;
    }

    @Override
    public List<ConfigurationKey> configuration() {
      return List.of(
          new ConfigurationKey.Whole("quota", 5, 1, 9, "packets"),
          new ConfigurationKey.Text("word", "", Pattern.compile("[a-z]+"), "small letters"),
          new ConfigurationKey.Texts("hosts", Pattern.compile("[0-9]+"), "a number of digits"));
    }

    @Override
    public Map<String, TableSpec> tables() {
      return Map.of("apps.guard", TableSpec.values());
    }

    @Override
    public PacketApplication create(ApplicationConfiguration configuration) {
      given.add(configuration);
      if (configuration.text("word").equals("fail")) {
        throw new IllegalArgumentException("'fail' does not go with a quota");
      }
      return new Named(makes);
    }
  }

  private final Guard guard = new Guard();

  private NodeSettings parse(String applications) throws ConfigException {
    List<ApplicationProvider> all = new ArrayList<>(ApplicationCatalog.BUILT_IN.providers());
    all.add(guard);
    return SettingsReader.parse(
        "node.yaml", ONE + applications, Role.NODE, new ApplicationCatalog(all, Map.of()));
  }

  private List<String> refused(String applications) {
    ConfigException e = catchThrowableOfType(ConfigException.class, () -> parse(applications));
    return e.problems().stream().map(problem -> problem.describe("node.yaml")).toList();
  }

  @Test
  void whatTheFileLeavesOutIsUsual() throws ConfigException {
    NodeSettings settings = parse("");
    assertThat(settings.applications().ranked())
        .extracting(RankedApplication::name, RankedApplication::priority)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple("guard", 7),
            org.assertj.core.groups.Tuple.tuple("learning-switch", Integer.MAX_VALUE),
            org.assertj.core.groups.Tuple.tuple("load-balancer", 1_000));
    assertThat(settings.applications().tables()).containsKey("apps.guard").hasSize(13);
    assertThat(guard.given)
        .singleElement()
        .satisfies(
            given -> {
              assertThat(given.whole("quota")).isEqualTo(5);
              assertThat(given.text("word")).isEmpty();
              assertThat(given.texts("hosts")).isEmpty();
            });
  }

  @Test
  void anApplicationGetsItsSection() throws ConfigException {
    parse(
        """
        applications:
          learning-switch: {idleTimeoutSeconds: 30}
          guard: {quota: 9, word: abc, hosts: [1, 22]}
        """);
    ApplicationConfiguration given = guard.given.get(0);
    assertThat(given.whole("quota")).isEqualTo(9);
    assertThat(given.text("word")).isEqualTo("abc");
    assertThat(given.texts("hosts")).containsExactly("1", "22");
  }

  @Test
  void everyMistakeIsNamedWithPlaceAllowedValuesAndRemedy() {
    assertThat(
            refused(
                """
                applications:
                  learningSwitch: {idleTimeoutSeconds: 30}
                  learning-switch: {idleTimeoutSeconds: soon, idel: 3}
                  guard: {quota: 10, word: A1, hosts: [1, x, 1, [2]]}
                  firewall: {}
                """))
        .containsExactly(
            "node.yaml:5:3: applications.learningSwitch: unknown application\n"
                + "    remedy: did you mean 'learning-switch'?",
            "node.yaml:6:41: applications.learning-switch.idleTimeoutSeconds: 'soon' is not a"
                + " whole number\n    remedy: give a whole number from 1 to 65535 (seconds)",
            "node.yaml:6:47: applications.learning-switch.idel: unknown key\n"
                + "    remedy: known keys here: idleTimeoutSeconds",
            "node.yaml:7:18: applications.guard.quota: 10 is out of bounds\n"
                + "    remedy: give a whole number from 1 to 9 (packets)",
            "node.yaml:7:28: applications.guard.word: 'A1' is not allowed\n"
                + "    remedy: give small letters",
            "node.yaml:7:43: applications.guard.hosts: 'x' is not allowed\n"
                + "    remedy: give a number of digits",
            "node.yaml:7:46: applications.guard.hosts: '1' is there twice\n"
                + "    remedy: give each once",
            "node.yaml:7:49: applications.guard.hosts[3]: one value is expected here\n"
                + "    remedy: write the list as [a, b, c]",
            "node.yaml:8:3: applications.firewall: unknown application\n"
                + "    remedy: load one of your own with applicationJars, or with"
                + " 'node --app FILE.jar'; known here: learning-switch, load-balancer, guard");
    assertThat(guard.given).as("nothing is made of a file with mistakes").isEmpty();
  }

  @Test
  void whatAnApplicationRefusesIsToldAtItsSection() {
    assertThat(refused("applications:\n  guard: {word: fail}\n"))
        .singleElement()
        .asString()
        .startsWith("node.yaml:5:10: applications.guard: the application refuses these values")
        .contains("'fail' does not go with a quota");
    guard.makes = "other";
    assertThat(refused(""))
        .singleElement()
        .asString()
        .contains("its provider makes 'other'", "with its own name");
  }

  private static Path jar(Path directory, String name) throws IOException {
    return JarMaker.application(
            directory,
            name,
            "return Decision.PASS;",
            "public List<ConfigurationKey> configuration() {"
                + " return List.of(new ConfigurationKey.Whole(\"quota\", 1, 1, 9, \"\")); }")
        .write(name + ".jar");
  }

  private NodeSettings read(Path directory, String more) throws Exception {
    Path file = Files.writeString(directory.resolve("node.yaml"), ONE + more);
    return SettingsReader.read(
        file, Role.NODE, ApplicationCatalog.BUILT_IN.with(List.of(directory.resolve("given.jar"))));
  }

  @Test
  void theFileNamesJarsBesideItselfAndConfiguresTheirApplications(@TempDir Path directory)
      throws Exception {
    jar(directory, "given");
    Path other = jar(Files.createDirectory(directory.resolve("jars")), "other");
    for (String path : List.of("jars/other.jar", "./jars/../jars/other.jar", other.toString())) {
      NodeSettings settings =
          read(
              directory,
              "applicationJars: ['" + path + "']\napplications: {other: {quota: 9}, given: {}}\n");
      assertThat(settings.applications().ranked())
          .extracting(RankedApplication::name)
          .containsExactlyInAnyOrder("learning-switch", "load-balancer", "given", "other");
    }
    assertThat(
            catchThrowableOfType(
                ConfigException.class,
                () ->
                    read(
                        directory,
                        "applicationJars: [jars/other.jar]\napplications: {other: {quota: 10}}\n")))
        .hasMessageContaining("applications.other.quota: 10 is out of bounds");
  }

  @Test
  void aJarThatCannotBeUsedIsToldAtItsPlaceAndItsSectionIsNoFurtherMistake(@TempDir Path directory)
      throws Exception {
    jar(directory, "given");
    Files.writeString(directory.resolve("text.jar"), "text");
    ConfigException e =
        catchThrowableOfType(
            ConfigException.class,
            () ->
                read(
                    directory,
                    """
                    applicationJars:
                      - none.jar
                      - text.jar
                      - given.jar
                      - "\\0"
                      - [x]
                    applications: {none: {quota: 1}}
                    """));
    assertThat(e.problems())
        .extracting(problem -> problem.place().line() + " " + problem.path())
        .containsExactlyInAnyOrder(
            "5 applicationJars",
            "6 applicationJars",
            "7 applicationJars",
            "8 applicationJars",
            "9 applicationJars[4]");
    assertThat(e)
        .hasMessageContaining(directory.resolve("none.jar") + ": no such file\n    remedy: ")
        .hasMessageContaining(directory.resolve("text.jar") + ": cannot be read as a jar")
        .hasMessageContaining(directory.resolve("given.jar") + ": the same jar is there already");
  }

  @Test
  void commandsThatRunNoApplicationLoadNoJar() throws ConfigException {
    String text = ONE + "applicationJars: [none.jar]\napplications: {guard: {quota: 1}}\n";
    assertThat(SettingsReader.parse("node.yaml", text, Role.NODE).applications().ranked())
        .extracting(RankedApplication::name)
        .containsExactlyInAnyOrder("learning-switch", "load-balancer");
    assertThat(
            catchThrowableOfType(
                ConfigException.class,
                () ->
                    SettingsReader.parse(
                        "node.yaml", ONE + "applicationJars: none.jar\n", Role.NODE)))
        .hasMessageContaining("a list is expected here");
  }

  @Test
  void moreJarsThanANodeLoadsAreRefused() {
    assertThat(refused("applicationJars: [" + "x.jar, ".repeat(65) + "]\n"))
        .containsExactly(
            "node.yaml:4:18: applicationJars: more than 64 jars\n"
                + "    remedy: pack several applications together");
  }

  @Test
  void commandsThatRunNoApplicationPassOverOneThatTheyDoNotKnow() throws ConfigException {
    String text = ONE + "applications: {guard: {quota: 1}}\n";
    assertThat(SettingsReader.parse("node.yaml", text, Role.NODE).nodeId()).isEqualTo("n1");
    String wrong = ONE + "applications: {learning-switch: {quota: 1}}\n";
    ConfigException e =
        catchThrowableOfType(
            ConfigException.class, () -> SettingsReader.parse("node.yaml", wrong, Role.NODE));
    assertThat(e).hasMessageContaining("applications.learning-switch.quota: unknown key");
  }
}
