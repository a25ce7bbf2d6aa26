package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.admin.AdminServer;
import io.lockstep.deploy.admin.ApplicationDoor;
import io.lockstep.deploy.admin.ProbeDoor.Answer;
import io.lockstep.deploy.admin.SampleReport;
import io.lockstep.deploy.config.NodeSettings.Listener;
import io.lockstep.deploy.process.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code app} with a node that answers what the test wants. */
class ApplicationCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Script script = new Script();
  private AdminServer server;

  private static final class Script implements ApplicationDoor {
    final List<String> asked = new CopyOnWriteArrayList<>();
    volatile boolean deactivated;
    volatile Answer answer =
        new Answer(
            200,
            new ShownRows(
                "switching",
                "addresses",
                List.of("address", "lastSeen"),
                List.of(List.of("02:00", "7"), List.of("04", "12")),
                true));

    @Override
    public List<ApplicationReport> applications() {
      return List.of(
          new ApplicationReport("quiet", 7, "/opt/quiet.jar", "inactive", List.of()),
          new ApplicationReport(
              "switching",
              1_000,
              "",
              deactivated ? "inactive" : "active",
              List.of(
                  new NounReport(
                      "addresses",
                      "what was learned",
                      List.of(
                          new ArgumentReport("switch", "a datapath id", true),
                          new ArgumentReport("lowPort", "a number", false))))));
    }

    @Override
    public CompletableFuture<Answer> activate(String application, boolean active) {
      deactivated = !active;
      return CompletableFuture.completedFuture(new Answer(200, applications().get(1)));
    }

    @Override
    public CompletableFuture<Answer> ask(
        String application, String noun, Map<String, String> arguments) {
      asked.add(application + " " + noun + " " + arguments);
      // On another thread, as a node does it.
      return CompletableFuture.supplyAsync(() -> answer);
    }
  }

  @BeforeEach
  void open() throws IOException {
    server = AdminServer.open(new Listener("127.0.0.1", 0), () -> SampleReport.ready("n1"));
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void applicationsAreDeactivatedAndActivated() {
    server.offer(script);
    assertThat(run("apps", "deactivate", "switching")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString().strip()).isEqualTo("switching is inactive");
    assertThat(run("apps")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")))
        .contains("switching 1000 inactive addresses");
    assertThat(run("apps", "activate", "switching")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString().strip()).isEqualTo("switching is active");
    assertThat(run("apps", "deactivate", "nothing")).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("no such application", "quiet, switching");
  }

  private int app(String... words) {
    return run("app", words);
  }

  private int run(String command, String... words) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] line = new String[words.length + 3];
    line[0] = command;
    System.arraycopy(words, 0, line, 1, words.length);
    line[words.length + 1] = "-e";
    line[words.length + 2] = "127.0.0.1:" + server.port();
    return LockstepCommand.line()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(line);
  }

  @Test
  void theApplicationsOfANodeAreListedWithTheirNouns() {
    server.offer(script);
    assertThat(app()).isEqualTo(ExitCode.DONE);
    assertThat(out.toString().lines())
        .containsExactly(
            "APPLICATION  NOUN                         SHOWS",
            "quiet        -",
            "switching    addresses SWITCH [LOW-PORT]  what was learned");
    assertThat(app("switching")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString().lines())
        .containsExactly(
            "switching: priority 1000, part of Lockstep",
            "",
            "  addresses SWITCH [LOW-PORT]",
            "      shows what was learned",
            "      SWITCH: a datapath id",
            "      LOW-PORT: a number");
    assertThat(app("quiet")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString()).contains("quiet: priority 7, from /opt/quiet.jar");
    assertThat(app("-o", "json")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString()).contains("\"shows\" : \"what was learned\"");
  }

  @Test
  void whatANounShowsIsATableOrJson() {
    server.offer(script);
    assertThat(app("switching", "addresses", "1f", "a&b=%c")).isEqualTo(ExitCode.DONE);
    assertThat(script.asked).containsExactly("switching addresses {lowPort=a&b=%c, switch=1f}");
    assertThat(out.toString().lines())
        .containsExactly("ADDRESS  LAST SEEN", "02:00    7", "04       12");
    assertThat(err.toString()).isEmpty();
    assertThat(app("switching", "addresses", "1f", "-o", "json")).isEqualTo(ExitCode.DONE);
    assertThat(out.toString()).contains("\"columns\" : [ \"address\", \"lastSeen\" ]");
    script.answer =
        new Answer(
            200,
            new ApplicationDoor.ShownRows(
                "switching", "addresses", List.of("a"), List.of(), false));
    assertThat(app("switching", "addresses")).isEqualTo(ExitCode.DONE);
    assertThat(err.toString()).contains("this is not all");
  }

  @Test
  void wrongWordsAreWrongUsageWithARemedy() {
    server.offer(script);
    assertThat(app("switchin")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("has no application 'switchin'", "mean 'switching'?");
    assertThat(app("switching", "adresses")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("has no noun 'adresses'", "did you mean 'addresses'?");
    assertThat(app("quiet", "addresses")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("remedy: it has none");
    assertThat(app("switching", "addresses", "1", "2", "3")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("addresses takes 2 at most", "./lockstep app switching");
    assertThat(script.asked).isEmpty();
    script.answer = new Answer(400, new ApplicationDoor.NoRows("switch: 'x'", "give an id"));
    assertThat(app("switching", "addresses", "x")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString().lines())
        .containsExactly("lockstep: switch: 'x'", "    remedy: give an id");
  }

  @Test
  void aNounWithoutAnAnswerFails() {
    server.offer(script);
    for (int status : List.of(500, 503, 504)) {
      script.answer = new Answer(status, new ApplicationDoor.NoRows("no luck", "try again"));
      assertThat(app("switching", "addresses")).as("%d", status).isEqualTo(ExitCode.FAILED);
      assertThat(err.toString()).contains("lockstep: no luck", "remedy: try again");
      assertThat(out.toString()).isEmpty();
    }
  }

  @Test
  void aProcessWithoutANodeSaysSo() {
    assertThat(app()).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("no node runs in this process");
  }
}
