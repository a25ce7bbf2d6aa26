package io.lockstep.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole command, with three replica processes that keep their state in memory. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class HistoryCommandIT {
  private static final List<String> FIELDS =
      List.of(
          "client", "op", "table", "key", "value", "startNanos", "endNanos", "outcome", "result");

  /** Of those that must have had an answer before the run goes on from its start. */
  private static final int CLIENTS = 80;

  private static final int MIXED_CLIENTS = 6;

  @TempDir Path directory;

  private static int run(String arguments) {
    return HistoryMain.run(("history " + arguments).split(" "));
  }

  private JsonNode summary() throws Exception {
    return summary(directory.resolve("run"));
  }

  private static JsonNode summary(Path out) throws Exception {
    return new ObjectMapper().readTree(out.resolve("summary.json").toFile());
  }

  @Test
  void aRunWithFaultsPasses() throws Exception {
    List<Long> before = children();
    Path out = directory.resolve("run");
    String faults =
        "--seconds 30 --most-faults 2 --faults kill,pause,partition --state memory --seed 3 ";
    assertThat(run(faults + "--network relay --out " + out)).isZero();
    JsonNode summary = summary();
    assertThat(summary.path("pass").asBoolean()).isTrue();
    assertThat(summary.path("network").asText()).isEqualTo("relay");
    assertThat(summary.path("hang").isNull()).isTrue();
    assertThat(summary.path("halts")).isEmpty();
    assertThat(summary.path("operationsByOutcome").path("ok").asLong()).isGreaterThan(100);
    assertThat(summary.path("faultsByKind")).isNotEmpty();
    assertThat(summary.path("watched").asLong()).isGreaterThan(100);
    assertThat(Files.readAllLines(out.resolve("faults.jsonl"))).isNotEmpty();
    assertIsAHistory(out.resolve("history.jsonl"));
    assertThat(run("--check " + out.resolve("history.jsonl"))).isZero();
    assertThat(summary.path("mixedLines").asLong()).isGreaterThan(50);
    assertThat(run("--check " + out.resolve("mixed.jsonl"))).isZero();
    assertThat(children()).isEqualTo(before);
  }

  /** The fields of README.md and no others, and no more lines than it says. */
  private static void assertIsAHistory(Path file) throws Exception {
    List<String> lines = Files.readAllLines(file);
    assertThat(lines).hasSizeBetween(100, 500_000);
    ObjectMapper json = new ObjectMapper();
    Map<String, Integer> perKey = new HashMap<>();
    for (String line : lines) {
      JsonNode operation = json.readTree(line);
      List<String> fields = new ArrayList<>(FIELDS);
      if (List.of("replace", "remove").contains(operation.path("op").asText())) {
        fields.add("expectedVersion");
      }
      assertThat(operation.fieldNames())
          .toIterable()
          .as(line)
          .containsExactlyInAnyOrderElementsOf(fields);
      JsonNode result = operation.path("result");
      if (!result.isNull()) {
        assertThat(result.fieldNames()).toIterable().as(line).containsExactly("value", "version");
      }
      String key = operation.path("table").asText() + "/" + operation.path("key").asText();
      perKey.merge(key, 1, Integer::sum);
    }
    assertThat(perKey.values()).allMatch(count -> count <= 2_000);
  }

  /**
   * The whole command, once for each file; {@code BrokenServiceTest} and {@code
   * BrokenMixedServiceTest} have all ways to break the store. What breaks is a share of the
   * operations: on a slow machine it takes longer to be seen.
   */
  @ParameterizedTest
  @ValueSource(strings = {"lost-writes", "half-batches"})
  void aBrokenStoreFails(String how) throws Exception {
    String broken = "--faults none --state memory --broken " + how + " --seconds ";
    Path out = directory.resolve("run");
    int seconds = 2;
    int exitCode = run(broken + seconds + " --out " + out);
    while (!isCaught(how, summary(out)) && seconds < 32) {
      seconds *= 4;
      out = directory.resolve("run-" + seconds);
      exitCode = run(broken + seconds + " --out " + out);
    }
    assertThat(exitCode).isEqualTo(1);
    JsonNode summary = summary(out);
    assertThat(isCaught(how, summary)).as(summary.toString()).isTrue();
    assertThat(summary.path("broken").asText()).isEqualTo(how);
    assertThat(summary.path("pass").asBoolean()).isFalse();
    try (var files = Files.list(out)) {
      assertThat(files).anyMatch(file -> file.toString().contains("violation-"));
    }
  }

  /** Watchers see what was lost, too. */
  private static boolean isCaught(String how, JsonNode summary) {
    return how.equals("half-batches")
        ? summary.path("mixedViolations").asLong() > 0
        : summary.path("violations").asLong() > 0 && summary.path("watchViolations").asLong() > 0;
  }

  /** Two of three replicas stop in the middle and never come back. */
  @Test
  void aRunThatHangsSaysSoAndKeepsTheStacks() throws Exception {
    List<Long> before = children();
    Path out = directory.resolve("run");
    CompletableFuture<Integer> exitCode =
        CompletableFuture.supplyAsync(
            () ->
                run("--seconds 6 --patience 6 --faults none --state memory --seed 5 --out " + out));
    try {
      awaitLoad(out, exitCode);
      List<Long> replicas = replicas();
      assertThat(replicas).hasSize(3);
      for (long pid : replicas.subList(1, 3)) {
        assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(pid)).start().waitFor())
            .isZero();
      }
      assertThat(exitCode.get(300, TimeUnit.SECONDS)).isEqualTo(1);
    } finally {
      exitCode.get(300, TimeUnit.SECONDS);
    }
    JsonNode summary = summary();
    assertThat(summary.path("pass").asBoolean()).isFalse();
    assertThat(summary.path("hang").path("waitedFor").asText())
        .isIn("all replicas take part", "all replicas say what is alive");
    assertThat(Files.readString(out.resolve("hang.txt")))
        .contains("HangException", "HistoryRun.load", "main");
    String logs = "";
    for (int id = 0; id < 3; id++) {
      logs += Files.readString(out.resolve("replicas/replica-" + id + ".log"));
    }
    assertThat(logs).contains("Full thread dump", "at io.lockstep.");
    assertThat(children()).isEqualTo(before);
  }

  /** Waits until all clients have had answers: before that the run waits for those. */
  private static void awaitLoad(Path out, CompletableFuture<Integer> run) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
    while (answered(out.resolve("history.jsonl"), "\\d") < CLIENTS
        || answered(out.resolve("mixed.jsonl"), "m\\d") < MIXED_CLIENTS) {
      assertThat(run).as("the run, before its load").isNotDone();
      assertThat(System.nanoTime() - deadline).as("time without load").isNegative();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  /** How many clients have lines with answers in a file; its last line may be incomplete. */
  private static long answered(Path file, String name) throws Exception {
    if (!Files.exists(file)) {
      return 0;
    }
    Pattern answer =
        Pattern.compile("\"client\":\"?(" + name + "+)\"?,.*\"outcome\":\"(?:ok|failed)\"");
    return answer
        .matcher(Files.readString(file, StandardCharsets.ISO_8859_1))
        .results()
        .map(of -> of.group(1))
        .distinct()
        .count();
  }

  @Test
  void wrongUsageIsRefused() throws Exception {
    assertThat(run("--faults kill,nonsense --out " + directory.resolve("a"))).isEqualTo(2);
    String rollback = "--faults rollback --state memory --out ";
    assertThat(run(rollback + directory.resolve("a"))).isEqualTo(2);
    assertThat(run("--seconds 0 --out " + directory.resolve("a"))).isEqualTo(2);
    assertThat(run("--broken nonsense --faults none --out " + directory.resolve("a"))).isEqualTo(2);
    assertThat(run("--network wires --out " + directory.resolve("a"))).isEqualTo(2);
    assertThat(run("--seconds 5")).isEqualTo(2);
    Files.writeString(directory.resolve("something"), "");
    assertThat(run("--out " + directory)).isEqualTo(2);
    assertThat(run("--check " + directory.resolve("missing"))).isEqualTo(1);
  }

  private static List<Long> children() {
    return ProcessHandle.current().children().map(ProcessHandle::pid).sorted().toList();
  }

  /** Without the short-lived tools that measure them. */
  private static List<Long> replicas() {
    return ProcessHandle.current()
        .children()
        .filter(child -> child.info().command().orElse("").endsWith("/java"))
        .map(ProcessHandle::pid)
        .sorted()
        .toList();
  }
}
