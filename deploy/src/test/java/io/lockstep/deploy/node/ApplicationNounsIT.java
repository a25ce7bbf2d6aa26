package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.deploy.launch.ClusterPlan;
import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.Distribution;
import io.lockstep.deploy.testbed.JarMaker;
import io.lockstep.deploy.testbed.NodeWithApplications;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The nouns of three applications in a real node whose file names their jars: of the learning
 * switch, of the example, and of one that does all that a noun must not do.
 */
class ApplicationNounsIT {
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final String EXAMPLE =
      "examples/block-list/src/main/java/org/example/blocklist/BlockList.java";

  private static final String NOUNS =
      """
      private static Noun noun(String name, java.util.function.Function<NounInput, Rows> answer) {
        return new Noun(name, name, List.of(), arguments -> List.of(), answer);
      }

      public List<Noun> nouns() {
        return List.of(
            noun("good", input -> Rows.of("hosts").add(input.network().hosts().size()).build()),
            noun("throws", input -> { throw new IllegalStateException("no luck"); }),
            noun("linkage", input -> { throw new NoSuchMethodError("another version"); }),
            noun("nothing", input -> null),
            noun("huge", input -> {
              Rows.Builder rows = Rows.of("text");
              for (int i = 0; i < 1_000_000; i++) {
                rows.add("x".repeat(500));
              }
              return rows.build();
            }),
            noun("hoards", input -> {
              List<byte[]> all = new ArrayList<>();
              while (true) {
                all.add(new byte[16 << 20]);
              }
            }),
            noun("endless", input -> {
              while (true) {
                try {
                  Thread.sleep(1_000);
                } catch (InterruptedException e) {
                  // goes on
                }
              }
            }));
      }
      """;

  private final HttpClient client = HttpClient.newHttpClient();

  @TempDir private Path directory;

  private PortBlock ports;
  private ClusterPlan plan;
  private NodeWithApplications node;

  @BeforeEach
  void start() throws Exception {
    JarMaker example = new JarMaker(directory);
    example.compile("BlockList", Files.readString(Distribution.root().resolve(EXAMPLE)));
    example.declare("org.example.blocklist.BlockList").write("block-list.jar");
    JarMaker.application(directory, "bad", "return Decision.PASS;", NOUNS).write("bad.jar");
    ports = PortBlock.take();
    plan =
        new ClusterPlan(
            directory,
            "apps",
            1,
            ports,
            List.of(new ClusterPlan.DomainPlan("all", List.of(1L, 2L), 0)),
            """
            state: memory
            applicationJars: [block-list.jar, ./bad.jar]
            applications: {block-list: {hosts: ["02:00:00:00:00:01"]}}
            """);
    plan.writeConfigurations();
    node =
        NodeWithApplications.start(
            new ProcessBuilder(
                CommandRun.line("-Xmx256m", "node", "--config", plan.configFile(0).toString())),
            directory.resolve("n1.log"),
            plan.openflowPort(0));
    node.awaitPing(2, 3);
  }

  @AfterEach
  void stop() {
    node.close();
    ports.close();
  }

  private CommandRun app(String... words) throws Exception {
    String[] line = new String[words.length + 5];
    line[0] = "app";
    System.arraycopy(words, 0, line, 1, words.length);
    line[words.length + 1] = "-e";
    line[words.length + 2] = plan.adminEndpoint(0);
    line[words.length + 3] = "--timeout";
    line[words.length + 4] = "30000";
    return CommandRun.lockstep(DEADLINE, line);
  }

