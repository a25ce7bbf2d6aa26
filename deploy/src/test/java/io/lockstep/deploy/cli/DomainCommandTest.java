package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.admin.AdminServer;
import io.lockstep.deploy.admin.DomainDoor;
import io.lockstep.deploy.admin.ProbeDoor.Answer;
import io.lockstep.deploy.admin.SampleReport;
import io.lockstep.deploy.config.NodeSettings.Listener;
import io.lockstep.deploy.process.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code domain show} and {@code domain set} with a node that says what the test wants. */
class DomainCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Script script = new Script();
  private AdminServer server;

  @TempDir private Path directory;

  /** What is shown each time, the last one from then on; and one answer to a change. */
  private static final class Script implements DomainDoor {
    final Deque<Answer> shown = new ArrayDeque<>();
    final List<String> asked = new CopyOnWriteArrayList<>();
    volatile Answer answer = new Answer(202, new Accepted(4));

    void shows(long version, long next, String... waitsFor) {
      shown.add(
          new Answer(
              200,
              new Shown(
                  version, next, List.of(waitsFor), List.of(), "version: " + version + "\n")));
    }

    @Override
    public synchronized Answer show() {
      return shown.size() > 1 ? shown.remove() : shown.element();
    }

    @Override
    public Answer change(long decidedOn, Map<String, String> query, String file) {
      asked.add(decidedOn + " " + query + file);
      return answer;
    }
  }

  @BeforeEach
  void open() throws IOException {
    server = AdminServer.open(new Listener("127.0.0.1", 0), () -> SampleReport.ready("n1"));
    server.offer(script);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private int domain(String... words) {
    String[] line = new String[words.length + 2];
    System.arraycopy(words, 0, line, 0, words.length);
    line[words.length] = "-e";
    line[words.length + 1] = "127.0.0.1:" + server.port();
    return new CommandLine(new DomainCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .setExecutionExceptionHandler(
            (failure, parsed, result) -> {
              err.append(failure.getMessage());
              return ExitCode.FAILED;
            })
        .execute(line);
  }

  @Test
  void aChangeIsWaitedForUntilItIsInForce() {
    script.shows(3, 0);
    script.shows(3, 4, "n2");
    script.shows(4, 0);
    assertThat(domain("set", "1f", "west")).as(err.toString()).isEqualTo(ExitCode.DONE);
    assertThat(out.toString().lines()).containsExactly("version 4 of the domains is in force");
    assertThat(script.asked).containsExactly("3 {domain=west, switches=1f}");
  }

  @Test
  void aChangeThatAnotherReplacedIsNotSaidToBeInForce() {
    script.shows(4, 0);
    script.shows(5, 0);
    assertThat(domain("set", "1f", "-", "--version", "3")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString()).contains("version 5 of the domains, which replaced 4, is in force");
    assertThat(script.asked).containsExactly("3 {switches=1f}");
  }

  @Test
  void whatWasDecidedOnAnOutdatedVersionEndsWithACodeOfItsOwn() throws Exception {
    Path file = Files.writeString(directory.resolve("d.yaml"), "version: 2\n");
    script.shows(3, 0);
    for (long newest : List.of(3L, 0L)) {
      script.answer = new Answer(412, new DomainDoor.Refused("outdated", "look", newest));
      assertThat(domain("set", file.toString())).isEqualTo(ExitCode.OUTDATED);
    }
    assertThat(err.toString()).contains("lockstep: outdated\n    remedy: look");
    assertThat(script.asked)
        .hasSize(2)
        .allMatch(one -> one.startsWith("2 {") && one.endsWith("version: 2\n"));
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void whatIsDecidedOnTheVersionThatIsOnItsWayNamesThatOne() {
    script.shows(3, 4, "n2");
    script.shows(4, 0);
    assertThat(domain("set", "1f", "west")).as(err.toString()).isEqualTo(ExitCode.DONE);
    assertThat(script.asked).containsExactly("4 {domain=west, switches=1f}");
  }

  @Test
  void theVersionOnTheCommandLineCountsMoreThanThatOfTheFile() throws Exception {
    Path file = Files.writeString(directory.resolve("d.yaml"), "version: 2\n");
    script.shows(4, 0);
    assertThat(domain("set", file.toString(), "--version", "3")).isEqualTo(ExitCode.DONE);
    assertThat(script.asked).hasSize(1).allMatch(one -> one.startsWith("3 {"));
  }

  @Test
  void aFileThatDoesNotSayWhatItWasMadeFromIsNotSent() throws Exception {
    script.shows(3, 0);
    Path file = Files.writeString(directory.resolve("d.yaml"), "domains: []\n");
    assertThat(domain("set", file.toString())).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString())
        .contains("does not say which version of the domains it was made from", "--version N");
    Files.writeString(file, "version: new\n");
    assertThat(domain("set", file.toString())).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains(file + ":1:10: version: 'new' is not allowed");
    assertThat(script.asked).isEmpty();
  }

  @Test
  void otherRefusalsFail() {
    script.shows(3, 0);
    script.answer = new Answer(400, new DomainDoor.Refused("wrong", "", 0));
    assertThat(domain("set", "1f", "west")).isEqualTo(ExitCode.FAILED);
    script.answer = new Answer(503, new DomainDoor.Refused("not now", "try again", 0));
    assertThat(domain("set", "1f", "west")).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("lockstep: wrong\n", "lockstep: not now\n    remedy: try");
  }

  @Test
  void whatIsShownCanBeRedirectedAndTellsWhatItWaitsForBeside() {
    script.shows(3, 4, "n2", "n3");
    assertThat(domain("show")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString().lines()).containsExactly("version: 3");
    assertThat(err.toString())
        .contains("lockstep: version 4 is not in force yet: it waits for n2, n3");
  }
}
