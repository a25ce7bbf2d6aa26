package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.JarMaker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The option {@code --app} of real processes. */
class ApplicationOptionIT {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  private CommandRun check(Path jar, String applications) throws Exception {
    Path file = directory.resolve("node.yaml");
    Files.writeString(
        file, "cluster: demo\nnode: n1\nmembers: [{id: n1, host: 127.0.0.1}]\n" + applications);
    return CommandRun.lockstep(
        DEADLINE, "node", "--check", "--config", file.toString(), "--app", jar.toString());
  }

  @Test
  void theFileIsCheckedWithTheKeysOfTheJar() throws Exception {
    Path jar =
        JarMaker.application(
                directory,
                "watcher",
                "return Decision.PASS;",
                "public List<ConfigurationKey> configuration() {"
                    + " return List.of(new ConfigurationKey.Whole(\"quota\", 1, 1, 9, \"\")); }")
            .write("watcher.jar");
    assertThat(check(jar, "applications: {watcher: {quota: 3}}\n").exitCode())
        .isEqualTo(ExitCode.DONE);
    CommandRun wrong = check(jar, "applications: {watcher: {quota: 10}}\n");
    assertThat(wrong.exitCode()).isEqualTo(ExitCode.NEEDS_PERSON);
    assertThat(wrong.err())
        .contains("applications.watcher.quota: 10 is out of bounds", "from 1 to 9");
  }

  @Test
  void aJarThatCannotBeUsedIsWrongUsageAndNothingStarts() throws Exception {
    Path jar =
        JarMaker.application(directory, "watcher", "return null;", "").builtForJava(99).write("x");
    Path data = directory.resolve("data");
    Path file = directory.resolve("node.yaml");
    Files.writeString(file, "cluster: demo\nnode: n1\nmembers: [{id: n1, host: 127.0.0.1}]\n");
    CommandRun node =
        CommandRun.lockstep(DEADLINE, "node", "--config", file.toString(), "--app", jar.toString());
    assertThat(node.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(node.err()).contains("lockstep: " + jar + ": built for Java 99", "remedy: ");
    assertThat(data).doesNotExist();
  }

  @Test
  void aConstructorThatThrowsIsToldInWordsAndNotAsATrace() throws Exception {
    String constructor = "public Provider() { throw new IllegalStateException(\"no luck\"); }";
    Path jar =
        JarMaker.application(directory, "watcher", "return null;", constructor).write("bad.jar");
    CommandRun option = check(jar, "");
    assertThat(option.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(option.err())
        .contains(jar + ": its declaration fails: java.lang.IllegalStateException: no luck")
        .doesNotContain("\tat ");
    Path file = directory.resolve("node.yaml");
    Files.writeString(file, Files.readString(file) + "applicationJars: [bad.jar]\n");
    CommandRun key = CommandRun.lockstep(DEADLINE, "node", "--check", "--config", file.toString());
    assertThat(key.exitCode()).isEqualTo(ExitCode.NEEDS_PERSON);
    assertThat(key.lastLine())
        .contains("applicationJars: " + jar + ": its declaration fails", "no luck", "remedy: ");
    assertThat(key.err()).doesNotContain("\tat ");
  }
}