  private String get(String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + plan.adminEndpoint(0) + path)).build();
    return client.send(request, BodyHandlers.ofString()).body();
  }

  private long metric(String name, String application) throws Exception {
    String begin = name + "{application=\"" + application + "\"} ";
    return get("/metrics")
        .lines()
        .filter(line -> line.startsWith(begin))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(begin.length())))
        .sum();
  }

  @Test
  void aNodeShowsWhatItsApplicationsKnow() throws Exception {
    assertThat(node.ping(0, 1)).as("the example blocks it").isFalse();
    CommandRun all = app();
    assertThat(all.out().lines())
        .as(all.err())
        .anyMatch(line -> line.matches("bad +good +good"))
        .anyMatch(line -> line.matches("block-list +tries +how often each blocked host tried"))
        .anyMatch(line -> line.matches("learning-switch +addresses \\[SWITCH] +the learned .*"));
    assertThat(app("block-list").out())
        .contains("block-list: priority 1000, from " + directory.resolve("block-list.jar"));
    CommandRun tries = app("block-list", "tries");
    assertThat(tries.out().lines()).as(tries.err()).first().isEqualTo("HOST               TRIES");
    assertThat(tries.out()).containsPattern("02:00:00:00:00:01  [1-9]");
    JsonNode addresses =
        new ObjectMapper().readTree(app("learning-switch", "addresses", "-o", "json").out());
    assertThat(addresses.path("complete").asBoolean()).isTrue();
    assertThat(addresses.path("rows").toString()).contains(node.mac(2), node.mac(3));
    CommandRun one = app("learning-switch", "addresses", "1");
    assertThat(one.out().lines().skip(1))
        .isNotEmpty()
        .allMatch(line -> line.startsWith("0".repeat(15) + "1 "));
    CommandRun wrong = app("learning-switch", "addresses", "zz");
    assertThat(wrong.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("switch: 'zz' is not allowed", "remedy: give a datapath id");
    CommandRun typo = app("block-list", "tires");
    assertThat(typo.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(typo.err()).contains("no noun 'tires'", "did you mean 'tries'?");
    assertThat(metric("lockstep_application_decisions_total", "block-list")).isPositive();
    assertThat(metric("lockstep_application_decisions_total", "learning-switch")).isPositive();
    assertThat(metric("lockstep_application_failures_total", "block-list")).isZero();
    assertThat(node.log().lines())
        .allMatch(
            line -> line.matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]{12}Z (INFO |WARN ) n1 \\S+ +.*"))
        .anyMatch(
            line ->
                line.endsWith(
                    " n1 DomainClaims       [domain=all epoch=1] "
                        + "n1: domain all is mastered by n1 in epoch 1"));
  }

  @Test
  void nounsThatFailFloodOrHoardMemoryLoseOnlyTheirAnswer() throws Exception {
    for (String noun : List.of("throws", "linkage", "nothing", "hoards")) {
      CommandRun run = app("bad", noun);
      assertThat(run.exitCode()).as(noun + run.err()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err()).contains("lockstep: " + noun + " failed: java.lang.", "remedy: ");
      assertThat(node.reaches(2, 3)).as("the node forwards after " + noun).isTrue();
    }
    assertThat(metric("lockstep_application_failures_total", "bad")).isEqualTo(4);
    CommandRun huge = app("bad", "huge");
    assertThat(huge.exitCode()).as(huge.err()).isEqualTo(ExitCode.DONE);
    assertThat(huge.err()).contains("this is not all");
    assertThat(huge.out().length()).isBetween(1_000_000, 1_200_000);
    assertThat(app("bad", "good").out()).matches("HOSTS\\R[2-4]\\R");
    assertThat(node.running()).isTrue();
    assertThat(node.log()).contains("application bad failed on the noun throws", "no luck");
  }

  @Test
  void aNounWithoutEndHoldsUpNothingButItsApplicationsNouns() throws Exception {
    CompletableFuture<CommandRun> endless = new CompletableFuture<>();
    Thread asking =
        new Thread(
            () -> {
              try {
                endless.complete(app("bad", "endless"));
              } catch (Exception | AssertionError failure) {
                endless.completeExceptionally(failure);
              }
            });
    asking.start();
    while (!endless.isDone()) {
      assertThat(node.reaches(2, 3)).as("the node forwards meanwhile").isTrue();
      assertThat(get("/health/ready")).contains("\"ready\":true");
    }
    CommandRun late = endless.get();
    assertThat(late.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(late.err()).contains("endless did not answer within 10000 ms", "remedy: ");
    CommandRun next = app("bad", "good");
    assertThat(next.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(next.err()).contains("application bad has not ended endless", "remedy: ");
    assertThat(app("learning-switch", "addresses").exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(metric("lockstep_application_failures_total", "bad")).isEqualTo(1);
    assertThat(get("/api/v1/status")).contains("did not answer in time to endless");
    assertThat(node.running()).isTrue();
  }
}
